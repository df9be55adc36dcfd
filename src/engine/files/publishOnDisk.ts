import { randomUUID } from 'node:crypto';
import { link, lstat, open, readdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import * as english from '../../common/english.ts';
import { rename, sweepAway, unlink } from '../../common/heldFiles.ts';
import { processLives } from './processLives.ts';
import { hashFile, hashOf, piecesOf, writeWhole } from './stagingStore.ts';
import { asSaveError, fileTrouble, isSystemError, saveFailed } from '../../common/fileErrors.ts';
import { fileUri, pathOfUri } from '../../common/fileUris.ts';
import { syncFolder } from './taskFolders.ts';
import { exists, inFolder } from './targetFolder.ts';
import type { SaveTarget } from '../task/task.ts';

/** One image to publish as a file on disk. */
export interface PublishJob {
  /** Names the image in temporary file names: task ID and index. */
  key: string;
  /** Fencing number of the publishing window. */
  fence: number;
  /** Path of the finished, synced bytes; the caller removes them. */
  stagedPath: string;
  sha256: string;
  /** Folder and root must be `file:` URIs. */
  target: SaveTarget;
  /** File name with extension; `-2`, `-3` … is added while the name is taken. */
  name: string;
  /**
   * URI that an interrupted run intended to publish to. If it is not on disk, it comes from another window or an
   * earlier choice of folder.
   */
  intended?: string | undefined;
}

export interface PublishSteps {
  /**
   * Records the name before it is taken, so that the image is found after a crash. Throws when this window may no
   * longer publish.
   */
  intend(uri: string): Promise<void>;
  /** Whether nobody works any more on the task that left a temporary file in the folder. */
  isOver(taskId: string): boolean;
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

type TakingSteps = Omit<PublishSteps, 'isOver'>;

/** Age at which the temporary file of an unknown task counts as abandoned, in milliseconds. */
const abandonedAfter = 7 * 24 * 3_600_000;
/** Temporary name with the ID of a task. */
const ofTask = /^\.limner-([0-9a-z]{17})-\d+-\d+\.tmp$/u;
const ofCall = /^\.limner-[\w-]+\.tmp$/u;
/** Temporary name with a machine and a process ID, for bytes without a task. */
const ofProcess = /^\.limner-(host[0-9a-f]{8})-(\d+)-[\w-]+\.tmp$/u;

/** Failures of `link` that say nothing about whether the file system supports links. */
const notAboutLinks = new Set(['ENOENT', 'ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES']);

/**
 * Publishes an image under its final name in a folder on disk: exclusively, completely, and synced, or not at all.
 * Repeating it after a crash publishes nothing twice: it checks the intended name first and removes the temporary files
 * of earlier runs, so that a run that was only suspended has nothing left to publish.
 *
 * @returns `file:` URI of the new file, in the folder as its target names it
 * @throws LimnerError `save_failed`; whatever `steps.intend` throws
 */
export async function publishOnDisk(job: PublishJob, steps: Partial<PublishSteps> = {}): Promise<string> {
  if (basename(job.name) !== job.name || job.name === '' || job.name === '.' || job.name === '..') {
    throw saveFailed(english.t(`"{0}" isn't a valid file name.`, job.name));
  }
  try {
    return await inFolder(job.target, async (path) => publishIn(path, job, steps));
  } catch (error) {
    throw asSaveError(error);
  }
}

/** @param folder path that leads to the folder */
async function publishIn(folder: string, job: PublishJob, steps: Partial<PublishSteps>): Promise<string> {
  const { intend = async () => {}, link: makeLink = link, rename: replace = rename } = steps;
  const names = await readdir(folder);
  const done = await finishEarlierRun(job, folder, names);
  if (done !== undefined) {
    return done;
  }
  const ofOthers = names.filter((name) => !name.startsWith(temporaryPrefix(job.key)));
  await sweepAbandoned(folder, ofOthers, steps.isOver);
  const staged = join(folder, `${temporaryPrefix(job.key)}${job.fence}.tmp`);
  try {
    if (!(await tryShare(job.stagedPath, staged, makeLink))) {
      await copySynced(job.stagedPath, staged);
    }
    return await takeName(job, folder, staged, { intend, link: makeLink, rename: replace });
  } finally {
    // The next publication in this folder sweeps it away.
    await unlink(staged).catch(() => {});
  }
}

/**
 * Publishes bytes without a task under the first free name in a folder on disk: completely and synced, or not at all.
 *
 * @returns `file:` URI of the new file
 * @throws LimnerError `save_failed`; nothing was billed
 */
export async function publishBytesOnDisk(
  bytes: Uint8Array,
  target: SaveTarget,
  name: string,
): Promise<string> {
  return withTemporaryFile(bytes, target, async (folder, temporary) =>
    takeName({ name, target }, folder, temporary, { intend: async () => {}, link, rename }),
  );
}

/** Replaces the contents of a file on disk atomically. @throws LimnerError `save_failed`; nothing was billed */
export async function replaceOnDisk(bytes: Uint8Array, target: SaveTarget, name: string): Promise<void> {
  await withTemporaryFile(bytes, target, async (folder, temporary) => rename(temporary, join(folder, name)));
}

/**
 * Writes bytes to a temporary file in a folder, whose name tells others when its process is gone.
 *
 * @param use gets the paths of the folder and of the file, which it may move
 * @throws LimnerError `save_failed`; nothing was billed
 */
export async function withTemporaryFile<T>(
  bytes: Uint8Array,
  target: SaveTarget,
  use: (folder: string, temporary: string) => Promise<T>,
): Promise<T> {
  try {
    return await inFolder(target, async (folder) => {
      await sweepAbandoned(folder, await readdir(folder));
      const temporary = join(folder, `.limner-${thisMachine()}-${process.pid}-${randomUUID()}.tmp`);
      try {
        await writeFile(temporary, bytes, { flag: 'wx', flush: true });
        return await use(folder, temporary);
      } finally {
        await unlink(temporary).catch(() => {});
      }
    });
  } catch (error) {
    throw asSaveError(error, 'no');
  }
}

/** Returns a name for this machine. Others may share a folder with it, and their processes are not visible here. */
function thisMachine(): string {
  return `host${hashOf(hostname()).slice(0, 8)}`;
}

/**
 * Removes the leftovers of an interrupted run, and returns its file if it was published. A run that was only suspended
 * leaves the files of its successors alone.
 */
async function finishEarlierRun(
  job: PublishJob,
  folder: string,
  names: readonly string[],
): Promise<string | undefined> {
  const prefix = temporaryPrefix(job.key);
  const leftovers = names.filter(
    (name) => name.startsWith(prefix) && Number.parseInt(name.slice(prefix.length), 10) <= job.fence,
  );
  const meant = job.intended?.startsWith('file:') ? pathOfUri(job.intended) : undefined;
  const isHere = meant !== undefined && dirname(meant) === pathOfUri(job.target.folder);
  const intended = isHere ? join(folder, basename(meant)) : meant;
  if (intended !== undefined) {
    for (const name of leftovers) {
      await removePlaceholder(intended, join(folder, name));
    }
  }
  const removals = leftovers.map(async (name) => unlink(join(folder, name)).catch(ignoreMissing));
  await Promise.allSettled(removals);
  if (intended !== undefined && (await exists(intended))) {
    // If it was published by a link, it is still the same file even after a user edited it.
    const isOurs = (await hashFile(intended)) === job.sha256 || (await isSameFile(intended, job.stagedPath));
    if (isOurs) {
      return fileUri(meant ?? intended);
    }
  }
  await Promise.all(removals);
  return undefined;
}

/** Removes temporary files that were in use by another program when they were to be removed. */
async function sweepAbandoned(
  folder: string,
  names: readonly string[],
  isOver: PublishSteps['isOver'] = () => false,
): Promise<void> {
  for (const name of names.filter((one) => ofCall.test(one))) {
    const path = join(folder, name);
    const taskId = ofTask.exec(name)?.[1];
    const [, machine, pid] = ofProcess.exec(name) ?? [];
    const isAbandoned =
      (taskId !== undefined && isOver(taskId)) ||
      (machine === thisMachine() && !processLives(Number(pid))) ||
      (await lstat(path).then(
        ({ mtimeMs }) => mtimeMs < Date.now() - abandonedAfter,
        () => false,
      ));
    if (isAbandoned) {
      await sweepAway(path);
    }
  }
}

/** Removes the empty file with which an earlier run reserved its name: it is younger than its temporary file. */
async function removePlaceholder(intended: string, temporary: string): Promise<void> {
  try {
    const reserved = await lstat(intended);
    const copy = await lstat(temporary);
    if (reserved.isFile() && reserved.size === 0 && copy.size > 0 && reserved.mtimeMs >= copy.mtimeMs) {
      await unlink(intended);
    }
  } catch (error) {
    ignoreMissing(error);
  }
}

/**
 * Links the synced bytes instead of copying them, if a new file in the folder would have the same owner and rights. On
 * Windows, files inherit rights from the folder, which can't be compared.
 */
async function tryShare(from: string, to: string, makeLink: PublishSteps['link']): Promise<boolean> {
  if (process.platform === 'win32') {
    return false;
  }
  const ordinary = await open(to, 'wx');
  try {
    const made = await ordinary.stat();
    const { uid, gid, mode } = await lstat(from);
    if (uid !== made.uid || gid !== made.gid || mode !== made.mode) {
      return false;
    }
  } finally {
    await ordinary.close();
    await unlink(to);
  }
  try {
    await makeLink(from, to);
    return true;
  } catch {
    // Copying works without links, or reports the error.
    return false;
  }
}

/** Copies only the bytes: `copyFile` would also copy owner and rights, which the folder should determine. */
async function copySynced(from: string, to: string): Promise<void> {
  const file = await open(to, 'wx');
  try {
    let copied = 0;
    for await (const piece of piecesOf(from)) {
      await writeWhole(file, piece);
      copied += piece.length;
    }
    if (copied !== (await stat(from)).size) {
      throw saveFailed(english.t('Only part of the image could be read.'));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

async function takeName(
  { name, target }: Pick<PublishJob, 'name' | 'target'>,
  folder: string,
  temporary: string,
  steps: TakingSteps,
): Promise<string> {
  const named = pathOfUri(target.folder);
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  let links = true;
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${stem}-${number}${extension}`;
    const file = join(folder, free);
    if (await exists(file)) {
      continue;
    }
    const uri = fileUri(join(named, free));
    const intend = async (): Promise<void> => steps.intend(uri);
    await intend();
    const linked: Linked = links ? await tryLink(temporary, file, { ...steps, intend }) : 'unsupported';
    links = linked !== 'unsupported';
    const isTaken = linked === 'taken' || (!links && !(await replacePlaceholder(temporary, file, steps)));
    if (!isTaken) {
      await syncFolder(named);
      return uri;
    }
  }
}

type Linked = 'done' | 'taken' | 'unsupported';

async function tryLink(
  temporary: string,
  file: string,
  steps: Pick<TakingSteps, 'link'> & { intend: () => Promise<void> },
): Promise<Linked> {
  try {
    await steps.link(temporary, file);
    return 'done';
  } catch (error) {
    const code = isSystemError(error) ? error.code : undefined;
    if (code === undefined || notAboutLinks.has(code)) {
      // If another window took over, the temporary file is gone, and this throws.
      await steps.intend();
      throw error;
    }
    if (code !== 'EEXIST') {
      return 'unsupported';
    }
    // On a network file system, the reply to a successful link may have been lost.
    return (await isSameFile(temporary, file)) ? 'done' : 'taken';
  }
}

/** Reserves the name with an empty file, for file systems without links, and renames over it. */
async function replacePlaceholder(
  temporary: string,
  file: string,
  steps: Pick<TakingSteps, 'rename'>,
): Promise<boolean> {
  let placeholder;
  try {
    placeholder = await open(file, 'wx');
  } catch (error) {
    if (fileTrouble(error) === 'exists') {
      return false;
    }
    throw error;
  }
  try {
    const ours = await placeholder.stat({ bigint: true });
    const there = await lstat(file, { bigint: true });
    if (there.ino !== ours.ino || there.size !== 0n) {
      return false;
    }
  } finally {
    await placeholder.close();
  }
  try {
    await steps.rename(temporary, file);
    return true;
  } catch (error) {
    // If this window was suspended, another one removed both of its files and published under this very name.
    await removeEmpty(file);
    throw error;
  }
}

async function removeEmpty(file: string): Promise<void> {
  try {
    if ((await lstat(file)).size === 0) {
      await unlink(file);
    }
  } catch (error) {
    ignoreMissing(error);
  }
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([lstat(one, { bigint: true }), lstat(other, { bigint: true })]);
  return first.ino === second.ino && first.dev === second.dev;
}

function temporaryPrefix(key: string): string {
  return `.limner-${key}-`;
}

function ignoreMissing(error: unknown): void {
  if (fileTrouble(error) !== 'gone') {
    throw error;
  }
}
