import { posix } from 'node:path';
import { isInside } from '../sites/places.ts';
import { foreignFolders } from './excluded.ts';
import type { PageFiles } from './layouts.ts';

/** The files that count as images of a workspace. */
const imageName = /\.(?:png|jpe?g|webp|gif|svg|avif)$/iu;
/** The most files that one address may mean. */
const mostFound = 3;
/** The most images that are remembered of a workspace folder. */
const mostImages = 100_000;

/** The image files of a workspace, to find one whose name matches an address that leads elsewhere. */
export class ImageNames {
  /** Paths, and the paths to compare, by file names to compare. */
  readonly #paths = new Map<string, Map<string, string>>();
  /** The files that were found, by address. */
  readonly #found = new Map<string, string[]>();

  /** @param path with `/` */
  add(path: string): void {
    const name = nameOf(path);
    const paths = this.#paths.get(name) ?? new Map<string, string>();
    this.#paths.set(name, paths.set(path, comparable(path)));
    this.#found.clear();
  }

  delete(path: string): void {
    this.#paths.get(nameOf(path))?.delete(path);
    this.#found.clear();
  }

  /**
   * Returns the files whose paths end with the address or, if there are none, with the address without its first folder.
   *
   * @param address without query, fragment, and percent-encoding
   */
  endingWith(address: string): string[] {
    const known = this.#found.get(address);
    if (known) {
      return known;
    }
    const parts = address.split('/').filter((part) => !/^(?:\.{0,2}|[@~])$/u.test(part));
    const paths = [...(this.#paths.get(nameOf(address)) ?? [])];
    const endingWith = (end: readonly string[]): string[] => {
      const compared = comparable(`/${end.join('/')}`);
      return paths.filter(([, path]) => path.endsWith(compared)).map(([path]) => path);
    };
    const whole = endingWith(parts);
    const found = whole.length > 0 || parts.length < 2 ? whole : endingWith(parts.slice(1));
    this.#found.set(address, found);
    return found;
  }
}

/** Knows the images in a folder and those below it by their names; reads the folders when it is first asked. */
export class ImagesBelow {
  readonly #files: PageFiles;
  readonly #root: string;
  #names: Promise<ImageNames> | undefined;

  constructor(files: PageFiles, root: string) {
    this.#files = files;
    this.#root = root;
  }

  /**
   * Returns files that a path may mean although it leads elsewhere.
   *
   * @param path of an address
   * @param folder the files are below it
   */
  async like(path: string, folder = this.#root): Promise<string[]> {
    this.#names ??= this.#read();
    const found = (await this.#names)
      .endingWith(path)
      .filter((one) => isInside(one, folder))
      .slice(0, mostFound);
    // A folder may be deleted without a word from the watcher.
    const stats = await Promise.all(found.map(async (one) => this.#files.stat(one).catch(() => undefined)));
    return found.filter((_, index) => stats[index]);
  }

  add(path: string): void {
    void this.#names?.then((names) => names.add(path));
  }

  delete(path: string): void {
    void this.#names?.then((names) => names.delete(path));
  }

  /** Leaves out folders that hold what others wrote. */
  async #read(): Promise<ImageNames> {
    const names = new ImageNames();
    const folders = [this.#root];
    let count = 0;
    for (let folder = folders.shift(); folder !== undefined && count < mostImages; folder = folders.shift()) {
      try {
        for await (const [name, kind] of this.#files.entries(folder)) {
          if (kind === 'folder' && !foreignFolders.includes(name)) {
            folders.push(posix.join(folder, name));
          } else if (kind !== 'folder' && imageName.test(name)) {
            names.add(posix.join(folder, name));
            count++;
          }
        }
      } catch {
        // A folder that can't be read holds no image that anybody could use.
        continue;
      }
    }
    return names;
  }
}

function nameOf(path: string): string {
  return comparable(path.slice(path.lastIndexOf('/') + 1));
}

/** Systems differ in case, and in how they write accents. */
function comparable(path: string): string {
  return path.normalize().toLowerCase();
}
