import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { StudioTask, StudioTaskAction } from '../protocol/state.ts';
import { Button, Icon } from '../components/button.tsx';
import type { StudioContext } from '../store/studioStore.ts';
import { Progress } from './progress.tsx';
import { taskActionText } from '../image/resultActions.ts';
import {
  cellsOf,
  deletedText,
  hasLostItsFiles,
  lookText,
  requestedSize,
  type Result,
} from '../store/resultList.ts';
import { isSelected } from '../store/selection.ts';
import { EmptyTile, Tile, type TileActs } from './tile.tsx';

interface TaskCardProps extends StudioContext {
  task: StudioTask;
  selected: readonly Result[];
  acts: TileActs;
}

/** Shows a task: its prompt, progress, message and images. */
export function TaskCard({ store, host, task, selected, acts }: TaskCardProps): JSX.Element {
  const act = (action: StudioTaskAction): void =>
    void store.attempt(async () => host.ask('taskAction', { task: task.id, action }));
  const discarded = task.images.filter(({ isDiscarded }) => isDiscarded);
  const recover = (): void => {
    const images = discarded.map(({ index }) => ({ task: task.id, index }));
    void store.attempt(async () => host.ask('recover', { images }));
  };
  const editPrompt = (): void => {
    if (store.state.draft.prompt !== task.prompt) {
      store.act(l10n.t('changed the prompt'), { prompt: task.prompt });
    }
    document.getElementById('prompt')?.focus();
  };
  const hasButtons = [task.actions, task.errorActions, discarded].some(({ length }) => length > 0);
  const { starred } = store.state.draft.view;
  const cells = cellsOf(task).filter((image) => !starred || image?.starred);
  const deleted = deletedText(task);
  const look = lookText(task);
  const heading = `task-${task.id}`;
  const facts = [task.model, ...(task.size === undefined ? [] : [requestedSize(task.size)])];
  return (
    <article class="task-card" aria-labelledby={heading} tabIndex={-1}>
      <h2 id={heading} title={task.prompt} dir="auto">
        {task.prompt}
      </h2>
      <p class="task-facts">{facts.join(' · ')}</p>
      <Progress task={task} />
      {task.message !== undefined && <p class="task-message">{task.message}</p>}
      {look !== undefined && (
        <p class="task-message">
          <Icon name="warning" /> {look}
        </p>
      )}
      {hasLostItsFiles(task) && (
        <p class="task-message">{l10n.t('The files of this task no longer exist.')}</p>
      )}
      {deleted !== undefined && <p class="task-message">{deleted}</p>}
      {cells.length > 0 && (
        <div role="grid" aria-labelledby={heading} aria-multiselectable="true">
          <div class="task-tiles" role="row">
            {cells.map((image, index) => {
              const result = image?.url === undefined ? undefined : { task, image, url: image.url };
              // Images keep their positions, whatever order they arrive in.
              return result ? (
                <div key={index} role="gridcell" aria-selected={isSelected(result, selected)}>
                  <Tile result={result} selected={selected} isMac={store.state.isMac} {...acts} />
                </div>
              ) : (
                <div key={index} role="gridcell">
                  <EmptyTile task={task} image={image} label={l10n.t('Image in progress')} />
                </div>
              );
            })}
          </div>
        </div>
      )}
      {hasButtons && (
        <div class="task-actions">
          {task.errorActions.map((title, errorAction) => (
            <Button
              key={title}
              onClick={() =>
                void store.attempt(async () => host.ask('fixTask', { task: task.id, errorAction }))
              }
            >
              {title}
            </Button>
          ))}
          {task.isRejected && (
            <Button icon="edit" onClick={editPrompt}>
              {l10n.t('Edit the Prompt')}
            </Button>
          )}
          {task.actions.map((action) => {
            const { label, icon } = taskActionText(action);
            return (
              <Button key={action} icon={icon} onClick={() => act(action)}>
                {label}
              </Button>
            );
          })}
          {discarded.length > 0 && (
            <Button icon="discard" onClick={recover}>
              {discarded.length === 1
                ? l10n.t('Restore Deleted Image')
                : l10n.t('Restore {0} Deleted Images', discarded.length)}
            </Button>
          )}
        </div>
      )}
    </article>
  );
}
