import { readFile } from 'node:fs/promises';
import type { CompositeOutcome } from '../../images/codecs/compositeMasked.ts';
import { hasCredentials } from '../../images/formats/credentials.ts';
import { readMaskFile } from '../../images/damage/repairMaskFile.ts';
import type { Run, Step } from './run.ts';
import { sentFrom } from './sentInputs.ts';
import type { TaskInput, TaskRequest } from '../task.ts';

/**
 * Puts the original's pixels back outside the mask of an image, where the request says so. Where it can't be done, the
 * image stays as it is, and the result says why.
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
      const keptOutside = outcome.mixesColours ? 'colours' : outcome.isExact ? true : 'rounded';
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
    // The thread or the process broke down over it, usually out of memory.
    context.log.warn(`Task ${id}: ${String(error)}`);
    return { kept: false, why: 'unreadable' };
  });
}
