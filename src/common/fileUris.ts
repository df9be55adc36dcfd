import { existsSync, realpath as realpathOfNode, statSync } from 'node:fs';
import { type FileHandle, lstat, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { fileTrouble, isSystemError } from './fileErrors.ts';

const isWindows = process.platform === 'win32';
const isMac = process.platform === 'darwin';
const takesBothCases = isWindows || isMac;

/**
 * Returns the URI of a file on disk as the task list writes it: with the user's spelling of the name, a lowercase
 * drive letter as in VS Code, and composed characters (NFC) where macOS accepts both forms.
 */
export function fileUri(path: string): string {
  const named = isMac ? path.normalize('NFC') : path;
  const { href } = pathToFileURL(named, { windows: isWindows });
  return withPlainDrive(href);
}

/** Returns a URI string with its drive letter as the task list writes it. */
export function withPlainDrive(uri: string): string {
  return uri.replace(
    /^file:\/\/\/([a-z])(?::|%3a)(?=\/|$)/iu,
    (_, letter: string) => `file:///${letter.toLowerCase()}:`,
  );
}

/** Returns a URI string as the task list writes it. A URI of another file system stays as it is. */
export function inOneNotation(uri: string): string {
  try {
    return fileUri(fileURLToPath(uri, { windows: isWindows }));
  } catch {
    return uri;
  }
}

/** Returns the path of a file URI on this disk, with an uppercase drive letter on Windows. @throws TypeError */
export function pathOfUri(uri: string): string {
  const path = fileURLToPath(uri, { windows: isWindows });
  return path.replace(/^[a-z]:/u, (drive) => drive.toUpperCase());
}

export function nameOfUri(uri: string): string {
  return decoded(uri.slice(uri.lastIndexOf('/') + 1));
}

/** Whether two URI strings mean the same file, however they are written. */
export function isSameFile(one: string, other: string): boolean {
  return wayInto(one, other) === '';
}

/**
 * Returns the path of a file relative to a folder that contains it, decoded, with slashes. Empty for the folder
 * itself; undefined if the file is elsewhere. For other file systems, only the names are compared.
 *
 * @param folder a URI string, like `file`
 */
export function wayInto(folder: string, file: string): string | undefined {
  const [outer, inner] = [partsOf(folder), partsOf(file)];
  if (outer.origin !== inner.origin) {
    return undefined;
  }
  if (outer.origin.startsWith('file:')) {
    return wayBelow(outer.path, inner.path);
  }
  const [above, names] = [outer.path.split('/').filter(Boolean), inner.path.split('/').filter(Boolean)];
  return above.every((name, index) => name === names[index])
    ? names.slice(above.length).join('/')
    : undefined;
}

/** Like `wayInto`, for the absolute paths, with slashes, of two URIs on the same host. */
export function wayBelow(folder: string, path: string): string | undefined {
  const [above, names] = [namesIn(folder), namesIn(path)];
  return sharedNames(above, names) === above.length ? names.slice(above.length).join('/') : undefined;
}

/** Returns the path of a file relative to a folder, with slashes. @param folder the path of a URI, like `path` */
export function wayBetween(folder: string, path: string): string {
  const [from, to] = [namesIn(folder), namesIn(path)];
  const shared = sharedNames(from, to);
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}

/** Returns the drive in the path of a URI, in lower case; undefined if there is none. */
export function driveOf(path: string): string | undefined {
  return /^\/[a-z]:(?=\/|$)/iu.exec(path)?.[0].toLowerCase();
}

/** The decoded parts of a URI, as in `vscode.Uri`. */
interface Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

/** Whether a relative path can lead from one file to the other: same host, and same drive or share. */
export function areRelated(one: Uri, other: Uri): boolean {
  return (
    one.scheme === other.scheme &&
    one.authority.toLowerCase() === other.authority.toLowerCase() &&
    driveOf(one.path) === driveOf(other.path) &&
    shareOf(one) === shareOf(other)
  );
}

/** Returns the name of the share that contains a file on another host. */
function shareOf({ scheme, authority, path }: Uri): string | undefined {
  return scheme === 'file' && authority !== '' ? path.split('/')[1]?.toLowerCase() : undefined;
}

/**
 * Returns the path from a folder to a file with all links resolved, as far as the file exists; undefined if links lead
 * out of the folder. Use real paths only for this question: on Windows they name another host for a mapped drive.
 *
 * @throws Error of the operating system
 */
export async function realWayInto(folder: string, path: string): Promise<string | undefined> {
  const [root, place] = await realPathsOf(folder, path);
  const way = relative(root, place);
  return leadsOut(way) ? undefined : way;
}

export function leadsOut(way: string): boolean {
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/** The folder of Linux with links to this process's open files, which stay valid when files are renamed. */
export const handles = '/proc/self/fd';

export function hasHandles(): boolean {
  return process.platform === 'linux' && existsSync(handles);
}

/**
 * Returns the path from a folder to an open file, with all links resolved; undefined if the file isn't in the folder,
 * or no longer has this name.
 *
 * @throws Error of the operating system
 */
export async function openWayInto(
  folder: string,
  path: string,
  file: FileHandle,
): Promise<string | undefined> {
  if (hasHandles()) {
    const way = relative(await realpath(folder), await readlink(`${handles}/${file.fd}`));
    return leadsOut(way) ? undefined : way;
  }
  const way = await realWayInto(folder, path);
  const [own, named] = await Promise.all([file.stat({ bigint: true }), stat(path, { bigint: true })]);
  return own.dev === named.dev && own.ino === named.ino ? way : undefined;
}

/** Error codes of disks without real paths, such as those in memory. */
const hasNone = new Set(['EISDIR', 'UNKNOWN', 'EINVAL', 'ENOSYS', 'ENOTSUP']);

type RealPath = (path: string) => Promise<string>;

/** Returns both real paths, found by the same method. Paths found by different methods can't be compared. */
async function realPathsOf(folder: string, path: string): Promise<[string, string]> {
  const ways: RealPath[] = [realpath, promisify(realpathOfNode)];
  for (const real of ways) {
    try {
      return [await real(folder), await realOf(path, real)];
    } catch (error) {
      const isLacking = isSystemError(error) && hasNone.has(error.code);
      // Some Windows disks without a drive letter report every path as missing.
      const isHidden = fileTrouble(error) === 'gone' && isWindows && (await isThere(folder));
      if (!isLacking && !isHidden) {
        throw error;
      }
    }
  }
  return [resolve(folder), resolve(path)];
}

/** Returns the real path of a file, or of its nearest existing parent. */
async function realOf(path: string, real: RealPath): Promise<string> {
  try {
    return await real(path);
  } catch (error) {
    const trouble = fileTrouble(error);
    if ((trouble !== 'gone' && trouble !== 'notFolder') || dirname(path) === path) {
      throw error;
    }
    // Another window has created it in the meantime.
    return (await isThere(path)) ? real(path) : realOf(dirname(path), real);
  }
}

/** Whether something other than a link exists at a path. A broken link has no real path. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => !found.isSymbolicLink(),
    () => false,
  );
}

function partsOf(uri: string): { origin: string; path: string } {
  const [, origin = '', path = uri] = /^([a-z][a-z0-9+.-]*:(?:\/\/[^/]*)?)(.*)$/isu.exec(uri) ?? [];
  // VS Code writes `file:///`, other programs also `file:/`.
  const host = origin.toLowerCase().replace(/^file:(?:\/\/localhost)?$/u, 'file://');
  return { origin: host, path: decoded(path) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The name contains a percent sign of its own.
    return text;
  }
}

function namesIn(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '');
  const drive = driveOf(path)?.slice(1);
  return drive === undefined ? names : [drive, ...names.slice(1)];
}

function sharedNames(one: readonly string[], other: readonly string[]): number {
  const exact = beginningOf(one, other, (name) => name);
  const alike = beginningOf(one, other, plain);
  return alike > exact && areOne(one.slice(0, alike), other.slice(0, alike)) ? alike : exact;
}

function beginningOf(
  one: readonly string[],
  other: readonly string[],
  read: (name: string) => string,
): number {
  let count = 0;
  for (const [index, name] of one.entries()) {
    const beside = other[index];
    if (beside === undefined || read(name) !== read(beside)) {
      break;
    }
    count++;
  }
  return count;
}

function plain(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Whether two names are the same on this platform, if no disk can be asked. */
export function isSameName(one: string, other: string): boolean {
  return one === other || (takesBothCases && plain(one) === plain(other));
}

/** Whether paths that differ only in case or Unicode form lead to the same file on disk. */
function areOne(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [idOf(one), idOf(other)];
  return first === undefined && second === undefined ? takesBothCases : first === second;
}

function idOf(names: readonly string[]): string | undefined {
  const path = `${driveOf(`/${names[0]}`) === undefined ? '/' : ''}${names.join('/')}`;
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}
