import { sleep } from '../../common/clock.ts';
import { messageOf } from '../../common/messageOf.ts';
import type { StagedFile } from '../files/stagingStore.ts';
import type { TaskResult } from '../task.ts';
import type { Run } from './run.ts';

/** How long a saved image may wait for its check, in milliseconds. */
const longestCheck = 10_000;

/** Writes down which of the images that have arrived are damaged, before anything is made of them. */
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

/** Whether an image is here as it came. One that Limner made of it was checked before. */
function isUnchecked(result: TaskResult): result is TaskResult & StagedFile {
  const { state, stagedPath, size, sha256, answer, damage } = result;
  const isHere = state === 'staged' && stagedPath !== undefined && size !== undefined && sha256 !== undefined;
  return isHere && answer === undefined && damage === undefined;
}

/**
 * Returns what is wrong with an image that is on disk, besides that it is cut. One that can't be checked in time isn't
 * called damaged: it is paid for, and saved in any case.
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
    // A PNG file is read in pieces; others have to be decoded.
    return await (mediaType === 'image/png' ? check() : run.counted(index, check));
  } catch (error) {
    context.log.warn(`Task ${id}: an image is saved unchecked: ${messageOf(error)}`);
    return undefined;
  } finally {
    done.abort();
  }
}
