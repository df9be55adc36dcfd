import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { filesKept } from '../../common/resultAvailability.ts';
import { makeFolder, sweepFolder } from '../../common/folders.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { hashFile, hashOf } from './stagingStore.ts';
import { namesIn, syncFolder } from './taskFolders.ts';

/** Copies of images that a person replaced or discarded, kept for a while. */
export class KeptFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Keeps a copy of an image, whole and safe from a power cut, and deletes those that are too old. @returns its path */
  async keep(bytes: Uint8Array): Promise<string> {
    await this.sweep();
    await makeFolder(this.#folder);
    // Not under the file's own name, which a suffix may make too long.
    const path = join(this.#folder, `${hashOf(bytes)}.${sniffImage(bytes)?.extension ?? 'bin'}`);
    // An earlier copy, which another image may need, stays as it is until this one is whole.
    const part = `${path}.${randomUUID()}`;
    try {
      const file = await open(part, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    await syncFolder(this.#folder);
    return path;
  }

  /** Returns the path of a copy with these contents, a SHA-256 in hex; undefined when none is kept. */
  async find(sha256: string): Promise<string | undefined> {
    for (const name of await namesIn(this.#folder)) {
      const path = join(this.#folder, name);
      if (name.startsWith(sha256) && (await hashFile(path).catch(() => undefined)) === sha256) {
        return path;
      }
    }
    return undefined;
  }

  /** Deletes copies that are too old. */
  async sweep(): Promise<void> {
    await sweepFolder(this.#folder, filesKept);
  }
}
