import { basename } from 'node:path';
import * as english from '../../common/english.ts';
import type { Damage } from '../../images/formats/damage.ts';
import { findDamage } from '../../images/formats/findDamage.ts';
import { readMaskFile } from './repairMaskFile.ts';
import { sniffImage, sniffLength } from '../../images/formats/sniff.ts';
import { fileUri, pathOfUri } from '../../common/fileUris.ts';
import { largestInput, openRegular, UnreadableFile } from '../../common/regularFile.ts';
import { isLimnerError, LimnerError, notSent } from '../../common/limnerError.ts';
import { hashInput } from './inputHash.ts';
import type { TaskInput } from '../task/task.ts';

/** A damaged input image, refused before anything is sent. */
export class DamagedInput extends LimnerError {
  readonly damage: Damage;

  constructor(path: string, damage: Damage) {
    super(
      'unsupported_image',
      english.t(
        'The file {0} is damaged: {1}. Nothing was sent. Open it in an image editor and save it again, or choose another file.',
        path,
        damage.message,
      ),
      notSent,
    );
    this.damage = damage;
  }
}

/** Whether a caught value is a `DamagedInput`, whichever bundle created it. */
export function isDamagedInput(error: unknown): error is DamagedInput {
  return isLimnerError(error) && 'damage' in error;
}

/** The role of a file. A mask may have wrong checksums from earlier versions, which are repaired before it is sent. */
export type InputRole = 'image' | 'mask';

/**
 * Describes a file on disk as the input of an edit: size, format by its bytes, hash.
 *
 * @param path absolute path of the bytes
 * @param uri URI string of the file that the user chose, if the bytes are a copy of it
 * @throws LimnerError `unsupported_image` when it isn't a PNG, JPEG, or WebP image; a `DamagedInput` when it is a
 *   damaged one; `invalid_request` when it can't be read or is too large to send
 */
export async function describeInput(
  path: string,
  uri = fileUri(path),
  role: InputRole = 'image',
): Promise<TaskInput> {
  const named = uri.startsWith('file:') ? pathOfUri(uri) : uri;
  let size: number;
  let format: ReturnType<typeof sniffImage>;
  let damage: Damage | undefined;
  let sha256: string;
  try {
    const file = await openRegular(path, largestInput);
    try {
      const start = new Uint8Array(sniffLength);
      const { bytesRead } = await file.read(start, 0, sniffLength, 0);
      format = sniffImage(start.subarray(0, bytesRead));
      ({ size } = await file.stat());
      damage = format && (await findDamage(role === 'mask' ? await readMaskFile(path) : file));
    } finally {
      await file.close();
    }
    sha256 = await hashInput(path);
  } catch (error) {
    const why = error instanceof UnreadableFile ? ` ${error.message}` : '';
    const message = `${english.t("The file {0} can't be read.", named)}${why}`;
    throw new LimnerError('invalid_request', message, { ...notSent, cause: error });
  }
  if (!format) {
    throw new LimnerError(
      'unsupported_image',
      english.t("The file {0} isn't a PNG, JPEG, or WebP image.", named),
      notSent,
    );
  }
  if (damage) {
    throw new DamagedInput(named, damage);
  }
  return { uri, name: basename(path), size, mediaType: format.mediaType, sha256, path };
}
