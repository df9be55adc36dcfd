import { stat } from 'node:fs/promises';
import { inOneNotation, isSameFile, nameOfUri, pathOfUri, wayInto } from '../../common/fileUris.ts';
import { Semaphore } from '../../common/semaphore.ts';
import { hashFile } from '../files/stagingStore.ts';
import type { Task, TaskResult } from '../task/task.ts';
import type { Moved, TaskEvent } from '../task/taskEvent.ts';
import type { SavedFile, TaskStore } from './taskStore.ts';

/** The most files of one size that are read to find an image. */
const mostRead = 20;

/** A file by what is known of it: an image of a task, or one of its inputs. */
export type KnownFile = Pick<TaskResult, 'uri' | 'size' | 'sha256'>;

type Source = Pick<TaskStore, 'get' | 'allSavedAs' | 'withContents' | 'withFilesIn' | 'applyAll'>;

/** Which file is which image, also after files were renamed, copied, or put in the place of others. */
export class SavedFiles {
  readonly #store: Source;
  /** Changes of names are recorded in the order in which they happened. */
  readonly #turns = new Semaphore(() => 1);

  constructor(store: Source) {
    this.#store = store;
  }

  /** Follows files, and folders with all that is in them, that were renamed one after the other. */
  async move(files: readonly Moved[]): Promise<void> {
    await this.#turns.use(1, async () => {
      for (const moved of files) {
        await this.#move(moved);
      }
    });
  }

  async #move({ from, to }: Moved): Promise<void> {
    const [before, after] = [inOneNotation(from), inOneNotation(to)];
    const events = new Map<string, TaskEvent>();
    for (const task of this.#store.withFilesIn(from)) {
      const files: Moved[] = [];
      for (const uri of new Set(urisOf(task))) {
        const way = wayInto(before, uri);
        const there = after + uri.slice(before.length);
        if (way !== undefined && (await this.#follows(task, uri, way === '', there))) {
          files.push({ from: uri, to: there });
        }
      }
      events.set(task.id, { type: 'moved', files });
    }
    await this.#store.applyAll(events);
  }

  /** Whether a file of a task is now elsewhere: it is an input, or its image rather than another one with its name. */
  async #follows(task: Task, uri: string, isFile: boolean, there: string): Promise<boolean> {
    const results = task.results.filter((result) => result.uri === uri);
    // A deleted image had no file. If its folder is renamed, it returns there.
    const lives = results.filter(({ discarded }) => !discarded);
    return lives.length === 0
      ? results.length === 0 || !isFile
      : (await Promise.all(lives.map(async ({ index }) => this.#isOf(task, index, uri, there)))).some(
          Boolean,
        );
  }

  /**
   * Whether the file with an image's name is that image, whatever is done to it there: another one may have been saved or
   * renamed to it since.
   */
  async isOf(task: Task, { index, uri = '' }: TaskResult): Promise<boolean> {
    return this.#isOf(task, index, uri, uri);
  }

  async #isOf({ id }: Task, index: number, uri: string, there: string): Promise<boolean> {
    const claims = this.#store.allSavedAs(uri);
    const [first] = claims;
    if (claims.length === 1 && (await sizeOfUri(there)) === first?.result.size) {
      return true;
    }
    const hash = await hashOfUri(there);
    const owner =
      claims.find(({ result }) => result.sha256 === hash) ??
      (hash === undefined ? undefined : await this.#renamed(hash)) ??
      first;
    return owner?.task.id === id && owner.result.index === index;
  }

  /** Returns the image whose file was renamed outside of VS Code; undefined if a file with its contents is a copy. */
  async #renamed(hash: string): Promise<SavedFile | undefined> {
    const image = this.#store.withContents(hash);
    const { uri, discarded, replacedOriginal } = image?.result ?? {};
    return uri === undefined ||
      discarded ||
      replacedOriginal?.sha256 === hash ||
      (await hashOfUri(uri)) === hash
      ? undefined
      : image;
  }

  /**
   * Looks for a file that is no longer where it was, by its contents, and records where an image is. An input may have
   * been copied before, so where that is only a user can say.
   *
   * @param filesOf returns the files of this size, in bytes, as URI strings
   * @returns its URI string; undefined if it isn't among them
   */
  async find(
    { id }: Task,
    { uri, size, sha256 }: KnownFile,
    filesOf: (size: number) => Promise<readonly string[]>,
  ): Promise<string | undefined> {
    return this.#turns.use(1, async () => {
      const task = this.#store.get(id);
      // A rename that was just recorded is followed already.
      if (!task || uri === undefined || size === undefined || !urisOf(task).includes(uri)) {
        return undefined;
      }
      const image = task.results.find((result) => result.uri === uri);
      const isOriginal = (file: string): boolean =>
        image?.replacedOriginal !== undefined && urisOf(task).some((one) => isSameFile(one, file));
      const [name, folder] = [nameOfUri(uri), uri.slice(0, uri.lastIndexOf('/'))];
      const isLikely = (file: string): number =>
        Number(nameOfUri(file) === name) * 2 + Number(file.startsWith(folder));
      const candidates = (await filesOf(size))
        .filter((file) => !image || !(isOriginal(file) || this.#isTaken(file, sha256)))
        .toSorted((one, other) => isLikely(other) - isLikely(one));
      for (const file of candidates.slice(0, mostRead)) {
        if ((await hashOfUri(file)) === sha256) {
          await (image && this.#record(id, uri, file));
          return file;
        }
      }
      return undefined;
    });
  }

  /** Whether a file with these contents is the image of another row. */
  #isTaken(uri: string, sha256: string | undefined): boolean {
    return this.#store.allSavedAs(uri).some(({ result }) => result.sha256 === sha256);
  }

  /** Records where the file of an image is. */
  async place({ id }: Task, { uri = '' }: KnownFile, to: string): Promise<void> {
    await this.#turns.use(1, async () => this.#record(id, uri, to));
  }

  async #record(id: string, from: string, to: string): Promise<void> {
    await this.#store.applyAll(new Map([[id, { type: 'moved', files: [{ from, to }] }]]));
  }
}

function urisOf({ results, request: { images = [], mask, original } }: Task): string[] {
  return [...results, ...images, mask, original].flatMap((file) => file?.uri ?? []);
}

/** Returns the size of a file on disk in bytes; undefined for any other. */
async function sizeOfUri(uri: string): Promise<number | undefined> {
  try {
    return (await stat(pathOfUri(uri))).size;
  } catch {
    return undefined;
  }
}

/** Returns the hash of a file on disk; undefined for any other, and for what can't be read. */
export async function hashOfUri(uri: string): Promise<string | undefined> {
  try {
    const path = pathOfUri(uri);
    return (await stat(path)).isFile() ? await hashFile(path) : undefined;
  } catch {
    return undefined;
  }
}
