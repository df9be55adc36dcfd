import { randomUUID } from 'node:crypto';
import { open, stat, utimes } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { rename, rm } from '../../common/disk/heldFiles.ts';
import { filesKept } from '../../common/resultAvailability.ts';
import { makeFolder, sweepFolder } from '../../common/disk/folders.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { portableName } from './fileNames.ts';
import { hashInput } from './inputHash.ts';
import { hashOf } from './stagingStore.ts';
import { namesIn, syncFolder } from './taskFolders.ts';

/** Longest name of a copy without its extension, in UTF-8 bytes: its path has to be one for Windows, too. */
const maxStemLength = 60;

/**
 * Copies of images that a person replaced or discarded, kept for a while: under their own names, by which editors show
 * them, in folders named by their SHA-256. Those of earlier versions are in no folder, and named by it themselves.
 */
export class KeptFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Keeps a copy of an image, whole and safe from a power cut, and deletes those that are too old.
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
    // Its age counts, and not every file system sees a file come into it.
    const now = new Date();
    await utimes(folder, now, now);
    await syncFolder(folder);
    await syncFolder(this.#folder);
    return path;
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    await makeFolder(this.#folder);
    // An earlier copy, which another image may need, stays as it is until this one is whole.
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

  /**
   * Returns where the bytes of a file are that had this SHA-256, in hex: there, as long as it is as it was, or in a copy
   * since it was replaced or deleted.
   */
  async whereabouts({ path, sha256 }: { path: string; sha256: string }): Promise<string | undefined> {
    const isUnchanged = (await hashInput(path).catch(() => undefined)) === sha256;
    return isUnchanged ? path : this.find(sha256);
  }

  /** Returns the path of a copy with these contents, a SHA-256 in hex; undefined when none is kept. */
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

  /** Deletes copies that are too old. A folder is as young as the latest copy that was put into it. */
  async sweep(): Promise<void> {
    await sweepFolder(this.#folder, filesKept);
  }
}

/** Returns the name of a copy: its file's, as far as every file system takes it. */
function keptName(name: string, bytes: Uint8Array): string {
  const own = extname(name);
  const extension = /^\.[a-z]{1,5}$/iu.test(own) ? own : `.${sniffImage(bytes)?.extension ?? 'bin'}`;
  return portableName(name.slice(0, name.length - own.length), maxStemLength) + extension;
}
