// Room: bytes on disk: staging, inputs, file names, publishing.
// Never: the task list.

import { createHash, type Hash, randomUUID } from 'node:crypto';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyFile, rename, unlink, whileHeld } from '../../common/disk/heldFiles.ts';
import { canBeFetched, canBeResumed } from '../../common/resultAvailability.ts';
import { readUprightSize } from '../../images/formats/orientation.ts';
import { isCut } from '../../images/damage/findDamage.ts';
import { sniffImage, sniffLength } from '../../images/formats/sniff.ts';
import type { AnsweredImage, ImageSink } from '../../service/messages.ts';
import { asSaveError, saveFailed } from '../../common/fileErrors.ts';
import { inputsNeededLater, type Task, type TaskInput, type TaskResult } from '../task.ts';
import { namesIn, syncFolder, TaskFolders } from './taskFolders.ts';

/** The bytes of one image, complete and synced, but not published yet. */
export interface StagedFile {
  stagedPath: string;
  /** In bytes. */
  size: number;
  sha256: string;
  /** By the bytes; undefined when they aren't an image that Limner handles. */
  mediaType?: string;
  /** As it is seen, upright, in pixels. */
  width?: number;
  height?: number;
  seemsCut?: true;
  /** What is wrong with it otherwise, once it was looked at, in English. */
  damage?: string;
  /** It is the damaged base64 that the image came as. */
  isText?: true;
}

export interface StagingSink extends ImageSink {
  readonly file: StagedFile | undefined;
}

/** Ends the name of a complete file; everything else is the beginning of one. */
const wholeSuffix = '.image';
const partSuffix = '.part';
/** Ends the name of a complete text: other processes don't look for it. */
const textSuffix = '.text';
/** The names of images that a service sent: index and fence. */
const ofWhole = /^\d+-\d+\.image$/u;
const ofPart = /^\d+-\d+\.part$/u;
const ofPartEnd = /\.part$/u;

/** Bytes read or written at once: few enough to be hashed between two frames, many enough for few of them. */
const pieceLength = 512 * 1024;

/** Bytes after which the disk is asked to begin with them, while others arrive. */
const flushLength = 4 * 1024 * 1024;

/** The folder where images arrive, one folder a task, until they are published. */
export class StagingStore extends TaskFolders {
  /** Returns a sink for the image with this index; `fence` keeps apart windows that fetch the same one. */
  sink(taskId: string, index: number, fence: number): StagingSink {
    return new FileSink(join(this.folder, taskId), `${index}-${fence}`);
  }

  /** Returns a sink for a copy of the image with this index, of which each process makes its own. */
  copySink(taskId: string, index: number): StagingSink {
    return new FileSink(join(this.folder, taskId), `copy-${index}-${randomUUID()}`);
  }

  /** Returns a sink for what is made of the image with this index in a step; `stagedFiles` doesn't list it. */
  madeSink(taskId: string, step: 'composed' | 'finished', index: number, fence: number): StagingSink {
    return new FileSink(join(this.folder, taskId), `${step}-${index}-${fence}`);
  }

  /** Returns where the copy of an input is, if there is one. */
  inputCopyPath(taskId: string, { sha256 }: TaskInput): string {
    return join(this.folder, taskId, `input-${sha256}`);
  }

  /** Copies an input beside the images that will be made of it, if it can be copied. */
  async copyInput(taskId: string, input: TaskInput): Promise<void> {
    const copy = this.inputCopyPath(taskId, input);
    if (copy !== input.path) {
      await mkdir(dirname(copy), { recursive: true })
        .then(async () => copyFile(input.path, copy))
        .catch(() => {});
    }
  }

  /**
   * Returns the images of a task that are complete on disk though no process recorded them, by index. One that has its
   * end is complete also before it has its name: Windows may have refused that until the process was gone.
   */
  async stagedFiles(taskId: string): Promise<Map<number, StagedFile>> {
    const folder = join(this.folder, taskId);
    const found = new Map<number, StagedFile>();
    const names = await namesIn(folder);
    for (const name of names.filter((one) => ofPart.test(one))) {
      const file = await describeFile(join(folder, name)).catch(() => undefined);
      if (file?.mediaType !== undefined && file.seemsCut !== true) {
        found.set(Number.parseInt(name, 10), file);
      }
    }
    for (const name of names.filter((one) => ofWhole.test(one))) {
      found.set(Number.parseInt(name, 10), await describeFile(join(folder, name)));
    }
    return found;
  }

  /**
   * Returns where an image of a task lies that its row has under a path which names nothing here: another process may
   * write the same folder in another way, such as by the letter of a network drive, or have given it its last name.
   */
  async findStaged(taskId: string, stagedPath: string): Promise<string | undefined> {
    const name = this.nameOf(taskId, stagedPath);
    if (name === undefined) {
      return undefined;
    }
    const names = await namesIn(join(this.folder, taskId));
    const found = [name, name.replace(ofPartEnd, wholeSuffix)].find((one) => names.includes(one));
    return found === undefined ? undefined : join(this.folder, taskId, found);
  }

  /**
   * Whether an ended task still needs what is here: unsaved images, or the inputs that pixels are put back from, should
   * a person fetch the rest of its images.
   */
  isNeededBy(task: Task): boolean {
    const { request, results } = task;
    const mayContinue = canBeResumed(task) || results.some(canBeFetched);
    return (
      results.some(({ stagedPath = '' }) => this.nameOf(task.id, stagedPath) !== undefined) ||
      (inputsNeededLater(request).length > 0 && mayContinue)
    );
  }
}

/**
 * Returns the images of a response. Inline ones have the index of their sink, by which their bytes are named on disk;
 * those to be fetched come after them, so that neither is taken for another.
 *
 * @param fileOf gives the bytes that a sink took, undefined when they are not whole
 */
export function resultsFromAnswer(
  images: readonly AnsweredImage[],
  fileOf: (sink: number) => StagedFile | undefined,
): TaskResult[] {
  let next = images.reduce(
    (most, image) => (image.kind === 'inline' ? Math.max(most, image.sink + 1) : most),
    0,
  );
  return images.flatMap((image) => {
    const revised = image.revisedPrompt === undefined ? {} : { revisedPrompt: image.revisedPrompt };
    if (image.kind === 'url') {
      return { index: next++, state: 'remote' as const, url: image.url, ...revised };
    }
    const file = fileOf(image.sink);
    return file ? { index: image.sink, state: 'staged' as const, ...file, ...revised } : [];
  });
}

/** Returns the SHA-256 of bytes or of a text, in hex. */
export function hashOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Returns the SHA-256 of a file, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(path)) {
    hash.update(piece);
  }
  return hash.digest('hex');
}

/** Reads a file in pieces, each of which is gone once the next one is read. */
export async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  const piece = Buffer.allocUnsafe(pieceLength);
  const handle = await whileHeld(async () => open(path, 'r'));
  try {
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, pieceLength);
      if (bytesRead === 0) {
        return;
      }
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Returns the first bytes of a file. @param length at most so many */
export async function startOf(path: string, length: number): Promise<Buffer> {
  const handle = await whileHeld(async () => open(path, 'r'));
  try {
    const start = Buffer.alloc(length);
    const { bytesRead } = await handle.read(start, 0, length, 0);
    return start.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Gathers bytes into large pieces; while one is written, the next is filled. */
class FileSink implements StagingSink {
  readonly #folder: string;
  readonly #name: string;
  #hash: Hash = createHash('sha256');
  #isText = false;
  #handle: Promise<FileHandle> | undefined;
  #filling = Buffer.allocUnsafe(pieceLength);
  #filled = 0;
  #spare = Buffer.allocUnsafe(pieceLength);
  #writing: Promise<void> = Promise.resolve();
  #flushing: Promise<void> = Promise.resolve();
  #flushed = 0;
  #size = 0;
  #file: StagedFile | undefined;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  get file(): StagedFile | undefined {
    return this.#file;
  }

  get #part(): string {
    return join(this.#folder, this.#name + (this.#isText ? textSuffix : '') + partSuffix);
  }

  async write(chunk: Uint8Array): Promise<void> {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#filled === pieceLength) {
        await this.#writePiece();
      }
      const taken = rest.subarray(0, pieceLength - this.#filled);
      this.#filling.set(taken, this.#filled);
      this.#filled += taken.length;
      rest = rest.subarray(taken.length);
    }
  }

  async toText(): Promise<void> {
    await this.#writePiece();
    await this.#writing;
    const [bytes, part, length] = [await this.#open(), this.#part, this.#size];
    this.#isText = true;
    this.#handle = undefined;
    this.#hash = createHash('sha256');
    this.#size = 0;
    this.#flushed = 0;
    const piece = Buffer.allocUnsafe(pieceLength - (pieceLength % 3));
    for (let position = 0; position < length; position += piece.length) {
      const { bytesRead } = await bytes.read(piece, 0, piece.length, position);
      await this.write(Buffer.from(piece.toString('base64', 0, bytesRead)));
    }
    await bytes.close();
    // What is left of it is removed with its folder.
    await unlink(part).catch(() => {});
  }

  async close(): Promise<void> {
    await this.#writePiece();
    await this.#writing;
    await this.#finish().catch(rethrow);
  }

  async #finish(): Promise<void> {
    const handle = await this.#open();
    await this.#flushing;
    await handle.sync();
    // From here on the image is whole, and paid for: whatever fails, it stays where it is.
    const bytes = { size: this.#size, sha256: this.#hash.digest('hex') };
    const about = this.#isText
      ? ({ isText: true } as const)
      : await inspectImage(handle, this.#size).catch(() => ({}));
    await handle.close().catch(() => {});
    const path = join(this.#folder, this.#name + (this.#isText ? textSuffix : wholeSuffix));
    const stagedPath = await rename(this.#part, path).then(
      () => path,
      () => this.#part,
    );
    this.#file = { stagedPath, ...bytes, ...about };
    await Promise.all([syncFolder(this.#folder), syncFolder(dirname(this.#folder))]).catch(() => {});
  }

  async discard(): Promise<void> {
    if (this.#file) {
      return;
    }
    await this.#writing.catch(() => {});
    const handle = await this.#handle?.catch(() => undefined);
    // After a failed close it may be closed already.
    await handle?.close().catch(() => {});
    await unlink(this.#part).catch(() => {});
  }

  /** Writes the piece that was filled, once the one before is written. */
  async #writePiece(): Promise<void> {
    await this.#writing;
    const piece = this.#filling.subarray(0, this.#filled);
    this.#writing = this.#append(piece).catch(rethrow);
    // Writing the next piece fails with it.
    this.#writing.catch(() => {});
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#filled = 0;
  }

  async #append(piece: Buffer): Promise<void> {
    const handle = await this.#open();
    const written = writeWhole(handle, piece);
    this.#hash.update(piece);
    this.#size += piece.length;
    await written;
    if (this.#size - this.#flushed >= flushLength) {
      this.#flushed = this.#size;
      this.#flushing = this.#flush(handle, this.#flushing);
      // Closing fails with it: the disk tells an error once.
      this.#flushing.catch(() => {});
    }
  }

  async #flush(handle: FileHandle, before: Promise<void>): Promise<void> {
    await before;
    await handle.datasync();
  }

  #open(): Promise<FileHandle> {
    this.#handle ??= this.#create();
    return this.#handle;
  }

  async #create(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true });
    return open(this.#part, 'w+');
  }
}

/** Writes all of these bytes, however many the disk takes at once. */
export async function writeWhole(handle: FileHandle, bytes: Buffer): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) {
    const { bytesWritten } = await handle.write(rest);
    if (bytesWritten === 0) {
      throw saveFailed("The disk doesn't accept more of the image.");
    }
    rest = rest.subarray(bytesWritten);
  }
}

function rethrow(error: unknown): never {
  throw asSaveError(error);
}

async function describeFile(stagedPath: string): Promise<StagedFile> {
  const handle = await whileHeld(async () => open(stagedPath, 'r'));
  try {
    const found = await handle.stat();
    if (!found.isFile()) {
      throw saveFailed('The image is no file.');
    }
    const { size } = found;
    return { stagedPath, size, sha256: await hashFile(stagedPath), ...(await inspectImage(handle, size)) };
  } finally {
    await handle.close();
  }
}

/** Returns format, dimensions and whether the end is there, by the bytes. */
async function inspectImage(
  handle: FileHandle,
  size: number,
): Promise<Pick<StagedFile, 'mediaType' | 'width' | 'height' | 'seemsCut'>> {
  const start = new Uint8Array(sniffLength);
  const { bytesRead } = await handle.read(start, 0, sniffLength, 0);
  const format = sniffImage(start.subarray(0, bytesRead));
  if (!format) {
    return {};
  }
  const seemsCut = await isCut(handle, size);
  return {
    mediaType: format.mediaType,
    ...(await readUprightSize(handle)),
    ...(seemsCut && { seemsCut }),
  };
}
