import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { cacheFolder } from './folders.ts';

const fetches = new Map<string, Promise<string>>();

/**
 * A folder of the cache, filled on first use. It has its final name only once `fill` has succeeded, so a folder
 * that is there is whole.
 *
 * @param name Says what is inside, with its version.
 * @param notice Told to the person before anything is fetched.
 * @param fill Fills the folder it is given, which is empty.
 * @returns The absolute path of the folder.
 */
export function fetchOnce(
  name: string,
  notice: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const running = fetches.get(name);
  if (running) {
    return running;
  }
  const fetch = fetchIntoCache(name, notice, fill);
  fetches.set(name, fetch);
  return fetch;
}

async function fetchIntoCache(
  name: string,
  notice: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) {
    return folder;
  }
  await mkdir(cacheFolder, { recursive: true });
  const unlock = lock(join(cacheFolder, `${name}.lock`));
  try {
    if (!existsSync(folder)) {
      console.log(notice);
      await removeUnfinished(name);
      const unfinished = `${folder}${unfinishedMark}${randomUUID()}`;
      await mkdir(unfinished);
      await fill(unfinished);
      await rename(unfinished, folder);
    }
  } finally {
    unlock();
  }
  return folder;
}

const unfinishedMark = '.unfinished-';

/** Removes what earlier fetches left when they were cut off. */
async function removeUnfinished(name: string): Promise<void> {
  for (const entry of await readdir(cacheFolder)) {
    if (entry.startsWith(`${name}${unfinishedMark}`)) {
      // What a program of a killed run still writes to cannot be removed; the next fetch will.
      await rm(join(cacheFolder, entry), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/**
 * Keeps other processes out until the returned function is called. An exclusive transaction on an empty
 * database is a lock that the operating system takes back from a process that dies.
 */
function lock(file: string): () => void {
  const tenMinutes = 600_000;
  const database = new DatabaseSync(file, { timeout: tenMinutes });
  database.exec('BEGIN EXCLUSIVE');
  return () => database.close();
}
