import { createHash, type Hash, randomUUID } from 'node:crypto';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as english from '../../common/english.ts';
import { copyFile, rename, unlink, whileHeld } from '../../common/heldFiles.ts';
import { canBeFetched, canBeResumed } from '../../common/taskStatus.ts';
import { readUprightSize } from '../../images/formats/animation.ts';
import { isCut } from '../../images/formats/findDamage.ts';
import { sniffImage, sniffLength } from '../../images/formats/sniff.ts';
import type { AnsweredImage, ImageSink } from '../../service/terms/messages.ts';
import { asSaveError, saveFailed } from '../../common/fileErrors.ts';
import { inputsNeededLater, type Task, type TaskInput, type TaskResult } from '../task/task.ts';
import { namesIn, syncFolder, TaskFolders } from './taskFolders.ts';

/** The bytes of one image, complete and synced, but not published yet. */
export interface StagedFile {
  stagedPath: string;
  /** In bytes. */
  size: number;
  sha256: string;
  /** Detected from the bytes; undefined if Limner does not support the format. */
  mediaType?: string;
  /** Upright, in pixels. */
  width?: number;
  height?: number;
  seemsCut?: true;
  /** Other damage, once the image was checked, in English. */
  damage?: string;
  /** The bytes are damaged base64, as the service sent it. */
  isText?: true;
}

export interface StagingSink extends ImageSink {
  readonly file: StagedFile | undefined;
}

/** Ends the name of a complete file; any other file is incomplete. */
const wholeSuffix = '.image';
const partSuffix = '.part';
/** Ends the name of a complete text, which other processes ignore. */
const textSuffix = '.text';
/** Names of images from the service: index and fence. */
const ofWhole = /^\d+-\d+\.image$/u;
const ofPart = /^\d+-\d+\.part$/u;
const ofPartEnd = /\.part$/u;

/** Bytes read or written at once: few enough to hash between two frames, and enough to need few calls. */
const pieceLength = 512 * 1024;

/** Bytes after which the disk begins to flush while more arrive. */
const flushLength = 4 * 1024 * 1024;

/** The folder for incoming images, with one folder for each task, until they are published. */
export class StagingStore extends TaskFolders {
  /** Returns a sink for the image with this index; `fence` separates the files of windows that fetch the same image. */
  sink(taskId: string, index: number, fence: number): StagingSink {
    return new FileSink(join(this.folder, taskId), `${index}-${fence}`);
  }

  /** Returns a sink for this process's own copy of the image with this index. */
  copySink(taskId: string, index: number): StagingSink {
    return new FileSink(join(this.folder, taskId), `copy-${index}-${randomUUID()}`);
  }

  /** Returns a sink for the outcome of a step on the image with this index; `stagedFiles` ignores it. */
  madeSink(taskId: string, step: 'composed' | 'finished', index: number, fence: number): StagingSink {
    return new FileSink(join(this.folder, taskId), `${step}-${index}-${fence}`);
  }

  inputCopyPath(taskId: string, { sha256 }: TaskInput): string {
    return join(this.folder, taskId, `input-${sha256}`);
  }

  /** Keeps a copy of an input for the steps after the images arrive, if it can be copied. */
  async copyInput(taskId: string, input: TaskInput): Promise<void> {
    const copy = this.inputCopyPath(taskId, input);
    if (copy !== input.path) {
      await mkdir(dirname(copy), { recursive: true })
        .then(async () => copyFile(input.path, copy))
        .catch(() => {});
    }
  }

  /**
   * Returns the images of a task that are complete on disk but not in its row, by index. A file with a complete end
   * counts even under its temporary name: Windows may have refused the renaming until the process was gone.
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
   * Finds an image whose path in the row does not exist here. Another process may write the same folder differently,
   * such as with a drive letter, or may have renamed the file.
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
   * Whether an ended task still needs its folder: for unsaved images, or for the inputs from which pixels are restored
   * if a user fetches more images.
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
 * Returns the images of a response. Inline images have the index of their sink, which names their bytes on disk. Images
 * to be fetched come after them, so that the indexes never collide.
 *
 * @param fileOf returns the bytes of a sink; undefined if they are incomplete
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

export function hashOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(path)) {
    hash.update(piece);
  }
  return hash.digest('hex');
}

/** Reads a file in pieces. Each piece is only valid until the next one is read. */
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

/** Returns the first bytes of a file. @param length most bytes to return */
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

/** Collects bytes into large pieces, and fills the next piece while one is written. */
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
    // The rest is removed with its folder.
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
    // From here on, the image is complete and paid for, so it stays even if something fails.
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
    // It may already be closed if closing failed.
    await handle?.close().catch(() => {});
    await unlink(this.#part).catch(() => {});
  }

  async #writePiece(): Promise<void> {
    await this.#writing;
    const piece = this.#filling.subarray(0, this.#filled);
    this.#writing = this.#append(piece).catch(rethrow);
    // The error surfaces when the next piece is written.
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
      // The error surfaces on closing: the disk reports it only once.
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

export async function writeWhole(handle: FileHandle, bytes: Buffer): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) {
    const { bytesWritten } = await handle.write(rest);
    if (bytesWritten === 0) {
      throw saveFailed(english.t("The disk doesn't accept more of the image."));
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
      throw saveFailed(english.t('The image is no file.'));
    }
    const { size } = found;
    return { stagedPath, size, sha256: await hashFile(stagedPath), ...(await inspectImage(handle, size)) };
  } finally {
    await handle.close();
  }
}

/** Returns format and dimensions, and whether the end is complete. */
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
