import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
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
      const partial = `${folder}.partial`;
      await rm(partial, { recursive: true, force: true });
      await mkdir(partial);
      await fill(partial);
      await rename(partial, folder);
    }
  } finally {
    unlock();
  }
  return folder;
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
