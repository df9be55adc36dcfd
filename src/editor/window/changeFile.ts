import { whileHeld } from '../../common/disk/heldFiles.ts';
import { asSaveError, isSystemError } from '../../common/fileErrors.ts';

/**
 * Does something to a file of a person's own, and again where Windows refuses it for a moment, as for an image that a
 * viewer has open.
 *
 * @throws LimnerError `save_failed` in words for what a disk or file system refuses; it costs nothing
 */
export async function changeFile(work: () => Thenable<void>): Promise<void> {
  try {
    await whileHeld(async () => work());
  } catch (error) {
    throw isSystemError(error) ? asSaveError(error, 'no') : error;
  }
}
