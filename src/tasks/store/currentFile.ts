import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileTrouble } from '../../common/fileErrors.ts';

/**
 * Returns the path of the database that holds the list. Where a damaged one couldn't be moved, because Windows lets
 * nobody rename a file that another process has open, the repaired one has a name with the next number.
 *
 * @param file path of the first one
 */
export function currentFile(file: string): string {
  const last = numbersOf(file).at(-1) ?? 0;
  return pathOf(file, last);
}

/** Returns the path of the database that takes the place of the current one. */
export function nextFile(file: string): string {
  return pathOf(file, (numbersOf(file).at(-1) ?? 0) + 1);
}

/** Returns the paths of databases that another one has taken the place of, and that are still where they were. */
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
