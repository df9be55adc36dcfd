import type { AnsweredImage } from '../../service/messages.ts';
import { incomingResult, type IncomingFile } from '../files/stagingStore.ts';
import type { TaskResult } from '../task.ts';

/**
 * The pictures of an answer. Those that came inline have the index of their sink, by which their bytes are named on
 * disk; those that are to be fetched come after them, so that neither is ever taken for another.
 *
 * @param fileOf gives the bytes that a sink took, undefined when they are not whole
 */
export function answeredResults(
  images: readonly AnsweredImage[],
  fileOf: (sink: number) => IncomingFile | undefined,
): TaskResult[] {
  let next = images.reduce(
    (most, image) => (image.kind === 'inline' ? Math.max(most, image.sink + 1) : most),
    0,
  );
  return images.flatMap((image) => {
    const revised = image.revisedPrompt === undefined ? {} : { revisedPrompt: image.revisedPrompt };
    if (image.kind === 'url') {
      return { index: next++, state: 'remote' as const, url: image.url, ...revised };
    }
    const file = fileOf(image.sink);
    return file ? { ...incomingResult(image.sink, file), ...revised } : [];
  });
}
