import { mkdir, readdir, stat, open, readlink, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { sweepAway } from './heldFiles.ts';
import { constants } from 'node:fs';
import { fileTrouble } from './fileErrors.ts';
import { handles, hasHandles, leadsOut, realWayInto } from './fileUris.ts';

/**
 * Makes a folder and its parents one by one: Node's `recursive` never ends below a folder such as `/proc`.
 *
 * @throws Error of the operating system
 */
export async function makeFolder(path: string): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !(await isFolder(parent))) {
    await makeFolder(parent);
  }
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have created it first.
    if (!(await isFolder(path))) {
      throw error;
    }
  }
}

/**
 * Deletes files older than `kept` milliseconds from a folder of Limner's own storage.
 *
 * @param needed returns the old files that are still needed; called once if there are any
 */
export async function sweepFolder(
  folder: string,
  kept: number,
  needed: () => (name: string) => boolean = () => () => false,
): Promise<void> {
  const old: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && found.mtimeMs < Date.now() - kept) {
      old.push(name);
    }
  }
  if (old.length === 0) {
    return;
  }
  const isNeeded = needed();
  for (const name of old.filter((name) => !isNeeded(name))) {
    await sweepAway(join(folder, name));
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/**
 * A folder inside a root. Where the system supports it, it stays the same folder even if other programs replace parts
 * of its path with links.
 */
export interface PinnedFolder {
  /** The path to use for its files. */
  path: string;
  close(): Promise<void>;
}

interface OpenFolder extends PinnedFolder {
  /** The path with all links resolved. */
  real: string;
}

/** The flag `O_PATH` of Linux, which opens a folder without the right to read it. Node has no constant for it. */
const pathOnly = 0o10000000;

/**
 * Makes a folder if it doesn't exist, and pins it.
 *
 * @param root a folder that exists
 * @returns undefined when the folder isn't inside the root; nothing is made there
 * @throws Error of the operating system
 */
export async function pinFolder(root: string, folder: string): Promise<PinnedFolder | undefined> {
  return hasHandles() ? pinByHandle(root, folder) : pinByName(root, folder);
}

async function pinByName(root: string, folder: string): Promise<PinnedFolder | undefined> {
  // Checked first, so that nothing is created outside.
  if ((await realWayInto(root, folder)) === undefined) {
    return undefined;
  }
  await makeFolder(folder);
  // On Windows, real paths on mapped drives have other names, which not every disk accepts.
  const path = process.platform === 'win32' ? folder : await realpath(folder);
  const isInside = (await realWayInto(root, path)) !== undefined;
  return isInside ? { path, close: async () => {} } : undefined;
}

async function pinByHandle(root: string, folder: string): Promise<PinnedFolder | undefined> {
  const named = relative(root, folder);
  const way = leadsOut(named) ? await realWayInto(root, folder) : named;
  if (way === undefined) {
    return undefined;
  }
  const top = await openFolder(root);
  const opened = [top];
  try {
    let inner = top;
    for (const name of way.split(sep).filter((one) => one !== '')) {
      inner = await openOrMake(join(inner.path, name));
      opened.push(inner);
      if (leadsOut(relative(top.real, inner.real))) {
        return undefined;
      }
    }
    opened.pop();
    return inner;
  } finally {
    await Promise.all(opened.map(async (one) => one.close()));
  }
}

async function openOrMake(path: string): Promise<OpenFolder> {
  try {
    return await openFolder(path);
  } catch (error) {
    const trouble = fileTrouble(error);
    if (trouble !== 'gone' && trouble !== 'notFolder') {
      throw error;
    }
  }
  const refusal = await mkdir(path).catch((error: unknown) => error);
  return openFolder(path).catch((error: unknown) => {
    // Another process may have created it first; otherwise, report why it couldn't be created.
    throw refusal ?? error;
  });
}

async function openFolder(path: string): Promise<OpenFolder> {
  const handle = await open(path, pathOnly | constants.O_DIRECTORY);
  const own = `${handles}/${handle.fd}`;
  try {
    return { path: own, real: await readlink(own), close: async () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
