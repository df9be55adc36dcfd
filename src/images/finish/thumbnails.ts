import { createHash, randomUUID } from 'node:crypto';
import { access, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rename, rm } from '../../common/heldFiles.ts';
import { makeFolder } from '../../common/folders.ts';
import type { Codecs } from './codecs.ts';

/** The longest side, in pixels. */
const side = 256;
/** The largest file that gets a thumbnail, in bytes. */
const maxFileSize = 64 * 1024 * 1024;
/** Maximum number kept from one session to the next. */
const maxKept = 1000;

/** Thumbnails of images on disk, each created once and kept in a folder. A changed file gets a new one. */
export class Thumbnails {
  readonly #folder: string;
  readonly #codecs: () => Promise<Pick<Codecs, 'thumbnail'>>;
  #sweeping: Promise<void> | undefined;

  constructor(folder: string, codecs: () => Promise<Pick<Codecs, 'thumbnail'>>) {
    this.#folder = folder;
    this.#codecs = codecs;
  }

  /** Returns the path of a file's thumbnail; undefined if none can be made. */
  async of(file: string): Promise<string | undefined> {
    await (this.#sweeping ??= this.#sweep());
    try {
      const { size, path } = await this.#placeOf(file);
      if (await isThere(path)) {
        return path;
      }
      return size > maxFileSize ? undefined : await this.#make(file, path);
    } catch {
      return undefined;
    }
  }

  async forget(file: string): Promise<void> {
    const place = await this.#placeOf(file).catch(() => undefined);
    if (place) {
      await rm(place.path).catch(() => {});
    }
  }

  async #placeOf(file: string): Promise<{ size: number; path: string }> {
    const { size, mtimeMs } = await stat(file);
    const name = createHash('sha256')
      .update(JSON.stringify([file, size, mtimeMs]))
      .digest('hex');
    return { size, path: join(this.#folder, `${name.slice(0, 32)}.webp`) };
  }

  async #make(file: string, path: string): Promise<string> {
    const codecs = await this.#codecs();
    const bytes = await codecs.thumbnail(await readFile(file), side);
    await makeFolder(this.#folder);
    const part = `${path}.${randomUUID()}`;
    await writeFile(part, bytes);
    await rename(part, path);
    return path;
  }

  async #sweep(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    if (names.length <= maxKept) {
      return;
    }
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        return { path, time: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
    );
    for (const { path } of files.toSorted((one, other) => other.time - one.time).slice(maxKept)) {
      // Another window may be sweeping, too.
      await rm(path).catch(() => {});
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
