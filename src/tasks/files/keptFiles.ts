import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { filesKept } from '../../common/keptFiles.ts';
import { makeFolder } from '../../common/makeFolder.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
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
    const name = createHash('sha256').update(bytes).digest('hex');
    const path = join(this.#folder, `${name}.${sniffImage(bytes)?.extension ?? 'bin'}`);
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

  /** Deletes copies that are too old. */
  async sweep(): Promise<void> {
    for (const name of await namesIn(this.#folder)) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtimeMs < Date.now() - filesKept) {
        // Another window removed it, or it can't be removed; what remains is swept next time.
        await rm(path, { force: true }).catch(() => {});
      }
    }
  }
}
