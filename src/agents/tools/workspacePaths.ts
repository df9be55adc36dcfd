import type { FileHandle } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { fileTrouble } from '../../common/fileErrors.ts';
import {
  fileUri,
  openWayInto,
  inOneNotation,
  isSameName,
  pathOfUri,
  realWayInto,
  wayInto,
} from '../../common/fileUris.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import { openRegular } from '../../common/regularFile.ts';
import { isReservedName, renderFileName, withoutExtension } from '../../engine/task/fileNames.ts';

/** An open folder in which agents may read and write. */
export interface Root {
  /** URI string. */
  uri: string;
  name: string;
}

/** A file in the workspace, existing or not. */
export interface WorkspaceFile {
  /** URI string of its workspace folder. */
  root: string;
  /** URI string. */
  folder: string;
  fileName: string;
  /** URI string of the file. */
  uri: string;
  /** Relative to the workspace folder, with slashes. If several folders are open, it begins with the folder's name. */
  path: string;
}

/** A name that every file system accepts and that is not a template. */
const portable = /^(?! )[^<>:"|?*{}\p{C}]{1,120}(?<![. ])$/u;
const git = /^(?:\.git|git~\d+)$/iu;
const images = /\.(?:png|jpe?g|webp)$/iu;

/** Resolves the path of an image, as `workspacePath`. @throws LimnerError `invalid_request`, also for other files */
export function workspaceFile(path: string, roots: readonly Root[]): WorkspaceFile {
  const file = workspacePath(path, roots);
  if (!images.test(file.fileName)) {
    throw refused(`The path "${path}" must end in .png, .jpg, or .webp.`);
  }
  return file;
}

/**
 * Resolves a path that an agent gave.
 *
 * @param roots the open folders; the first is used if the path names none
 * @throws LimnerError `invalid_request` for a path outside of them, or one that can't name a file
 */
export function workspacePath(path: string, roots: readonly Root[]): WorkspaceFile {
  const [first] = roots;
  if (!first) {
    throw refused(
      'No project folder is open. Ask the user to open one, or to set LIMNER_WORKSPACE for the MCP server.',
    );
  }
  const { root, rest } = whole(path, roots) ?? named(path, roots) ?? { root: first, rest: slashes(path) };
  const segments = resolved(rest, path);
  const fileName = segments.pop() ?? '';
  const wrong = [...segments, fileName].find(
    (segment) => !portable.test(segment) || git.test(segment) || (segment === fileName && segment[0] === '.'),
  );
  const device = segments.find(isReservedName);
  if (wrong !== undefined || device !== undefined) {
    throw refused(`"${wrong ?? device}" can't be used in the path "${path}".`);
  }
  const start = inOneNotation(root.uri);
  const folder = [start.replace(/\/$/u, ''), ...segments.map(encodeURIComponent)].join('/');
  // A drive without a slash means the current folder of that drive.
  const isRoot = segments.length === 0 && /^file:\/\/(?:\/[a-z]:)?$/iu.test(folder);
  return {
    root: start,
    folder: inOneNotation(isRoot ? `${folder}/` : folder),
    fileName,
    uri: inOneNotation(`${folder}/${encodeURIComponent(fileName)}`),
    path: [...(roots.length > 1 ? [root.name] : []), ...segments, fileName].join('/'),
  };
}

/** Whether a folder, a URI string in any notation, is one of these or lies in one. */
export function isWithin(folder: string, roots: readonly Root[]): boolean {
  return roots.some(({ uri }) => wayInto(uri, folder) !== undefined);
}

/**
 * Checks that no link in a path leads out of the workspace folder or into Git's folder.
 *
 * @throws LimnerError `invalid_request`
 */
export async function checkLinks({ root, uri, path }: WorkspaceFile): Promise<void> {
  if (!uri.startsWith('file:')) {
    return;
  }
  checkWay(await realWayInto(pathOfUri(root), pathOfUri(uri)), path);
}

/**
 * Checks a path after its links are resolved.
 *
 * @param way the resolved path relative to the workspace folder; undefined if it leads outside
 * @throws LimnerError `invalid_request`
 */
export function checkWay(way: string | undefined, path: string): void {
  if (way === undefined) {
    throw refused(`The path "${path}" leads out of the workspace.`);
  }
  if (way.split(sep).some((segment) => git.test(segment))) {
    throw refused(`The path "${path}" leads to the files of Git.`);
  }
}

/**
 * Opens a file on disk and uses it if the opened file lies in one of these folders. A path that was checked earlier may
 * have become a link.
 *
 * @param most largest size in bytes
 * @returns undefined when the file does not exist
 * @throws LimnerError `invalid_request` for a file elsewhere, UnreadableFile, Error of the operating system
 */
export async function openWithin<T>(
  uri: string,
  roots: readonly Root[],
  use: (file: FileHandle) => Promise<T>,
  most?: number,
): Promise<T | undefined> {
  const path = pathOfUri(uri);
  const root = roots.find((one) => wayInto(one.uri, uri) !== undefined);
  let file: FileHandle;
  try {
    file = await openRegular(path, most);
  } catch (error) {
    if (fileTrouble(error) === 'gone') {
      return undefined;
    }
    throw error;
  }
  try {
    const way = root && (await openWayInto(pathOfUri(root.uri), path, file));
    checkWay(way, (root && wayInto(root.uri, uri)) ?? path);
    return await use(file);
  } finally {
    await file.close();
  }
}

/** Checks that an image is saved under exactly this file name. @throws LimnerError `invalid_request` */
export function checkName({ fileName }: WorkspaceFile): void {
  const stem = withoutExtension(fileName).normalize('NFC');
  const saved = renderFileName(fileName, { prompt: '', model: '', at: new Date(0), index: 1, id: '' });
  if (saved !== stem) {
    const better = `${saved}${fileName.slice(fileName.lastIndexOf('.'))}`;
    throw refused(`No image is saved under the name "${fileName}". Use "${better}", or another one.`);
  }
}

/** Resolves an absolute path or a URI; undefined for a relative path. */
function whole(path: string, roots: readonly Root[]): { root: Root; rest: string } | undefined {
  const isUri = /^[a-z][a-z0-9+.-]+:/iu.test(path);
  if (/^~[/\\]/u.test(path)) {
    // A shell would expand it. Users who delete a folder called "~" delete their home.
    throw refused(`The path "${path}" is outside the workspace. Use one from the workspace folder.`);
  }
  if (!isUri && !isAbsolute(path) && !/^(?:[/\\]|[a-z]:)/iu.test(path)) {
    return undefined;
  }
  const uri = isUri ? path : fileUri(path);
  for (const root of roots) {
    const rest = wayInto(root.uri, uri);
    if (rest !== undefined) {
      return { root, rest };
    }
  }
  throw refused(
    `The path "${path}" is outside the workspace. Use one relative to the workspace folder, without a leading slash: pages often name images relative to a folder such as public.`,
  );
}

/** Resolves a path that begins with the name of one of several folders. */
function named(path: string, roots: readonly Root[]): { root: Root; rest: string } | undefined {
  const text = slashes(path);
  const beginning = ({ name }: Root): string => text.slice(0, name.length + 1);
  const root =
    roots.find((one) => beginning(one) === `${one.name}/`) ??
    roots.find((one) => isSameName(beginning(one), `${one.name}/`));
  return roots.length > 1 && root ? { root, rest: text.slice(root.name.length + 1) } : undefined;
}

function resolved(rest: string, path: string): string[] {
  const segments: string[] = [];
  for (const segment of rest.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) {
        throw refused(`The path "${path}" is outside the workspace.`);
      }
    } else if (segment !== '' && segment !== '.') {
      segments.push(segment);
    }
  }
  return segments;
}

function slashes(path: string): string {
  return path.trim().replaceAll('\\', '/');
}

function refused(message: string): LimnerError {
  return new LimnerError('invalid_request', message, notSent);
}
