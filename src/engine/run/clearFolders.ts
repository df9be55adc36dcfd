import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { rm } from '../../common/heldFiles.ts';
import { namesIn } from '../files/taskFolders.ts';
import type { TaskStore } from '../store/taskStore.ts';

type Store = Pick<TaskStore, 'get' | 'inputPaths' | 'unsaved'>;

/** Age in milliseconds until which a file that no task names may be about to be named by one. */
const youngest = 10 * 60_000;

/** Files in folders without a folder for each task, by what tells them apart in their paths. */
export interface NamedFiles {
  inputs: readonly string[];
  staged: readonly string[];
}

/** Returns the inputs and the unsaved images that tasks name, by their paths. */
export function namedFiles(store: Store): NamedFiles {
  const results = store.unsaved().flatMap((task) => task.results);
  return { inputs: store.inputPaths(), staged: results.flatMap(({ stagedPath }) => stagedPath ?? []) };
}

/**
 * Deletes all files that were kept for tasks that aren't in the list. Tasks that stay go on meanwhile, and new ones may
 * begin.
 *
 * @param before what tasks named before some were removed
 * @param now in Unix milliseconds
 */
export async function clearFolders(
  home: string,
  store: Store,
  before: NamedFiles,
  now: number,
): Promise<void> {
  for (const folder of ['incoming', 'inbox/answers']) {
    await clear(join(home, folder), async (name) => Promise.resolve(store.get(name) !== undefined));
  }
  for (const [folder, kind] of [
    ['inbox', 'staged'],
    ['inputs', 'inputs'],
  ] as const) {
    await clear(join(home, folder), async (name) => {
      const isNew =
        !isNamed(name, before[kind]) && (await changedAt(join(home, folder, name))) > now - youngest;
      return name === 'answers' || isNew || isNamed(name, namedFiles(store)[kind]);
    });
  }
}

function isNamed(name: string, paths: readonly string[]): boolean {
  return paths.some((path) => path.split(/[/\\]/u).includes(name));
}

async function clear(folder: string, isNeeded: (name: string) => Promise<boolean>): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!(await isNeeded(name))) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}

async function changedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
}
