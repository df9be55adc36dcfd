import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { cacheFolder } from '../../support/folders.ts';

const fetches = new Map<string, Promise<string>>();

export interface Fetched {
  /** Name of the folder, with a version. */
  name: string;
  /** Shown before it starts: `Fetching …`. */
  notice: string;
  /** Approximate size of the folder. */
  megabytes: number;
  /** Fills the folder it is given, which is empty. */
  fill: (folder: string) => Promise<void>;
}

/**
 * Returns the path of a folder of the cache, which is filled on first use. It has its final name only once `fill` has
 * succeeded, so a folder that is there is whole.
 */
export function fetchOnce(fetched: Fetched): Promise<string> {
  const running = fetches.get(fetched.name);
  if (running) {
    return running;
  }
  const fetch = fetchIntoCache(fetched);
  fetches.set(fetched.name, fetch);
  return fetch;
}

async function fetchIntoCache({ name, notice, megabytes, fill }: Fetched): Promise<string> {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) {
    return folder;
  }
  await mkdir(cacheFolder, { recursive: true });
  const unlock = lock(join(cacheFolder, `${name}.lock`));
  try {
    if (!existsSync(folder)) {
      console.log(`${notice} into .vscode-test, once: about ${megabytes} MB …`);
      await removeUnfinished(name);
      const unfinished = `${folder}${unfinishedMark}${randomUUID()}`;
      await mkdir(unfinished);
      const stopTelling = tellGrowth(unfinished, megabytes);
      await fill(unfinished).finally(stopTelling);
      await rename(unfinished, folder);
    }
  } finally {
    unlock();
  }
  return folder;
}

/** Prints the size of a folder every few seconds. @returns a function that ends that */
function tellGrowth(folder: string, megabytes: number): () => void {
  const threeSeconds = 3000;
  const timer = setInterval(() => {
    void sizeOf(folder).then((bytes) =>
      console.log(`  ${Math.round(bytes / 1_000_000)} of about ${megabytes} MB`),
    );
  }, threeSeconds);
  return () => clearInterval(timer);
}

/** Returns the size in bytes; files that vanish meanwhile do not count. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) =>
        stat(join(parentPath, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const unfinishedMark = '.unfinished-';

/** Removes the remains of interrupted fetches. */
async function removeUnfinished(name: string): Promise<void> {
  for (const entry of await readdir(cacheFolder)) {
    if (entry.startsWith(`${name}${unfinishedMark}`)) {
      // A program of a killed run may still write to it; then the next fetch removes it.
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
