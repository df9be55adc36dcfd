import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sniffImage, sniffLength } from '../images/sniff.ts';
import { LimnerError } from '../service/limnerError.ts';
import { hashFile } from './incoming.ts';
import type { TaskInput } from './task.ts';

/**
 * Describes a file on disk as the input of an edit: size, format by its bytes, hash.
 *
 * @param path absolute path of the bytes
 * @param uri URI string of the file that the person chose, when the bytes are a copy of it
 * @throws LimnerError `unsupported_image` when it is no PNG, JPEG or WebP image; `invalid_request` when it cannot
 * be read
 */
export async function describeInput(path: string, uri = pathToFileURL(path).toString()): Promise<TaskInput> {
  let size: number;
  let format: ReturnType<typeof sniffImage>;
  let sha256: string;
  try {
    const file = await open(path, 'r');
    try {
      const start = new Uint8Array(sniffLength);
      const { bytesRead } = await file.read(start, 0, sniffLength, 0);
      format = sniffImage(start.subarray(0, bytesRead));
      ({ size } = await file.stat());
    } finally {
      await file.close();
    }
    sha256 = await hashFile(path);
  } catch (error) {
    throw new LimnerError('invalid_request', `The file ${path} cannot be read.`, {
      phase: 'submit',
      billing: 'no',
      sent: false,
      cause: error,
    });
  }
  if (!format) {
    throw new LimnerError('unsupported_image', `The file ${path} is not a PNG, JPEG or WebP image.`, {
      phase: 'submit',
      billing: 'no',
      sent: false,
    });
  }
  return { uri, name: basename(path), size, mediaType: format.mediaType, sha256, path };
}
