import './historyTask.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { StudioTask } from '../protocol/state.ts';
import { Button } from '../components/button.tsx';
import { factsOf } from './historyRow.tsx';

/** Shows the chosen task of the history with a button that opens it. */
export function HistoryTask({ task, restore }: { task: StudioTask; restore: () => void }): JSX.Element {
  const urls = task.images.flatMap(({ url }) => url ?? []);
  return (
    <section class="old-task" aria-label={l10n.t('Selected Task')}>
      {urls.length > 0 && (
        <div class="old-task-pictures">
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
