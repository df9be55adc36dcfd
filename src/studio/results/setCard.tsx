import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Button, Icon } from '../components/button.tsx';
import { perform } from '../image/perform.ts';
import type { StudioTask } from '../protocol/state.ts';
import { cellsOf, lookReason, requestedSize, type Result, resultsOf } from '../store/resultList.ts';
import { isSelected } from '../store/selection.ts';
import type { StudioContext } from '../store/studioStore.ts';
import { EmptyTile, Tile, type TileActs } from './tile.tsx';

type BatchTask = StudioTask & Required<Pick<StudioTask, 'batch'>>;

interface SetCardProps extends StudioContext {
  /** Tasks of one batch. */
  tasks: readonly BatchTask[];
  selected: readonly Result[];
  acts: TileActs;
}

/** Shows tasks that were started together as one: their images side by side, each with its name. */
export function SetCard({ store, host, tasks, selected, acts }: SetCardProps): JSX.Element | null {
  const [first] = tasks;
  if (!first) {
    return null;
  }
  const { id: batch, title } = first.batch;
  const images = [...Map.groupBy(tasks, (task) => task.batch.index)]
    .toSorted(([one], [other]) => one - other)
    .map(([, group]) => group.toSorted((one, other) => one.createdAt - other.createdAt));
  const shown = images.flatMap(withoutReplaced);
  const saved = images.filter((group) => group.some((task) => isSaved(task) && !task.batch.isOnWhite)).length;
  const running = tasks.filter(({ standing }) => standing === 'running');
  const paused = shown.filter(({ standing }) => standing === 'paused');
  const unsent = paused.filter(({ actions }) => actions.includes('resume'));
  const failed = shown.filter(isLost);
  const results = resultsOf(shown.filter(({ batch: { isOnWhite } }) => !isOnWhite));
  const picked = results.filter((result) => isSelected(result, selected));
  const toInsert = picked.length > 0 ? picked : results;
  const doubtful = results.filter(({ image }) => lookReason(image) !== undefined).length;
  const [message] = [...failed, ...paused].flatMap((task) => task.message ?? []);
  const fix = [...failed, ...paused].find(({ errorActions }) => errorActions.length > 0);
  const heading = `set-${batch}`;
  const facts = [first.model, ...(first.size === undefined ? [] : [requestedSize(first.size)])];
  const ask = (asking: () => Promise<unknown>): void => void store.attempt(asking);
  return (
    <article class="task-card set-card" aria-labelledby={heading} tabIndex={-1}>
      <h2 id={heading} title={title} dir="auto">
        {title}
      </h2>
      <p class="task-facts">{facts.join(' · ')}</p>
      <div class={running.length > 0 ? 'progress running' : 'progress ended'}>
        <p class="progress-text">
          <Icon name={iconOf(running, failed, paused)} spins={running.length > 0} />
          <span class="progress-status">{l10n.t('Saved {0} of {1}', saved, images.length)}</span>
        </p>
        {running.length > 0 && (
          <div
            class="progress-bar"
            role="progressbar"
            aria-label={l10n.t('Progress of "{0}"', title)}
            aria-valuemin={0}
            aria-valuemax={images.length}
            aria-valuenow={saved}
          >
            <div style={{ width: `${(100 * saved) / images.length}%` }} />
          </div>
        )}
      </div>
      {message !== undefined && <p class="task-message">{message}</p>}
      {doubtful > 0 && (
        <p class="task-message">
          <Icon name="warning" /> {l10n.t('Needs a look: {0} of {1}', doubtful, results.length)}
        </p>
      )}
      <div role="grid" aria-labelledby={heading} aria-multiselectable="true">
        <div class="task-tiles" role="row">
          {shown.flatMap((task) =>
            (isLost(task) ? [undefined] : cellsOf(task)).map((image, index) => {
              const result = image?.url === undefined ? undefined : { task, image, url: image.url };
              const name = result?.image.name ?? task.batch.name;
              return (
                <div
                  key={`${task.id} ${index}`}
                  role="gridcell"
                  aria-selected={result && isSelected(result, selected)}
                >
                  {result ? (
                    <Tile result={result} selected={selected} isMac={store.state.isMac} {...acts} />
                  ) : (
                    <EmptyTile
                      task={task}
                      image={image}
                      label={l10n.t('{0}: in progress', name)}
                      {...(isLost(task) && { reason: task.statusText })}
                    />
                  )}
                  <span class="tile-name" title={task.prompt}>
                    {name}
                  </span>
                </div>
              );
            }),
          )}
        </div>
      </div>
      <div class="task-actions">
        {unsent.length > 0 && (
          <Button
            icon="debug-continue"
            onClick={() => ask(async () => host.ask('batchAction', { batch, action: 'goOn' }))}
          >
            {unsent.length === 1 ? l10n.t('Send 1 Now') : l10n.t('Send {0} Now', unsent.length)}
          </Button>
        )}
        {running.length + paused.length > 0 && (
          <Button
            icon="debug-stop"
            onClick={() => ask(async () => host.ask('batchAction', { batch, action: 'stop' }))}
          >
            {l10n.t('Stop All')}
          </Button>
        )}
        {fix?.errorActions.map((label, errorAction) => (
          <Button
            key={label}
            onClick={() => ask(async () => host.ask('fixTask', { task: fix.id, errorAction }))}
          >
            {label}
          </Button>
        ))}
        {failed.length > 0 && running.length === 0 && (
          <Button
            icon="refresh"
            onClick={() => ask(async () => host.ask('batchAction', { batch, action: 'retry' }))}
          >
            {failed.length === 1 ? l10n.t('Try 1 Again') : l10n.t('Try {0} Again', failed.length)}
          </Button>
        )}
        {picked.length > 0 && (
          <>
            <Button
              icon="sparkle"
              onClick={() => {
                const again = [...new Set(picked.map(({ task }) => task.id))];
                ask(async () => host.ask('makeAgain', { tasks: again }));
              }}
            >
              {l10n.t('Make {0} Again', picked.length)}
            </Button>
            <Button icon="trash" onClick={() => void perform({ store, host }, 'discard', picked)}>
              {picked.length === 1 ? l10n.t('Delete 1 Image') : l10n.t('Delete {0} Images', picked.length)}
            </Button>
          </>
        )}
        {toInsert.length > 0 && (
          <Button
            icon="insert"
            onClick={() => ask(async () => host.ask('insertAll', { images: toInsert.map(referenceOf) }))}
          >
            {picked.length > 0 ? l10n.t('Insert {0}', picked.length) : l10n.t('Insert All')}
          </Button>
        )}
      </div>
    </article>
  );
}

/** Returns what is shown: tasks of one batch together, where the first of them stands; one alone is shown as any other. */
export function grouped(tasks: readonly StudioTask[]): (StudioTask | readonly BatchTask[])[] {
  const batches = Map.groupBy(tasks.filter(isOfBatch), ({ batch }) => batch.id);
  return tasks.flatMap((task): (StudioTask | readonly BatchTask[])[] => {
    const group = batches.get(task.batch?.id ?? '') ?? [];
    return group.length < 2 ? [task] : group[0] === task ? [group] : [];
  });
}

function isOfBatch(task: StudioTask): task is BatchTask {
  return task.batch !== undefined;
}

function isSaved({ images }: StudioTask): boolean {
  return images.some(({ url }) => url !== undefined);
}

/** Whether a task ended without anything to show. */
function isLost({ standing, images }: StudioTask): boolean {
  return standing === 'ended' && images.every(({ url, isDiscarded }) => url === undefined && !isDiscarded);
}

/**
 * Leaves out images on white that were put on black, and failed tasks whose image was requested again.
 *
 * @param group tasks for one image, oldest first
 */
function withoutReplaced(group: readonly BatchTask[]): readonly BatchTask[] {
  const onBlack = group.filter(({ batch }) => !batch.isOnWhite);
  const wanted = onBlack.length > 0 ? onBlack : group;
  const others = wanted.filter((task) => !isLost(task));
  return others.length > 0 ? others : wanted.slice(-1);
}

function iconOf(running: readonly unknown[], failed: readonly unknown[], paused: readonly unknown[]): string {
  return running.length > 0
    ? 'loading'
    : failed.length > 0
      ? 'warning'
      : paused.length > 0
        ? 'clock'
        : 'check';
}

function referenceOf({ task, image }: Result): { task: string; index: number } {
  return { task: task.id, index: image.index };
}
