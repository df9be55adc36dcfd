import { randomUUID } from 'node:crypto';
import { link, lstat, open, readdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { rename, sweepAway, unlink } from '../../common/disk/heldFiles.ts';
import { processLives } from '../../common/processLives.ts';
import { hashFile, hashOf, piecesOf, writeWhole } from './stagingStore.ts';
import { asSaveError, fileTrouble, isSystemError, saveFailed } from '../../common/fileErrors.ts';
import { fileUri, pathOfUri } from '../../common/disk/fileUris.ts';
import { syncFolder } from './taskFolders.ts';
import { exists, inFolder } from './targetFolder.ts';
import type { SaveTarget } from '../task.ts';

/** One image that is to become a file on disk. */
export interface PublishJob {
  /** Names the image in temporary file names: task id and index. */
  key: string;
  /** Fencing number of the window that publishes. */
  fence: number;
  /** Path of the finished and synced bytes; they are left where they are, for the caller to remove. */
  stagedPath: string;
  sha256: string;
  /** Folder and root must be `file:` URIs. */
  target: SaveTarget;
  /** File name with extension; `-2`, `-3` … is added while it is taken. */
  name: string;
  /**
   * URI of the name under which a run that was cut off meant to publish it; one that is not on disk is of another window,
   * or from before another folder was chosen.
   */
  intended?: string | undefined;
}

/** The steps of a publication that can be replaced. */
export interface PublishSteps {
  /**
   * Records the name that is about to be taken; throws when this window may no longer publish. After a crash the image
   * is found by it.
   */
  intend(uri: string): Promise<void>;
  /** Whether nobody works any more on the task that left a temporary file in the folder. */
  isOver(taskId: string): boolean;
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

type TakingSteps = Omit<PublishSteps, 'isOver'>;

/** Age from which a temporary file is nobody's whose task isn't known here, in milliseconds. */
const abandonedAfter = 7 * 24 * 3_600_000;
/** Temporary names: of an image of a task, with its id; others are of a call that published bytes. */
const ofTask = /^\.limner-([0-9a-z]{17})-\d+-\d+\.tmp$/u;
const ofCall = /^\.limner-[\w-]+\.tmp$/u;
/** Of a process, with its machine and its id. */
const ofProcess = /^\.limner-(host[0-9a-f]{8})-(\d+)-[\w-]+\.tmp$/u;

/** Failures of `link` that say nothing about whether the file system has links. */
const notAboutLinks = new Set(['ENOENT', 'ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES']);

/**
 * Puts an image under its final name in a folder on disk: exclusive, complete and synced, or not at all. Repeating it
 * after a crash publishes nothing twice: the intended name is checked first, and temporary files of earlier runs are
 * removed, so that a run which was only asleep has nothing left to publish.
 *
 * @returns `file:` URI of the new file, below the folder as its target names it
 * @throws LimnerError `save_failed`; whatever `steps.intend` throws
 */
export async function publishOnDisk(job: PublishJob, steps: Partial<PublishSteps> = {}): Promise<string> {
  if (basename(job.name) !== job.name || job.name === '' || job.name === '.' || job.name === '..') {
    throw saveFailed(`"${job.name}" isn't a valid file name.`);
  }
  try {
    return await inFolder(job.target, async (path) => publishIn(path, job, steps));
  } catch (error) {
    throw asSaveError(error);
  }
}

/** @param folder by which its files are reached */
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
    // What cannot be removed now is swept when something is next published here.
    await unlink(staged).catch(() => {});
  }
}

/**
 * Puts bytes that no task has under the first free name in a folder on disk: complete and synced, or not at all.
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

/**
 * Puts bytes in the place of a file on disk, at once.
 *
 * @throws LimnerError `save_failed`; nothing was billed
 */
export async function replaceOnDisk(bytes: Uint8Array, target: SaveTarget, name: string): Promise<void> {
  await withTemporaryFile(bytes, target, async (folder, temporary) => rename(temporary, join(folder, name)));
}

/**
 * Writes bytes to a temporary file in a folder, by whose name others know when its process is dead.
 *
 * @param use is given the path by which the folder is reached, and that of the file, which it may move
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

/** Returns what tells this machine from others that have the same folder: their processes are not known here. */
function thisMachine(): string {
  return `host${hashOf(hostname()).slice(0, 8)}`;
}

/**
 * Removes what a run that was cut off left, and returns its file if that was published after all. A run that was only
 * asleep leaves the files of those that took over from it.
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
    // Published by a link, it is the same file still, even when somebody has drawn on it since.
    const isOurs = (await hashFile(intended)) === job.sha256 || (await isSameFile(intended, job.stagedPath));
    if (isOurs) {
      return fileUri(meant ?? intended);
    }
  }
  await Promise.all(removals);
  return undefined;
}

/** Removes temporary files that nobody needs any more: another program had them open when they were to be removed. */
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

/** Removes the empty file with which an earlier run reserved its name: younger than its temporary file. */
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
 * Gives the synced bytes a second name instead of a copy, where a file made in the folder would have the same owner and
 * rights. On Windows those come from the folder and can't be compared.
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
    // A copy does without, or says what is wrong.
    return false;
  }
}

/** Copies the bytes alone: `copyFile` copies owner and rights, where those of the folder are meant. */
async function copySynced(from: string, to: string): Promise<void> {
  const file = await open(to, 'wx');
  try {
    let copied = 0;
    for await (const piece of piecesOf(from)) {
      await writeWhole(file, piece);
      copied += piece.length;
    }
    if (copied !== (await stat(from)).size) {
      throw saveFailed('Only part of the image could be read.');
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Finds the first free name and puts the temporary file under it. */
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
      // The temporary file is gone when another window took over: then this asks, and throws.
      await steps.intend();
      throw error;
    }
    if (code !== 'EEXIST') {
      return 'unsupported';
    }
    // On a network file system the answer to a link that was made may have been lost.
    return (await isSameFile(temporary, file)) ? 'done' : 'taken';
  }
}

/** Reserves the name with an empty file, where there are no links, and renames over it. */
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
    // Had this window slept, another one took both files of ours away, and published under this very name.
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
