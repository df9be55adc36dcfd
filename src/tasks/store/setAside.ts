import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { renameAtOnce, rm } from '../../common/disk/heldFiles.ts';
import { currentFile, formerFiles } from './currentFile.ts';
import { identityOf } from './database.ts';

/** Suffixes of the files that SQLite keeps beside a database. */
const companions = ['-wal', '-shm', '-journal'];

/**
 * Renames a database that cannot be used, with what belongs to it.
 *
 * @param identity of the file that was found unusable: another window may have set it aside already
 * @param at Unix milliseconds
 * @returns the new path; undefined when the file is another one by now
 * @throws Error of the operating system: Windows doesn't rename what another process has open
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

/** Sets a list aside as damaged that was set aside for another reason. */
export function setAsideAsDamaged(aside: string, file: string, at: number): void {
  moveAside(aside, file, 'damaged', at);
}

/** Deletes a list that was set aside, with what belongs to it. */
export async function deleteAside(aside: string): Promise<void> {
  for (const suffix of ['', ...companions]) {
    await rm(aside + suffix, { force: true });
  }
}

/** Sets aside what windows had open while it was replaced, as far as none has by now. */
export function setFormerAside(file: string, at: number): void {
  for (const former of formerFiles(file)) {
    try {
      moveAside(former, file, 'damaged', at);
    } catch {
      // The next one that opens the list does it.
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
  // In one go: a new database must not find the log of the old one beside it.
  renameAtOnce(from, aside);
  for (const suffix of companions) {
    if (existsSync(from + suffix)) {
      renameAtOnce(from + suffix, aside + suffix);
    }
  }
  return aside;
}

/** Completes setting aside where it was cut off after the database itself: a log that is left would be read. */
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

/** Returns the paths of lists that were set aside as newer, the first one first. */
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

/** Whether a database lies here that was set aside: its tasks are not in the list, but may have images. */
export function hasSetAside(file: string): boolean {
  return [...newerAside(file), ...listsAside(file, 'damaged'), ...formerFiles(file)].length > 0;
}
