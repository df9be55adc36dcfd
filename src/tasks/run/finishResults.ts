import { readFile } from 'node:fs/promises';
import { messageOf } from '../../common/messageOf.ts';
import type { Finish } from '../../images/formats/finish.ts';
import { maxMemory } from '../../images/formats/limits.ts';
import type { Provenance } from '../../images/formats/provenance.ts';
import { isOnBlack } from '../files/onTwoGrounds.ts';
import type { Task } from '../task.ts';
import type { Run, Step } from './run.ts';
import { sentFrom } from './sentInputs.ts';

/**
 * Gives an image the format, the size and the margins that the request asks for. Where it can't be done, the image
 * stays as it is, and the result says why.
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
 * Returns what is made of a picture, if anything. One that was to be on white is finished if it came without a
 * background: nothing has to be paid for an edit to black.
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
  // One that can't be read is told when it can't be edited.
  const background = await run
    .counted(index, async () => run.context.backgroundOf(picture))
    .catch(() => undefined);
  return background === 'transparent' ? { ...onBlack.finish, cutout: { by: 'key' } } : undefined;
}

/** Returns the picture that a task edits, as it was sent. @throws CodecError when it is gone */
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
