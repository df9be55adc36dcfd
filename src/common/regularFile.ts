import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import * as english from './english.ts';

export class UnreadableFile extends Error {}

/** The largest file that is sent or that an agent may have read, in bytes: the limit of image services. */
export const largestInput = 20 * 1024 * 1024;

/** The largest file that a user can have finished, in bytes: 100 megapixels without compression. */
export const largestFinished = 400 * 1024 * 1024;

const megabyte = 1024 * 1024;

/**
 * Opens a file for reading, unless it is too large or has no end, such as a pipe. Opening a folder fails in the same
 * way as reading it.
 *
 * @param most in bytes
 * @throws UnreadableFile, Error of the operating system
 */
export async function openRegular(path: string, most = Infinity): Promise<FileHandle> {
  requireRegular(await stat(path), most);
  // Another program may replace the file with a pipe in the meantime. Opening that would wait for its other end.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    requireRegular(await file.stat(), most);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads a whole file, as `openRegular` opens it. @throws UnreadableFile, Error of the operating system */
export async function readRegular(path: string, most?: number): Promise<Buffer> {
  const file = await openRegular(path, most);
  try {
    return await contentsOf(file);
  } finally {
    await file.close();
  }
}

/**
 * Returns the contents of an open file. A file of size zero counts as empty: generated files, such as those in
 * `/proc`, may have no end.
 */
export async function contentsOf(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  return size === 0 ? Buffer.alloc(0) : file.readFile();
}

function requireRegular(found: Awaited<ReturnType<typeof stat>>, most: number): void {
  if (found.isDirectory()) {
    throw Object.assign(new Error('EISDIR: illegal operation on a directory, read'), {
      code: 'EISDIR',
      syscall: 'read',
    });
  }
  if (!found.isFile()) {
    throw new UnreadableFile(english.t('It is a pipe or a device.'));
  }
  requireSize(Number(found.size), most);
}

/** @throws UnreadableFile when a file is larger than this */
export function requireSize(size: number, most: number): void {
  if (size > most) {
    const [has, takes] = [Math.ceil(size / megabyte), Math.floor(most / megabyte)];
    throw new UnreadableFile(english.t('It has {0} MB, and at most {1} MB are read.', has, takes));
  }
}
