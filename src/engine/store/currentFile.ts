import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileTrouble } from '../../common/fileErrors.ts';

/**
 * Returns the path of the current database. On Windows, nobody can rename a damaged database that another process has
 * open, so the repaired one then gets the next number in its name.
 *
 * @param file path of the first database
 */
export function currentFile(file: string): string {
  const last = numbersOf(file).at(-1) ?? 0;
  return pathOf(file, last);
}

/** Returns the path for the successor of the current database. */
export function nextFile(file: string): string {
  return pathOf(file, (numbersOf(file).at(-1) ?? 0) + 1);
}

/** Returns the paths of replaced databases that could not be moved yet. */
export function formerFiles(file: string): string[] {
  return numbersOf(file)
    .slice(0, -1)
    .map((number) => pathOf(file, number));
}

function pathOf(file: string, number: number): string {
  return number === 0 ? file : `${file}.repaired-${number}`;
}

function numbersOf(file: string): number[] {
  const name = basename(file);
  return namesBeside(file)
    .flatMap((other) => {
      const number = Number(other.replace(`${name}.repaired-`, ''));
      return other === name ? [0] : other === basename(pathOf(file, number)) ? [number] : [];
    })
    .toSorted((one, other) => one - other);
}

function namesBeside(file: string): string[] {
  try {
    return readdirSync(dirname(file));
  } catch (error) {
    if (fileTrouble(error) === 'gone') {
      return [];
    }
    throw error;
  }
}
