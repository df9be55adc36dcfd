import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';
import { filesLike } from '../support/folders.ts';

/** A path of a TypeScript file in quotes: an import, or a program that is started. */
const named = /(['"`])([^'"`\n]+\.tsx?)\1/gu;
const typeImports = /^(?:import|export) type [^;]*;$/gmu;

/** Finds the unit tests that run a source file, by who names whom. */
export class CoveringTests {
  readonly #folder: string;
  readonly #tests: readonly string[];
  readonly #users = new Map<string, string[]>();
  readonly #used = new Map<string, Set<string>>();

  /** @param folder the project */
  constructor(folder: string) {
    this.#folder = folder;
    this.#tests = filesLike('test/unit/**/*.test.ts', folder);
    for (const file of filesLike('{src,test/unit,test/support,test/readers}/**/*.{ts,tsx}', folder)) {
      const named = this.#namedBy(file);
      this.#used.set(file, named);
      for (const used of named) {
        this.#users.set(used, [...(this.#users.get(used) ?? []), file]);
      }
    }
  }

  /**
   * Returns the tests of its own room that run a file: those that import it or have its name, then those in the folder
   * that mirrors its own and in the ones close by. Of equally close ones, the longest come last: they take longest, too.
   */
  of(file: string): string[] {
    const distances = new Map([[file, 0]]);
    for (const [used, distance] of distances) {
      for (const user of this.#users.get(used) ?? []) {
        if (!distances.has(user)) {
          distances.set(user, distance + 1);
        }
      }
    }
    const mirror = dirname(file.replace(/^src\//u, 'test/unit/'));
    const room = mirror.split('/').slice(0, 3).join('/');
    const steps = (test: string): number =>
      distances.get(test) === 1 || basename(test, '.test.ts') === basename(file, '.ts')
        ? 0
        : 1 + posix.relative(mirror, dirname(test)).split('/').filter(Boolean).length;
    const size = (test: string): number => statSync(join(this.#folder, test)).size;
    return this.#tests
      .filter((test) => test.startsWith(`${room}/`) && distances.has(test))
      .toSorted((one, other) => steps(one) - steps(other) || size(one) - size(other));
  }

  /** Returns a hash of a test and of all that it runs. */
  hash(test: string): string {
    const read = new Set([test]);
    for (const file of read) {
      for (const used of this.#used.get(file) ?? []) {
        read.add(used);
      }
    }
    const hash = createHash('sha256').update(test);
    for (const file of [...read].toSorted()) {
      hash.update(readFileSync(join(this.#folder, file)));
    }
    return hash.digest('hex').slice(0, 32);
  }

  #namedBy(file: string): Set<string> {
    const text = readFileSync(join(this.#folder, file), 'utf8').replaceAll(typeImports, '');
    const folders = [join(this.#folder, dirname(file)), this.#folder];
    return new Set(
      [...text.matchAll(named)]
        .flatMap(
          ([, , path = '']) =>
            folders.map((from) => resolve(from, path)).find((found) => existsSync(found)) ?? [],
        )
        .map((found) => relative(this.#folder, found).replaceAll('\\', '/')),
    );
  }
}
