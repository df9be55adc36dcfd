import { roundedUp } from '../../images/formats/roundedUp.ts';
import { isWhole } from '../../common/resultAvailability.ts';
import type { TaskRequest, TaskResult } from '../task.ts';

/**
 * Whether a saved image is whole, and what its request asks for: in its format and size, and without its background. One
 * that had to be left alone may be that anyway.
 */
export function isAsAsked({ finish }: Pick<TaskRequest, 'finish'>, result: TaskResult): boolean {
  const { finished, mediaType, width = 0, height = 0 } = result;
  if (!isWhole(result) || (finished && 'problem' in finished)) {
    return false;
  }
  if (finish === undefined) {
    return true;
  }
  if (!finished || finished.cutout?.verdict === 'bad') {
    return false;
  }
  const { cutout, encoding, trim, size = { width, height }, multiples } = finish;
  if (finished.untouched === undefined || finished.untouched === 'nothingToDo') {
    return true;
  }
  const asked = roundedUp(size, multiples);
  const hasFormat = encoding === undefined || mediaType === `image/${encoding.format}`;
  return !cutout && !trim && hasFormat && asked.width === width && asked.height === height;
}
