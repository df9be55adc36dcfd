import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { StudioTask } from '../protocol/state.ts';
import { Icon } from '../components/icon.tsx';
import { factsOf } from './taskFacts.ts';

/** One task in the list: its first picture, its prompt, and when it was. */
export function HistoryRow({ task }: { task: StudioTask }): JSX.Element {
  const { images, prompt } = task;
  const url = images.find((image) => image.url !== undefined)?.url;
  const isStarred = images.some(({ starred }) => starred);
  return (
    <>
      <span class="history-picture">
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
