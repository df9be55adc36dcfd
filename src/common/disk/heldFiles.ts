// Room: what is done to files and folders on disk: moving, deleting, making.
// Never: what they hold.

import fs from 'node:fs/promises';
import { renameSync, type RmOptions } from 'node:fs';
import { sleep, systemClock } from '../clock.ts';
import { asSaveError, isHeld, isSystemError } from '../fileErrors.ts';

/** How long a refusal is waited for, and the longest pause before a file is tried again, in milliseconds. */
const usualPatience = 10_000;
const maxPause = 1000;

/**
 * Does something to a file, and again where Windows refuses it for a moment: it lets nobody move, delete, or replace a
 * file that another program has open, such as a virus scanner or an indexer that looks at a new one.
 *
 * @param patience how long it is tried again, in milliseconds
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
 * Does something to a file of a person's own, such as an image that a viewer has open.
 *
 * @throws LimnerError `save_failed` in words for what a disk or file system refuses; it costs nothing
 */
export async function changeFile(work: () => PromiseLike<void>): Promise<void> {
  try {
    await whileHeld(async () => work());
  } catch (error) {
    throw isSystemError(error) ? asSaveError(error, 'no') : error;
  }
}

// The names are those of Node: a rule of the linter sees that nobody takes the others.

/** Node's `rename`, that waits on Windows. */
export async function rename(from: string, to: string): Promise<void> {
  await whileHeld(async () => fs.rename(from, to));
}

/** Node's `unlink`, that waits on Windows. */
export async function unlink(path: string): Promise<void> {
  await whileHeld(async () => fs.unlink(path));
}

/** Node's `rm`, that waits on Windows. */
export async function rm(path: string, options?: RmOptions): Promise<void> {
  await whileHeld(async () => fs.rm(path, options));
}

/** Deletes a file or folder if that can be done at once: what remains is swept another time. */
export async function sweepAway(path: string): Promise<void> {
  await fs.rm(path, { recursive: true, force: true }).catch(() => {});
}

/** Node's `copyFile`, that waits on Windows. */
export async function copyFile(from: string, to: string): Promise<void> {
  await whileHeld(async () => fs.copyFile(from, to));
}

/** Node's `renameSync`, which does not wait: for what is done in another way where Windows refuses it. */
export function renameAtOnce(from: string, to: string): void {
  renameSync(from, to);
}
