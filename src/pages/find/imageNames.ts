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

function nameOf(path: string): string {
  return comparable(path.slice(path.lastIndexOf('/') + 1));
}

/** Systems differ in case, and in how they write accents. */
function comparable(path: string): string {
  return path.normalize().toLowerCase();
}
