import { mkdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import * as english from '../../common/english.ts';
import { unlink } from '../../common/heldFiles.ts';
import { askedFormat, renderFileName } from '../task/fileNames.ts';
import { cameWithoutBackground } from '../task/twoBackgrounds.ts';
import { type ErrorRecord, isLimnerError, LimnerError } from '../../common/limnerError.ts';
import { backoff, sleep } from '../../common/clock.ts';
import { otherSniffLength, sniffOther } from '../../images/formats/sniff.ts';
import type { Publisher } from '../task/ports.ts';
import { publishOnDisk } from '../files/publishOnDisk.ts';
import { startOf } from '../files/stagingStore.ts';
import type { Run, RunContext } from './run.ts';
import { asSaveError, isSystemError, wasWaitedFor } from '../../common/fileErrors.ts';
import { isTerminal } from '../../common/taskStatus.ts';
import { fileUri, pathOfUri, wayInto } from '../../common/fileUris.ts';
import { rootExists } from '../files/targetFolder.ts';
import type { SaveTarget, Task, TaskResult } from '../task/task.ts';

const extensions: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
};

const passing = new Set(['EBUSY', 'EAGAIN', 'EMFILE', 'ENFILE']);

/** First pause before another try at a file that another program has open, in milliseconds. */
const firstPause = 100;
const maxRetries = 5;

/** Publishes one image, or records why it can't. Waits for obstacles that pass by themselves. */
export async function publishOne(run: Run, index: number): Promise<void> {
  const { context } = run;
  for (let retries = 0; ; retries++) {
    const task = run.task();
    const result = task?.results.find((other) => other.index === index);
    if (!task || !result || run.ended.aborted) {
      return;
    }
    const { stagedPath, sha256, publishing: intended, error: _, ...kept } = result;
    if (stagedPath === undefined || sha256 === undefined) {
      return;
    }
    const arrived = { ...result, stagedPath, sha256 };
    const { target } = task.request;
    try {
      if (result.mediaType === undefined) {
        await keepUnsupported(run, task, arrived);
        return;
      }
      const access = await writeAccess(target, context);
      if (!access) {
        await keepInInbox(run, task, arrived);
        return;
      }
      const name = fileName(task, result);
      const uri = await (access === 'disk'
        ? publishOnDisk(
            { key: keyOf(run, result), fence: run.fence, stagedPath, sha256, target, name, intended },
            { intend: (uri) => intend(run, result, uri), isOver: (id) => isOver(run, id) },
          )
        : publishThrough(access, run, arrived, target, name));
      if (await run.record({ type: 'resultChanged', result: { ...kept, sha256, state: 'saved', uri } })) {
        context.log.info(`Task ${task.id}: saved image ${index + 1}.`);
        await unlink(stagedPath).catch(() => {});
      }
      return;
    } catch (error) {
      if (retries < maxRetries && passes(error)) {
        await sleep(context.clock, backoff(retries, firstPause), run.ended);
        continue;
      }
      const record: ErrorRecord = { ...asSaveError(error).toRecord(), phase: 'save' };
      if (!run.ended.aborted) {
        context.log.warn(`Task ${task.id}: ${record.message}`);
        // The latest row has the intended name, which finds the file if it was published after all.
        const latest = run.task()?.results.find((other) => other.index === index) ?? result;
        await run.record({ type: 'resultChanged', result: { ...latest, state: 'failed', error: record } });
      }
      return;
    }
  }
}

/** Whether a retry may work: another program has the file open, or too many files are open. */
function passes(error: unknown): boolean {
  const cause = isLimnerError(error) ? error.cause : error;
  return isSystemError(cause) && passing.has(cause.code) && !wasWaitedFor(cause);
}

/** Whether a task of this list has ended and nobody may still be saving its images. */
function isOver({ context }: Run, id: string): boolean {
  const task = context.store.get(id);
  return (
    task !== undefined &&
    isTerminal(task.status) &&
    task.results.every(({ stagedPath }) => stagedPath === undefined)
  );
}

type Arrived = TaskResult & { stagedPath: string; sha256: string };

function keyOf(run: Run, { index }: TaskResult): string {
  return `${run.id}-${index}`;
}

/** Records the destination of an image; throws when this window may no longer publish it. */
async function intend(run: Run, result: TaskResult, uri: string): Promise<void> {
  const task = await run.record({ type: 'resultChanged', result: { ...result, publishing: uri } });
  if (!task) {
    throw new LimnerError('stopped', english.t('Another window is saving this image.'), { phase: 'save' });
  }
}

async function publishThrough(
  publisher: Publisher,
  run: Run,
  result: Arrived,
  target: SaveTarget,
  name: string,
): Promise<string> {
  if (result.publishing !== undefined) {
    const found = await publisher.find?.(target, name, result.sha256);
    if (found !== undefined) {
      return found;
    }
  }
  await intend(run, result, `${target.folder.replace(/\/$/, '')}/${encodeURIComponent(name)}`);
  return publisher.publish(result.stagedPath, target, name, keyOf(run, result));
}

/** Returns how this window can write to a target: on disk, every window can. */
export async function writeAccess(
  target: SaveTarget,
  context: RunContext,
): Promise<'disk' | Publisher | undefined> {
  if (target.folder.startsWith('file:')) {
    return (await rootExists(target)) ? 'disk' : undefined;
  }
  return context.publisher(target);
}

/**
 * Saves the image to the inbox under its proper name, because the folder is gone or no window has its workspace open.
 */
async function keepInInbox(run: Run, task: Task, result: Arrived): Promise<void> {
  const { folder } = task.request.target;
  const place = folder.startsWith('file:') ? pathOfUri(folder) : folder;
  await moveToInbox(run, result, fileName(task, result), {
    state: 'staged',
    error: {
      code: 'save_failed',
      message: english.t("The folder {0} isn't available.", place),
      phase: 'save',
      billing: 'yes',
    },
  });
}

/** Saves the image to the inbox under its proper name, because its folder can't be reached from here. */
async function keepUnsupported(run: Run, task: Task, result: Arrived): Promise<void> {
  const { index, isText, stagedPath } = result;
  const other = isText ? undefined : sniffOther(await startOf(stagedPath, otherSniffLength));
  const extension = isText ? 'txt' : (other?.extension ?? 'bin');
  const message = isText
    ? english.t("The received data isn't valid base64.")
    : other
      ? english.t("The received data is {0}, which Limner can't process.", other.name)
      : english.t("The received data isn't a PNG, JPEG, or WebP image.");
  await moveToInbox(run, result, `${task.id}-${index + 1}.${extension}`, {
    state: 'failed',
    error: { code: 'unsupported_image', message, phase: 'save', billing: 'yes' },
  });
}

async function moveToInbox(
  run: Run,
  result: Arrived,
  name: string,
  outcome: Pick<TaskResult, 'state' | 'error'>,
): Promise<void> {
  const { inbox } = run.context;
  await mkdir(inbox, { recursive: true });
  const folder = fileUri(inbox);
  if (wayInto(folder, fileUri(result.stagedPath)) !== undefined) {
    await run.record({ type: 'resultChanged', result: { ...result, ...outcome } });
    return;
  }
  const { publishing: intended, ...kept } = result;
  const { stagedPath, sha256 } = kept;
  const target = { folder, root: folder, fileName: '' };
  const uri = await publishOnDisk(
    { key: keyOf(run, result), fence: run.fence, stagedPath, sha256, target, name, intended },
    { intend: (uri) => intend(run, result, uri) },
  );
  const moved = { ...kept, ...outcome, stagedPath: join(inbox, basename(pathOfUri(uri))) };
  if (await run.record({ type: 'resultChanged', result: moved })) {
    await unlink(stagedPath).catch(() => {});
  }
}

function fileName(task: Task, result: TaskResult): string {
  const { prompt, model, target, images, onBlack } = task.request;
  const template = onBlack && cameWithoutBackground(result) ? onBlack.fileName : target.fileName;
  const original = images?.[0]?.name;
  const stem = renderFileName(template, {
    prompt,
    model,
    at: new Date(task.createdAt),
    index: result.index + 1,
    id: task.id,
    ...(original !== undefined && { name: original.slice(0, original.length - extname(original).length) }),
  });
  const { mediaType = '' } = result;
  const asked = askedFormat(template);
  // An image of another format gets its own extension, so that no file is misnamed.
  return (
    stem + (mediaType === `image/${asked?.format}` ? asked?.extension : (extensions[mediaType] ?? '.bin'))
  );
}
