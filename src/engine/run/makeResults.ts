import { sleep } from '../../common/clock.ts';
import { messageOf } from '../../common/limnerError.ts';
import type { StagedFile } from '../files/stagingStore.ts';
import type { TaskResult, TaskInput, TaskRequest, Task, ArrivedImage } from '../task/task.ts';
import type { Run, Step } from './run.ts';
import { readFile } from 'node:fs/promises';
import type { CompositeOutcome } from '../../images/codecs/masks.ts';
import { hasCredentials, type Provenance } from '../../images/formats/provenance.ts';
import { readMaskFile } from '../files/repairMaskFile.ts';
import { sentFrom } from './submitRequest.ts';
import type { Finish } from '../../images/formats/finish.ts';
import { maxMemory } from '../../images/formats/limits.ts';
import { isOnBlack } from '../task/twoBackgrounds.ts';
import { unlink } from '../../common/heldFiles.ts';
import { asSaveError } from '../../common/fileErrors.ts';

/** How long a saved image may wait for its check, in milliseconds. */
const longestCheck = 10_000;

/** Records damage of the images that have arrived, before they are processed. */
export async function checkResults(run: Run): Promise<void> {
  const arrived = run.task()?.results.flatMap((result) => (isUnchecked(result) ? [result] : [])) ?? [];
  await Promise.all(
    arrived.map(async (result) => {
      const damage = await damageOf(run, result.index, result);
      const latest = run.task()?.results.find(({ index }) => index === result.index);
      if (damage !== undefined && latest?.state === 'staged' && !run.ended.aborted) {
        await run.record({ type: 'resultChanged', result: { ...latest, damage } });
      }
    }),
  );
}

/** Whether an image is here as received. The source of an image that Limner made was checked before. */
function isUnchecked(result: TaskResult): result is TaskResult & StagedFile {
  const { state, stagedPath, size, sha256, answer, damage } = result;
  const isHere = state === 'staged' && stagedPath !== undefined && size !== undefined && sha256 !== undefined;
  return isHere && answer === undefined && damage === undefined;
}

/**
 * Returns damage of an image on disk, other than a missing end. If the check takes too long, the image counts as
 * undamaged: it is paid for and saved in any case.
 */
export async function damageOf(
  run: Run,
  index: number,
  { stagedPath, sha256, mediaType, seemsCut }: StagedFile,
): Promise<string | undefined> {
  if (mediaType === undefined || seemsCut) {
    return undefined;
  }
  const found = run.flaws.get(sha256) ?? look(run, index, stagedPath, mediaType);
  run.flaws.set(sha256, found);
  return found;
}

async function look(run: Run, index: number, path: string, mediaType: string): Promise<string | undefined> {
  const { context, id, ended } = run;
  const done = new AbortController();
  const tooLong = async (): Promise<undefined> => {
    await sleep(context.clock, longestCheck, AbortSignal.any([ended, done.signal]));
    context.log.warn(`Task ${id}: an image is saved unchecked, since the check takes too long.`);
  };
  const check = async (): Promise<string | undefined> => Promise.race([context.findFlaw(path), tooLong()]);
  try {
    // A PNG file is read in pieces; other formats must be decoded.
    return await (mediaType === 'image/png' ? check() : run.counted(index, check));
  } catch (error) {
    context.log.warn(`Task ${id}: an image is saved unchecked: ${messageOf(error)}`);
    return undefined;
  } finally {
    done.abort();
  }
}

/**
 * Restores the original's pixels outside the mask of an image if the request asks for it. If that fails, the image
 * stays as it is, and the result says why.
 */
export const composition: Step = {
  name: 'composed',

  isDue: ({ request }, { keptOutside }) => masked(request).mask !== undefined && keptOutside === undefined,

  async make(run, { request }, { index, stagedPath }) {
    const { original, mask } = masked(request);
    if (!original || !mask) {
      return undefined;
    }
    const outcome = await compositePixels(run, index, stagedPath, { original, mask });
    if (outcome.kept) {
      const isLost = await hasCredentials(await readFile(stagedPath));
      const keptOutside = outcome.mixesColors ? 'colours' : outcome.isExact ? true : 'rounded';
      return { bytes: outcome.bytes, facts: { keptOutside, ...(isLost && { lostCredentials: true }) } };
    }
    run.context.log.info(`Task ${run.id}: saved image ${index + 1} as received: ${outcome.why}.`);
    return { facts: { keptOutside: outcome.why } };
  },
};

type Masked = Record<'original' | 'mask', TaskInput>;

function masked({ keepOutside, images: [original] = [], mask }: TaskRequest): Partial<Masked> {
  return keepOutside && original && mask ? { original, mask } : {};
}

async function compositePixels(
  run: Run,
  index: number,
  answer: string,
  { original, mask }: Masked,
): Promise<CompositeOutcome> {
  const { context, id } = run;
  const [originalPath, maskPath] = [await sentFrom(run, original), await sentFrom(run, mask)];
  if (originalPath === undefined || maskPath === undefined) {
    return { kept: false, why: originalPath === undefined ? 'original' : 'mask' };
  }
  const edit = {
    output: await readFile(answer),
    original: await readFile(originalPath),
    mask: await readMaskFile(maskPath),
  };
  const work = async (): Promise<CompositeOutcome> => context.compositeMasked(edit);
  return run.counted(index, work).catch((error: unknown): CompositeOutcome => {
    // The thread or the process crashed, usually because it ran out of memory.
    context.log.warn(`Task ${id}: ${String(error)}`);
    return { kept: false, why: 'unreadable' };
  });
}

/**
 * Gives an image the requested format, size, and margins. If that fails, the image stays as it is, and the result says
 * why.
 */
export const finishing: Step = {
  name: 'finished',

  isDue: ({ request: { finish, onBlack, embedPrompt } }, { finished }) =>
    (finish !== undefined || onBlack !== undefined || embedPrompt === true) && finished === undefined,

  async make(run, task, { index, stagedPath }) {
    const picture = await readFile(stagedPath);
    try {
      const { embedPrompt } = task.request;
      const finish = await finishOf(run, task, picture, index);
      if (!finish && !embedPrompt) {
        return undefined;
      }
      const sources = {
        isChecked: true as const,
        maxMemory,
        ...(embedPrompt && { provenance: provenanceOf(task) }),
        ...(finish?.cutout?.by === 'grounds' && (await onWhite(run, task))),
      };
      const made = await run.counted(index, async () => run.context.finish(picture, finish ?? {}, sources));
      const { bytes, mediaType: _, size: __, ...finished } = made;
      return { ...(finished.untouched === undefined && { bytes }), facts: { finished } };
    } catch (error) {
      const problem = messageOf(error);
      run.context.log.warn(`Task ${run.id}: saved image ${index + 1} as received: ${problem}`);
      return { facts: { finished: { problem } } };
    }
  },
};

/**
 * Returns the finished image, if one is due. An image meant to be on white that came without a background is finished
 * at once, which saves the paid edit to black.
 */
async function finishOf(
  run: Run,
  { request: { finish, onBlack } }: Task,
  picture: Uint8Array,
  index: number,
): Promise<Finish | undefined> {
  if (!onBlack) {
    return finish;
  }
  // An unreadable image is reported when the edit to black fails.
  const background = await run
    .counted(index, async () => run.context.backgroundOf(picture))
    .catch(() => undefined);
  return background === 'transparent'
    ? { ...onBlack.finish, cutout: { ...onBlack.finish.cutout, by: 'key' } }
    : undefined;
}

/** Returns the image that a task edits, as it was sent. @throws CodecError when it is gone */
async function onWhite(
  run: Run,
  { request: { images: [input] = [] } }: Task,
): Promise<{ onWhite?: Uint8Array }> {
  const path = input && (await sentFrom(run, input));
  return path === undefined ? {} : { onWhite: await readFile(path) };
}

function provenanceOf({ request, createdAt }: Task): Provenance {
  const { kind, prompt, model, original } = request;
  // The edit to black of an image that was generated on white.
  const isGenerated = isOnBlack(request) && !original;
  const isEdit = kind === 'edit' && !isGenerated;
  const source = isEdit ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia';
  return { prompt, model, at: createdAt, source };
}

const steps: readonly Step[] = [composition, finishing];

/**
 * Turns the images that have arrived into the requested files, which take the place of the service's outputs. The
 * outputs are kept. Each step is recorded in the row before the next one.
 */
export async function makeResults(run: Run): Promise<void> {
  for (const { index } of run.task()?.results ?? []) {
    for (const step of steps) {
      const task = run.task();
      const result = task?.results.find((other) => other.index === index);
      if (task && result && hasArrived(result) && step.isDue(task, result) && !run.ended.aborted) {
        await take(step, run, task, result);
      }
    }
  }
}

/** Whether an image is here and complete, as far as is known. A damaged image is saved as received. */
function hasArrived(result: TaskResult): result is ArrivedImage {
  const { state, stagedPath, size, mediaType, sha256, damage } = result;
  const isHere = state === 'staged' && stagedPath !== undefined && size !== undefined && damage === undefined;
  return isHere && sha256 !== undefined && mediaType !== undefined;
}

async function take(step: Step, run: Run, task: Task, result: ArrivedImage): Promise<void> {
  const { context, fence } = run;
  const sink = context.staging.madeSink(task.id, step.name, result.index, fence);
  try {
    const made = await step.make(run, task, result);
    if (!made || run.ended.aborted) {
      return;
    }
    if (!made.bytes) {
      await run.record({ type: 'resultChanged', result: { ...result, ...made.facts } });
      return;
    }
    await sink.write(made.bytes);
    await sink.close();
    const answer = result.answer ?? (await context.originalOutputs.keep(task.id, result, fence));
    if (run.ended.aborted) {
      return;
    }
    const changed = await run.record({
      type: 'resultChanged',
      result: { ...result, ...sink.file, ...made.facts, answer },
    });
    if (changed && answer.path !== result.stagedPath) {
      await unlink(result.stagedPath).catch(() => {});
    }
  } catch (error) {
    await sink.discard();
    if (!run.ended.aborted) {
      const record = { ...asSaveError(error).toRecord(), phase: 'save' as const };
      context.log.warn(`Task ${task.id}: ${record.message}`);
      await run.record({ type: 'resultChanged', result: { ...result, state: 'failed', error: record } });
    }
  }
}
