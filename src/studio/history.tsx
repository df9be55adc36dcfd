import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { HistoryFilter } from './protocol/draft.ts';
import type { StudioTask } from './protocol/state.ts';
import { Button, Icon } from './components/button.tsx';
import { focusAfterRender } from './components/focus.ts';
import type { StudioContext } from './store/studioStore.ts';
import { HistoryFilters } from './historyFilters.tsx';
import { HistoryPages } from './historyPages.ts';
import { HistoryList, HistoryTask } from './historyList.tsx';

const everything: HistoryFilter = { text: '', status: 'any', model: '', starred: false, edits: false };

/** Shows all tasks, to search them and reopen one. */
export function History(context: StudioContext): JSX.Element {
  const { store, host } = context;
  const filter = store.state.draft.view.history;
  const pages = useHistoryPages(context, filter);
  /** A row until its task is loaded; then the task, which may move to another row. */
  const [chosen, setChosen] = useState<{ row: number } | { id: string }>();
  const row = chosen && ('id' in chosen ? pages.rowOf(chosen.id) : chosen.row);
  const task = row === undefined ? undefined : pages.task(row);
  const choose = (row: number): void => {
    const id = pages.task(row)?.id;
    setChosen(id === undefined ? { row } : { id });
  };
  useEffect(() => {
    if (task && chosen && 'row' in chosen) {
      setChosen({ id: task.id });
    }
  }, [task, chosen]);
  const { total } = pages;

  const change = (history: HistoryFilter): void => store.updateView({ history });
  const restore = (old: StudioTask): void =>
    void store.attempt(async () => {
      await store.saved();
      const restored = await store.acts.during(async () => {
        const found = await host.ask('restore', { task: old.id });
        if (found) {
          store.replace(found.draft, found.inputs, old);
        }
        return found;
      });
      if (!restored) {
        return;
      }
      const first = old.images.find(({ url }) => url !== undefined);
      store.updateView({
        stage: 'results',
        selected: first ? { task: old.id, index: first.index } : null,
        zoom: null,
        compare: null,
        history: filter,
      });
      focusAfterRender(() => document.querySelector<HTMLElement>('.zoom-pane, .task-card'));
    });
  return (
    <div class="history">
      <HistoryFilters filter={filter} models={pages.models} change={change} />
      <p class="history-count" role="status">
        {total === undefined
          ? l10n.t('Searching…')
          : total === 1
            ? l10n.t('1 task')
            : l10n.t('{0} tasks', total.toLocaleString(document.documentElement.lang))}
      </p>
      {total === 0 ? (
        <div class="history-empty">
          <Icon name="history" />
          {isEverything(filter) ? (
            <p>{l10n.t('No tasks yet. Images you generate or edit are listed here.')}</p>
          ) : (
            <>
              <p>{l10n.t('No tasks match this search.')}</p>
              <Button onClick={() => change(everything)}>{l10n.t('Show All')}</Button>
            </>
          )}
        </div>
      ) : (
        <HistoryList pages={pages} chosen={row} choose={choose} restore={restore} />
      )}
      {task && <HistoryTask task={task} restore={() => restore(task)} />}
    </div>
  );
}

function isEverything({ text, status, model, starred, edits }: HistoryFilter): boolean {
  return text.trim() === '' && status === 'any' && model === '' && !starred && !edits;
}

/** Returns the filtered history or, until its first page is loaded, the previous one. */
function useHistoryPages({ store, host }: StudioContext, filter: HistoryFilter): HistoryPages {
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
