import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Longest pointer of Git LFS, in bytes. */
export const longestPointer = 1024;

/** Returns the name of the object to which a file of Git LFS points; undefined if it is no pointer. */
export function pointedObject(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.subarray(0, longestPointer)).toString('latin1');
  return /^version \S*git-lfs\S*\/spec\//u.test(text)
    ? (/^oid sha256:([\da-f]{64})$/mu.exec(text)?.[1] ?? '')
    : undefined;
}

/**
 * Returns the path where Git LFS keeps an object for a file, whether it is there or not: no program is asked.
 *
 * @param path of a file in a working tree, which may be gone
 */
export async function objectPath(path: string, object: string): Promise<string | undefined> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const git = await gitFolder(join(folder, '.git'));
    if (git !== undefined) {
      return join(git, 'lfs', 'objects', object.slice(0, 2), object.slice(2, 4), object);
    }
    if (folder === dirname(folder)) {
      return undefined;
    }
  }
}

/** Follows what stands for a Git folder in a worktree or submodule. @returns undefined if there is none */
async function gitFolder(path: string): Promise<string | undefined> {
  const isFolder = await readFile(join(path, 'HEAD')).then(
    () => true,
    () => false,
  );
  if (isFolder) {
    return path;
  }
  const folder = await lineOf(path, /^gitdir: (.+)/u);
  if (folder === undefined) {
    return undefined;
  }
  const own = resolve(dirname(path), folder);
  const common = await lineOf(join(own, 'commondir'), /^(.+)/u);
  return common === undefined ? own : resolve(own, common);
}

async function lineOf(path: string, pattern: RegExp): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return pattern.exec(text)?.[1]?.trimEnd();
}
