import * as l10n from '@vscode/l10n';
import { clockTime, startOfDay, startOfYesterday } from '../common/days.ts';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import type { StudioTask } from './protocol/state.ts';
import { Button, Icon } from './components/button.tsx';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { useSize } from './components/useZoom.ts';
import { lookReason, lookText } from './store/resultList.ts';
import { type HistoryPages, rowWindow, scrolledTo } from './historyPages.ts';

/** Returns a time in words: by name for today and yesterday, otherwise by date. */
export function dateText(time: number, now: number, language: string): string {
  const date = new Date(time);
  const hour = clockTime(time, language);
  switch (startOfDay(time)) {
    case startOfDay(now):
      return l10n.t('Today, {0}', hour);
    case startOfYesterday(now):
      return l10n.t('Yesterday, {0}', hour);
    default:
      return `${date.toLocaleDateString(language, { dateStyle: 'medium' })}, ${hour}`;
  }
}

export function HistoryTask({ task, restore }: { task: StudioTask; restore: () => void }): JSX.Element {
  const urls = task.images.flatMap(({ url }) => url ?? []);
  return (
    <section class="old-task" aria-label={l10n.t('Selected Task')}>
      {urls.length > 0 && (
        <div class="old-task-images">
          {urls.map((url) => (
            <img key={url} src={url} alt="" loading="lazy" decoding="async" />
          ))}
        </div>
      )}
      <div class="old-task-text">
        <p class="old-task-prompt" dir="auto">
          {task.prompt}
        </p>
        <p class="old-task-facts">{factsOf(task).join(' · ')}</p>
        {task.message !== undefined && <p class="old-task-facts">{task.message}</p>}
      </div>
      <Button
        primary
        title={l10n.t('Open its prompt, settings, inputs, and mask in the studio')}
        onClick={restore}
      >
        {l10n.t('Open')}
      </Button>
    </section>
  );
}

/** Shows a task in the list: its first image, its prompt and its facts. */
export function HistoryRow({ task }: { task: StudioTask }): JSX.Element {
  const { images, prompt } = task;
  const url = images.find((image) => image.url !== undefined)?.url;
  const isStarred = images.some(({ starred }) => starred);
  const look = lookText(task);
  return (
    <>
      <span class="history-image">
        {url === undefined ? (
          <Icon
            name={task.standing === 'running' ? 'loading' : 'file-media'}
            spins={task.standing === 'running'}
          />
        ) : (
          <img src={url} alt="" loading="lazy" decoding="async" draggable={false} />
        )}
      </span>
      <span class="history-text">
        <span class="history-prompt" dir="auto">
          {prompt}
        </span>
        <span class="history-facts">{factsOf(task).join(' · ')}</span>
      </span>
      {look !== undefined && (
        <span class="history-star" title={images.map(lookReason).find((reason) => reason !== undefined)}>
          <Icon name="warning" />
          <span class="only-spoken">{look}</span>
        </span>
      )}
      {isStarred && (
        <span class="history-star" title={l10n.t('Starred')}>
          <Icon name="star-full" />
          <span class="only-spoken">{l10n.t('Starred')}</span>
        </span>
      )}
    </>
  );
}

/** Returns facts that distinguish tasks with the same prompt: time, status, kind, model, and number of images. */
function factsOf(task: StudioTask): string[] {
  const { createdAt, statusText, model, kind, images } = task;
  const look = lookText(task);
  const count = images.filter(({ url }) => url !== undefined).length;
  return [
    dateText(createdAt, Date.now(), document.documentElement.lang),
    statusText,
    ...(look === undefined ? [] : [look]),
    ...(kind === 'edit' ? [l10n.t({ message: 'Edit', comment: ['Noun: the task edits an image'] })] : []),
    model,
    ...(count > 1 ? [l10n.t('{0} images', count)] : []),
  ];
}

const rowHeight = 56;

interface HistoryListProps {
  pages: HistoryPages;
  chosen: number | undefined;
  choose: (row: number) => void;
  restore: (task: StudioTask) => void;
}

/** Shows the rows of the history; only visible rows are drawn. */
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
            // The list itself has the focus and handles the keys.
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
