import { readFile, unlink } from 'node:fs/promises';
import type { CompositeOutcome } from '../../images/codecs/compositeMasked.ts';
import { readMaskFile } from '../../images/damage/repairMaskFile.ts';
import { hashInput } from '../files/inputHash.ts';
import type { Run } from './run.ts';
import { asSaveError } from '../../common/fileErrors.ts';
import type { ArrivedImage, Task, TaskInput, TaskRequest, TaskResult } from '../task.ts';

/** Copies the files that the pixels outside a mask come from, so that they are those that were sent. */
export async function copyMaskInputs(run: Run, request: TaskRequest): Promise<void> {
  const { original, mask } = masked(request);
  for (const input of original && mask ? [original, mask] : []) {
    const path = await sentFrom(run, input);
    await (path !== undefined && run.context.staging.copyInput(run.id, { ...input, path }));
  }
}

/**
 * Puts the original's pixels back outside the mask of every image that has arrived, where the request says so. The
 * result replaces the service's output, which is kept. Where it can't be done, the output is published as it is, and
 * the result says why.
 */
export async function compositeResults(run: Run): Promise<void> {
  const { original, mask } = masked(run.task()?.request);
  if (!original || !mask) {
    return;
  }
  for (const { index } of run.task()?.results ?? []) {
    const task = run.task();
    const result = task?.results.find((other) => other.index === index);
    if (task && result && needsComposite(result) && !run.ended.aborted) {
      await compositeResult(run, task, result, { original, mask });
    }
  }
}

function needsComposite(result: TaskResult): result is ArrivedImage {
  const { state, stagedPath, size, mediaType, sha256, keptOutside } = result;
  const isHere = state === 'staged' && stagedPath !== undefined && size !== undefined;
  return isHere && sha256 !== undefined && mediaType !== undefined && keptOutside === undefined;
}

type Masked = Record<'original' | 'mask', TaskInput>;

function masked(request: TaskRequest | undefined): Partial<Masked> {
  const { keepOutside, images: [original] = [], mask } = request ?? {};
  return keepOutside && original && mask ? { original, mask } : {};
}

async function compositeResult(run: Run, task: Task, result: ArrivedImage, inputs: Masked): Promise<void> {
  const { context, fence } = run;
  const sink = context.staging.compositeSink(task.id, result.index, fence);
  try {
    const outcome = await untilEnded(run, compositePixels(run, result.stagedPath, inputs));
    if (!outcome) {
      return;
    }
    if (!outcome.kept) {
      context.log.info(`Task ${task.id}: saved image ${result.index + 1} as received: ${outcome.why}.`);
      await run.record({ type: 'resultChanged', result: { ...result, keptOutside: outcome.why } });
      return;
    }
    await sink.write(outcome.bytes);
    await sink.close();
    const answer = await context.originalOutputs.keep(task.id, result, fence);
    if (sink.file && !run.ended.aborted) {
      const composed = {
        ...result,
        ...sink.file,
        keptOutside: outcome.isExact ? true : 'rounded',
        answer,
      } as const;
      if (
        (await run.record({ type: 'resultChanged', result: composed })) &&
        answer.path !== result.stagedPath
      ) {
        await unlink(result.stagedPath).catch(() => {});
      }
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

async function compositePixels(
  run: Run,
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
  run.ended.throwIfAborted();
  return context.compositeMasked(edit).catch((error: unknown): CompositeOutcome => {
    // The thread broke down over it, usually out of memory.
    context.log.warn(`Task ${id}: ${String(error)}`);
    return { kept: false, why: 'unreadable' };
  });
}

/**
 * Returns where the bytes of an input are: in the copy, in the file itself while it is as it was, or in Limner's storage
 * since they were replaced or deleted.
 */
export async function sentFrom({ id, context }: Run, input: TaskInput): Promise<string | undefined> {
  const { staging, keptFiles } = context;
  const copy = staging.inputCopyPath(id, input);
  const isCopied = (await hashInput(copy).catch(() => undefined)) === input.sha256;
  return isCopied ? copy : keptFiles.whereabouts(input);
}

/** Returns the result, or undefined as soon as this window has nothing more to do with the task. */
async function untilEnded<T>(run: Run, work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const leave = (): void => resolve(undefined);
  run.ended.addEventListener('abort', leave, { once: true });
  try {
    return run.ended.aborted ? undefined : await Promise.race([work, promise]);
  } finally {
    run.ended.removeEventListener('abort', leave);
    work.catch(() => {});
  }
}
