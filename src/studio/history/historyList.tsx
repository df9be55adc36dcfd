import './historyList.css';
import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { StudioTask } from '../protocol/state.ts';
import { useSize } from '../zoom/useZoom.ts';
import { type HistoryPages, rowWindow, scrolledTo } from './historyPages.ts';
import { HistoryRow } from './historyTask.tsx';

/** Height of every row in pixels. */
const rowHeight = 56;

interface HistoryListProps {
  pages: HistoryPages;
  chosen: number | undefined;
  choose: (row: number) => void;
  restore: (task: StudioTask) => void;
}

/** Shows the rows of the history, of which only those in view are drawn. */
export function HistoryList({ pages, chosen, choose, restore }: HistoryListProps): JSX.Element {
  const { attach, element, size } = useSize();
  const [scrollTop, setScrollTop] = useState(0);
  const total = pages.total ?? 0;
  const height = size?.height ?? 0;
  const { first, end } = rowWindow(scrollTop, height, rowHeight, total);

  useEffect(() => void pages.showRange(first, end), [pages, first, end]);
  useLayoutEffect(() => {
    element?.scrollTo({ top: 0 });
  }, [pages, element]);

  const goTo = (row: number): void => {
    choose(row);
    element?.scrollTo({
      top: scrolledTo(row, element.scrollTop, element.clientHeight, rowHeight),
    });
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const task = chosen === undefined ? undefined : pages.task(chosen);
    const next = rowAfter(event.key, chosen, total, Math.max(1, Math.floor(height / rowHeight)));
    if (next !== undefined) {
      event.preventDefault();
      goTo(next);
    } else if (event.key === 'Enter' && task) {
      event.preventDefault();
      restore(task);
    }
  };
  return (
    <div
      ref={attach}
      class="history-list"
      role="listbox"
      tabIndex={0}
      aria-label={l10n.t('Tasks')}
      {...(chosen !== undefined &&
        chosen >= first &&
        chosen < end && { 'aria-activedescendant': rowId(chosen) })}
      onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onFocus={() => {
        if (chosen === undefined && total > 0) {
          choose(first === 0 ? 0 : Math.ceil(scrollTop / rowHeight));
        }
      }}
    >
      <div role="presentation" style={{ height: `${total * rowHeight}px` }}>
        {Array.from({ length: end - first }, (_, index) => {
          const row = first + index;
          const task = pages.task(row);
          return (
            // The list has the focus and handles the keys.
            <div
              key={row}
              id={rowId(row)}
              class="history-row"
              role="option"
              aria-selected={row === chosen}
              aria-setsize={total}
              aria-posinset={row + 1}
              style={{ height: `${rowHeight}px`, top: `${row * rowHeight}px` }}
              onClick={() => choose(row)}
              onDblClick={() => task && restore(task)}
            >
              {task ? <HistoryRow task={task} /> : <span class="history-awaited">{l10n.t('Loading…')}</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function rowId(row: number): string {
  return `history-${row}`;
}

function rowAfter(key: string, from: number | undefined, total: number, page: number): number | undefined {
  if (total === 0) {
    return undefined;
  }
  const within = (row: number): number => Math.max(0, Math.min(total - 1, row));
  switch (key) {
    case 'ArrowDown':
      return within((from ?? -1) + 1);
    case 'ArrowUp':
      return within((from ?? 1) - 1);
    case 'PageDown':
      return within((from ?? 0) + page);
    case 'PageUp':
      return within((from ?? 0) - page);
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return undefined;
  }
}
