import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { renameAtOnce, rm } from '../../common/heldFiles.ts';
import { currentFile, formerFiles } from './currentFile.ts';
import { identityOf } from './database.ts';

const companions = ['-wal', '-shm', '-journal'];

/**
 * Renames an unusable database and its companions.
 *
 * @param identity of the unusable file, which another window may have set aside already
 * @param at Unix milliseconds
 * @returns the new path; undefined if the path now names another file
 * @throws Error of the operating system: Windows doesn't rename a file that another process has open
 */
export function setAside(
  file: string,
  why: 'newer' | 'damaged',
  identity: string | undefined,
  at: number,
): string | undefined {
  const current = currentFile(file);
  if (identity === undefined || identityOf(current) !== identity) {
    return undefined;
  }
  return moveAside(current, file, why, at);
}

/** Marks a list as damaged that was set aside for another reason. */
export function setAsideAsDamaged(aside: string, file: string, at: number): void {
  moveAside(aside, file, 'damaged', at);
}

/** Deletes a list that was set aside, and its companions. */
export async function deleteAside(aside: string): Promise<void> {
  for (const suffix of ['', ...companions]) {
    await rm(aside + suffix, { force: true });
  }
}

/** Deletes lists that were set aside. @param newer whether also those of newer versions */
export async function deleteAllAside(file: string, newer: boolean): Promise<void> {
  const damaged = [...listsAside(file, 'damaged'), ...formerFiles(file)];
  for (const aside of [...damaged, ...(newer ? newerAside(file) : [])]) {
    await deleteAside(aside);
  }
}

/** Sets aside replaced lists that no window has open any more. */
export function setFormerAside(file: string, at: number): void {
  for (const former of formerFiles(file)) {
    try {
      moveAside(former, file, 'damaged', at);
    } catch {
      // The next process that opens the list does it.
    }
  }
}

function moveAside(from: string, file: string, why: 'newer' | 'damaged', at: number): string {
  const stamp = new Date(at)
    .toISOString()
    .replaceAll(/[^0-9]/g, '')
    .slice(0, 14);
  const base = `${file}.${why}-${stamp}`;
  let aside = base;
  for (let number = 2; existsSync(aside); number++) {
    aside = `${base}-${number}`;
  }
  // Without interruption: a new database must not find the log of the old one beside it.
  renameAtOnce(from, aside);
  for (const suffix of companions) {
    if (existsSync(from + suffix)) {
      renameAtOnce(from + suffix, aside + suffix);
    }
  }
  return aside;
}

/** Moves the companions of a database that was set aside before an interruption: a leftover log would be read. */
export function finishSettingAside(file: string): void {
  const latest = [...listsAside(file, 'damaged'), ...newerAside(file)]
    .toSorted((one, other) => (stampOf(one) < stampOf(other) ? -1 : 1))
    .at(-1);
  for (const suffix of companions) {
    if (latest !== undefined && existsSync(file + suffix)) {
      renameAtOnce(file + suffix, latest + suffix);
    }
  }
}

/** Returns the paths of lists that were set aside as newer, oldest first. */
export function newerAside(file: string): string[] {
  return listsAside(file, 'newer');
}

function listsAside(file: string, why: 'newer' | 'damaged'): string[] {
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(`${basename(file)}.${why}-`))
    .filter((name) => !companions.some((suffix) => name.endsWith(suffix)))
    .toSorted()
    .map((name) => join(dirname(file), name));
}

function stampOf(aside: string): string {
  return aside.replace(/^.*-(?=\d{14})/su, '');
}

/** Whether a database was set aside here: its tasks are not in the list, but may have images. */
export function hasSetAside(file: string): boolean {
  return [...newerAside(file), ...listsAside(file, 'damaged'), ...formerFiles(file)].length > 0;
}
