import { constants } from 'node:fs';
import { mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileTrouble } from '../fileErrors.ts';
import { makeFolder } from './folders.ts';
import { handles, hasHandles, leadsOut, realWayInto } from './fileUris.ts';

/**
 * A folder inside a root. Where the system has a way for that, it stays the same one whatever becomes of the names on the
 * way to it: other programs may exchange them for links.
 */
export interface PinnedFolder {
  /** By which its files are reached. */
  path: string;
  close(): Promise<void>;
}

interface OpenFolder extends PinnedFolder {
  /** Its path without links. */
  real: string;
}

/** Opens a folder of Linux without a right to read it; Node has no name for it. */
const pathOnly = 0o10000000;

/**
 * Makes a folder where there is none, and pins it.
 *
 * @param root a folder that exists
 * @returns undefined when the folder isn't inside the root; nothing is made there
 * @throws Error of the operating system
 */
export async function pinFolder(root: string, folder: string): Promise<PinnedFolder | undefined> {
  return hasHandles() ? pinByHandle(root, folder) : pinByName(root, folder);
}

async function pinByName(root: string, folder: string): Promise<PinnedFolder | undefined> {
  // Checked first, so that nothing is made outside.
  if ((await realWayInto(root, folder)) === undefined) {
    return undefined;
  }
  await makeFolder(folder);
  // Windows has other names for what is on mapped drives, which not every disk takes.
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
    // Another process may have been faster; else it matters why it isn't made.
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
