import { randomUUID } from 'node:crypto';
import { open, stat, utimes } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { rename, rm } from '../../common/heldFiles.ts';
import { filesKept } from '../../common/taskStatus.ts';
import { makeFolder, sweepFolder } from '../../common/folders.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { portableName } from '../task/fileNames.ts';
import { hashInput } from './inputHash.ts';
import { hashOf } from './stagingStore.ts';
import { namesIn, syncFolder } from './taskFolders.ts';

/** Longest name of a copy without its extension, in UTF-8 bytes, so that its path fits the limits of Windows. */
const maxStemLength = 60;

/**
 * Copies of images that a user replaced or discarded, kept for a while. Each has its own name, which editors show, in a
 * folder named by its SHA-256. Copies of earlier versions have no folder and are themselves named by it.
 */
export class KeptFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Keeps a copy of an image, complete and synced, and deletes copies that are too old.
   *
   * @param name of its file
   * @returns the path of the copy
   */
  async keep(bytes: Uint8Array, name: string): Promise<string> {
    await this.sweep();
    const sha256 = hashOf(bytes);
    const folder = join(this.#folder, sha256);
    const path = join(folder, keptName(name, bytes));
    if ((await hashInput(path).catch(() => undefined)) !== sha256) {
      await this.#write(path, bytes);
    }
    // Not every file system updates a folder's time when a file is moved into it, and the age of a copy counts from it.
    const now = new Date();
    await utimes(folder, now, now);
    await syncFolder(folder);
    await syncFolder(this.#folder);
    return path;
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    await makeFolder(this.#folder);
    // Another image may need an earlier copy, which stays until this one is complete.
    const part = join(this.#folder, randomUUID());
    try {
      const file = await open(part, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await makeFolder(dirname(path));
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  /** Returns the path of the bytes with this SHA-256, in hex: the file itself while it is unchanged, or else a copy. */
  async whereabouts({ path, sha256 }: { path: string; sha256: string }): Promise<string | undefined> {
    const isUnchanged = (await hashInput(path).catch(() => undefined)) === sha256;
    return isUnchanged ? path : this.find(sha256);
  }

  /** Returns the path of a copy with this SHA-256, in hex; undefined if there is none. */
  async find(sha256: string): Promise<string | undefined> {
    for (const name of (await namesIn(this.#folder)).filter((one) => one.startsWith(sha256))) {
      const path = join(this.#folder, name);
      const isFolder = (await stat(path).catch(() => undefined))?.isDirectory();
      for (const copy of isFolder ? (await namesIn(path)).map((one) => join(path, one)) : [path]) {
        if ((await hashInput(copy).catch(() => undefined)) === sha256) {
          return copy;
        }
      }
    }
    return undefined;
  }

  /** Deletes copies that are too old. The age of a folder counts from its latest copy. */
  async sweep(): Promise<void> {
    await sweepFolder(this.#folder, filesKept);
  }
}

/** Returns the name of a copy: the file's name, made portable. */
function keptName(name: string, bytes: Uint8Array): string {
  const own = extname(name);
  const extension = /^\.[a-z]{1,5}$/iu.test(own) ? own : `.${sniffImage(bytes)?.extension ?? 'bin'}`;
  return portableName(name.slice(0, name.length - own.length), maxStemLength) + extension;
}
