import './historyTask.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { StudioTask } from '../protocol/state.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { dateText } from './dateText.ts';

/** Shows the chosen task of the history with a button that opens it. */
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
        <p class="old-task-prompt">{task.prompt}</p>
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
        <span class="history-prompt">{prompt}</span>
        <span class="history-facts">{factsOf(task).join(' · ')}</span>
      </span>
      {isStarred && (
        <span class="history-star" title={l10n.t('Starred')}>
          <Icon name="star-full" />
          <span class="only-spoken">{l10n.t('Starred')}</span>
        </span>
      )}
    </>
  );
}

/** Returns what tells tasks with one prompt apart: time, status, kind, model and number of images. */
function factsOf({ createdAt, statusText, model, kind, images }: StudioTask): string[] {
  const count = images.filter(({ url }) => url !== undefined).length;
  return [
    dateText(createdAt, Date.now(), document.documentElement.lang),
    statusText,
    ...(kind === 'edit' ? [l10n.t('Edit')] : []),
    model,
    ...(count > 1 ? [l10n.t('{0} images', count)] : []),
  ];
}
