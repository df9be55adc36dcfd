import { readFile } from 'node:fs/promises';
import { withRightChecksums } from './pngChecksums.ts';

/** Reads a mask file, with the checksums put right that earlier versions wrote wrong. */
export async function readMaskFile(path: string): Promise<Uint8Array> {
  return withRightChecksums(await readFile(path));
}
