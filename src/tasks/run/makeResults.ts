import { unlink } from '../../common/disk/heldFiles.ts';
import { asSaveError } from '../../common/fileErrors.ts';
import type { ArrivedImage, Task, TaskResult } from '../task.ts';
import { composition } from './compositeResults.ts';
import { finishing } from './finishResults.ts';
import type { Run, Step } from './run.ts';

/** In the order in which they are taken. */
const steps: readonly Step[] = [composition, finishing];

/**
 * Makes the files that were asked for of the images that have arrived. They take the place of the service's outputs,
 * which are kept. Each step is in the row before the next one.
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

/** Whether an image is here, and whole as far as is known: a damaged one is saved as received. */
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
