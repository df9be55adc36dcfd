import fs from 'node:fs/promises';
import { renameSync, type RmOptions } from 'node:fs';
import { sleep, systemClock } from './clock.ts';
import { asSaveError, isHeld, isSystemError } from './fileErrors.ts';

/** How long to retry after a refusal, and the longest pause between attempts, in milliseconds. */
const usualPatience = 10_000;
const maxPause = 1000;

/**
 * Changes a file, and retries while Windows refuses it. Windows doesn't let anyone move, delete, or replace a file
 * that another program has open, such as a virus scanner or an indexer that inspects a new file.
 *
 * @param patience how long to retry, in milliseconds
 * @throws the last refusal; any other error at once
 */
export async function whileHeld<T>(work: () => T | Promise<T>, patience = usualPatience): Promise<T> {
  let pause = 10;
  for (let waited = 0; ; waited += pause, pause = Math.min(2 * pause, maxPause)) {
    try {
      return await work();
    } catch (error) {
      if (!isHeld(error) || waited >= patience) {
        throw error;
      }
    }
    await sleep(systemClock, pause);
  }
}

/**
 * Changes one of the user's own files, such as an image that is open in a viewer.
 *
 * @throws LimnerError `save_failed` with a readable message if the disk or file system refuses; nothing is billed
 */
export async function changeFile(work: () => PromiseLike<void>): Promise<void> {
  try {
    await whileHeld(async () => work());
  } catch (error) {
    throw isSystemError(error) ? asSaveError(error, 'no') : error;
  }
}

// These functions have the names of Node's own, whose import a lint rule forbids elsewhere.

/** Node's `rename`, with retries on Windows. */
export async function rename(from: string, to: string): Promise<void> {
  await whileHeld(async () => fs.rename(from, to));
}

/** Node's `unlink`, with retries on Windows. */
export async function unlink(path: string): Promise<void> {
  await whileHeld(async () => fs.unlink(path));
}

/** Node's `rm`, with retries on Windows. */
export async function rm(path: string, options?: RmOptions): Promise<void> {
  await whileHeld(async () => fs.rm(path, options));
}

/** Deletes a file or folder if that is possible at once. A later sweep deletes the rest. */
export async function sweepAway(path: string): Promise<void> {
  await fs.rm(path, { recursive: true, force: true }).catch(() => {});
}

/** Node's `copyFile`, with retries on Windows. */
export async function copyFile(from: string, to: string): Promise<void> {
  await whileHeld(async () => fs.copyFile(from, to));
}

/** Node's `renameSync`, without retries, for callers that have another solution if Windows refuses. */
export function renameAtOnce(from: string, to: string): void {
  renameSync(from, to);
}
