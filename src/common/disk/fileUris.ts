// Room: how files on disk are named, and when two names mean one file.
// Never: what is in them, `vscode`.

import { existsSync, realpath as realpathOfNode, statSync } from 'node:fs';
import { type FileHandle, lstat, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { fileTrouble, isSystemError } from '../fileErrors.ts';

const isWindows = process.platform === 'win32';
const isMac = process.platform === 'darwin';
const takesBothCases = isWindows || isMac;

/**
 * Returns the URI of a file on disk in the one notation of the task list: as the person names the file, the letter of a
 * drive in lower case as VS Code writes it, and letters with marks as one character where macOS takes both forms.
 */
export function fileUri(path: string): string {
  const named = isMac ? path.normalize('NFC') : path;
  const { href } = pathToFileURL(named, { windows: isWindows });
  return withPlainDrive(href);
}

/** Returns a URI string with the letter of its drive as the task list has it, however that was written. */
export function withPlainDrive(uri: string): string {
  return uri.replace(
    /^file:\/\/\/([a-z])(?::|%3a)(?=\/|$)/iu,
    (_, letter: string) => `file:///${letter.toLowerCase()}:`,
  );
}

/** Returns a URI string in the notation of the task list; one of what isn't on this disk stays as it is. */
export function inOneNotation(uri: string): string {
  try {
    return fileUri(fileURLToPath(uri, { windows: isWindows }));
  } catch {
    return uri;
  }
}

/** Returns the path of a file URI on this disk, with the letter of a drive as Windows shows it. @throws TypeError */
export function pathOfUri(uri: string): string {
  const path = fileURLToPath(uri, { windows: isWindows });
  return path.replace(/^[a-z]:/u, (drive) => drive.toUpperCase());
}

/** Returns the name of a file without its folder, decoded. */
export function nameOfUri(uri: string): string {
  return decoded(uri.slice(uri.lastIndexOf('/') + 1));
}

/** Whether two URI strings, in whichever notation, mean the same file. */
export function isSameFile(one: string, other: string): boolean {
  return wayInto(one, other) === '';
}

/**
 * Returns the path of a file from a folder that it is in, decoded, with slashes: empty for the folder itself, undefined
 * for what is elsewhere. What isn't on a disk here is what its letters say.
 *
 * @param folder a URI string, in whichever notation, like `file`
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

/** As `wayInto`, of the paths of URIs on the same host: absolute, with slashes. */
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

/** Returns the drive of the path of a URI, in lower case; undefined where there is none. */
export function driveOf(path: string): string | undefined {
  return /^\/[a-z]:(?=\/|$)/iu.exec(path)?.[0].toLowerCase();
}

/** A URI in its parts, decoded: one of `vscode`. */
interface Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

/** Whether there is a relative path between two files: they are on one host, and on one drive or share of it. */
export function areRelated(one: Uri, other: Uri): boolean {
  return (
    one.scheme === other.scheme &&
    one.authority.toLowerCase() === other.authority.toLowerCase() &&
    driveOf(one.path) === driveOf(other.path) &&
    shareOf(one) === shareOf(other)
  );
}

/** Returns the name of the share that a file on another host is on. */
function shareOf({ scheme, authority, path }: Uri): string | undefined {
  return scheme === 'file' && authority !== '' ? path.split('/')[1]?.toLowerCase() : undefined;
}

/**
 * Returns the path from a folder to a file with all links resolved, as far as the file exists; undefined where they lead
 * out of the folder. Only this question is for real paths: on Windows they name another host for a mapped drive.
 *
 * @throws Error of the operating system
 */
export async function realWayInto(folder: string, path: string): Promise<string | undefined> {
  const [root, place] = await realPathsOf(folder, path);
  const way = relative(root, place);
  return leadsOut(way) ? undefined : way;
}

/** Whether a relative path leads out of its folder. */
export function leadsOut(way: string): boolean {
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/** Where Linux has links to what this process has open: they lead there whatever becomes of its names. */
export const handles = '/proc/self/fd';

/** Whether there are such links. */
export function hasHandles(): boolean {
  return process.platform === 'linux' && existsSync(handles);
}

/**
 * Returns the path from a folder to a file that is open, with all links resolved; undefined where it isn't in the folder,
 * or no longer the one of this name.
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

/** What a disk without real paths answers, such as one in memory. */
const hasNone = new Set(['EISDIR', 'UNKNOWN', 'EINVAL', 'ENOSYS', 'ENOTSUP']);

type RealPath = (path: string) => Promise<string>;

/** Returns both real paths, found in the same way: what finds only one of them says nothing about the other. */
async function realPathsOf(folder: string, path: string): Promise<[string, string]> {
  const ways: RealPath[] = [realpath, promisify(realpathOfNode)];
  for (const real of ways) {
    try {
      return [await real(folder), await realOf(path, real)];
    } catch (error) {
      const isLacking = isSystemError(error) && hasNone.has(error.code);
      // Some disks of Windows without a letter of their own say so of everything.
      const isHidden = fileTrouble(error) === 'gone' && isWindows && (await isThere(folder));
      if (!isLacking && !isHidden) {
        throw error;
      }
    }
  }
  return [resolve(folder), resolve(path)];
}

/** Returns the real path of a file, or of what there is of the way to it. */
async function realOf(path: string, real: RealPath): Promise<string> {
  try {
    return await real(path);
  } catch (error) {
    const trouble = fileTrouble(error);
    if ((trouble !== 'gone' && trouble !== 'notFolder') || dirname(path) === path) {
      throw error;
    }
    // What is there now was made a moment ago, by another window.
    return (await isThere(path)) ? real(path) : realOf(dirname(path), real);
  }
}

/** Whether anything is at a path but a link: one that leads nowhere has no real path. */
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
    // It has a percent sign of its own.
    return text;
  }
}

function namesIn(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '');
  const drive = driveOf(path)?.slice(1);
  return drive === undefined ? names : [drive, ...names.slice(1)];
}

/** Returns how many names two paths share from their beginning. */
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

/** Whether two names are the same to this platform, where no disk can be asked. */
export function isSameName(one: string, other: string): boolean {
  return one === other || (takesBothCases && plain(one) === plain(other));
}

/** Whether paths that differ only in case, or in how letters with marks are written, lead to the same: the disk knows. */
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
