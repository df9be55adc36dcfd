import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

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
 * Returns the path where Git LFS keeps an object for a file; undefined if it isn't there. Git LFS itself isn't asked.
 *
 * @param path of a file in a working tree, which may be gone
 * @param program Git, which is asked for another place; undefined if it may not run
 */
export async function objectPath(
  path: string,
  object: string,
  program: string | undefined,
): Promise<string | undefined> {
  const git = await gitFolderAbove(path);
  if (git === undefined) {
    return undefined;
  }
  const isThere = async (storage: string): Promise<string | undefined> => {
    const place = join(storage, 'objects', object.slice(0, 2), object.slice(2, 4), object);
    return (await stat(place).catch(() => undefined))?.isFile() === true ? place : undefined;
  };
  const usual = await isThere(join(git, 'lfs'));
  if (usual !== undefined || program === undefined) {
    return usual;
  }
  const words = [`--git-dir=${git}`, 'config', '--null', '--get', 'lfs.storage'];
  const { stdout } = await promisify(execFile)(program, words, { windowsHide: true }).catch(() => ({
    stdout: '',
  }));
  const [storage = ''] = stdout.split('\0');
  return storage === '' ? undefined : isThere(resolve(git, storage));
}

async function gitFolderAbove(path: string): Promise<string | undefined> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const git = await gitFolder(join(folder, '.git'));
    if (git !== undefined || folder === dirname(folder)) {
      return git;
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
