import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { HistoryFilter } from '../protocol/draft.ts';
import type { StudioContext } from '../store/studioContext.ts';
import { HistoryPages } from './historyPages.ts';

/** Returns the filtered history; until its first page is loaded, the one of the filter before. */
export function useHistoryPages({ store, host }: StudioContext, filter: HistoryFilter): HistoryPages {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const current = useRef<{ filter: HistoryFilter; pages: HistoryPages }>(undefined);
  const before = useRef<HistoryPages>(undefined);
  if (current.current?.filter !== filter) {
    const shown = current.current?.pages;
    shown?.close();
    before.current = shown?.total === undefined ? before.current : shown;
    current.current = {
      filter,
      pages: new HistoryPages(
        async (offset, limit) => host.ask('history', { filter, offset, limit }),
        () => redraw(undefined),
        (problem) => void store.attempt(async () => Promise.reject(problem)),
      ),
    };
  }
  const { pages } = current.current;
  useEffect(() => void pages.showRange(0, 1), [pages]);
  useEffect(
    () =>
      host.onEvent((event) => {
        if (event.kind === 'tasks') {
          void pages.applyChanges(event);
        }
      }),
    [host, pages],
  );
  useEffect(() => () => current.current?.pages.close(), []);
  return pages.total === undefined ? (before.current ?? pages) : pages;
}
