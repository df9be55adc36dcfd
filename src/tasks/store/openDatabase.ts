import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isHeld } from '../../common/fileErrors.ts';
import { rename, renameAtOnce, rm, whileHeld } from '../../common/disk/heldFiles.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { sleep, type Clock } from '../../common/clock.ts';
import { currentFile, nextFile } from './currentFile.ts';
import { Database, identityOf } from './database.ts';
import { databaseTrouble, isBusy, isCorrupt, isRowDamage } from './databaseErrors.ts';
import { makeFolder } from '../../common/disk/folders.ts';
import type { Log } from '../../common/log.ts';
import type { Notice } from '../ports.ts';
import { salvage } from './salvage.ts';
import { isOnNetwork } from './networkFolder.ts';
import { migrate, schemaVersion, versionOf } from './schema.ts';
import { finishSettingAside, setAside, setFormerAside } from './setAside.ts';
import { takeBack } from './takeBack.ts';

export interface OpenOptions {
  /** Path of the database. */
  file: string;
  clock: Clock;
  log: Log;
  notice(notice: Notice): void;
  /** Whether a folder is on a network file system; the operating system is asked unless this is given. */
  isOnNetwork?: (folder: string) => Promise<boolean>;
}

/** How long another process may keep a list from being moved before it is done without that, in milliseconds. */
const patienceToMove = 300;

class DamagedError extends Error {}

/** How long opening waits for another window that holds the database, in milliseconds. */
const patience = 10_000;

/**
 * Opens or creates the database and brings its schema up to date. One that is damaged or from a newer version
 * is renamed, never deleted, and a notice says so; what can be read of a damaged one is taken over, and a newer one is
 * taken back by the version that can read it.
 *
 * @throws LimnerError `save_failed` when the file cannot be written or the database stays locked
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { file, clock } = options;
  const start = clock.now();
  try {
    await makeFolder(dirname(file));
    const wal = !(await (options.isOnNetwork ?? isOnNetwork)(dirname(file)));
    for (;;) {
      try {
        return await attempt(options, wal);
      } catch (error) {
        if (!isBusy(error) || clock.now() - start >= patience) {
          throw error;
        }
      }
      await sleep(clock, 50 + 50 * Math.random());
    }
  } catch (error) {
    throw new LimnerError('save_failed', `Couldn't open the task list ${file}. ${databaseTrouble(error)}`, {
      phase: 'save',
      billing: 'no',
      sent: false,
      cause: error,
    });
  }
}

/** Has the whole file checked when it is next opened, be it after a crash. */
export function suspect(file: string): void {
  try {
    writeFileSync(suspectMarker(file), '');
  } catch {
    // A disk that takes no more says so elsewhere.
  }
}

async function attempt(options: OpenOptions, wal: boolean): Promise<Database> {
  const { file, clock } = options;
  if (!existsSync(currentFile(file))) {
    finishSettingAside(file);
    if (existsSync(repairedPath(file))) {
      // An earlier repair was cut off after the damaged file was set aside.
      await rename(repairedPath(file), file);
    }
  }
  setFormerAside(file, clock.now());
  const identity = identityOf(currentFile(file));
  let newer = false;
  let database: Database | undefined;
  try {
    database = new Database(file, clock, wal);
    await migrate(database).catch((error: unknown) => {
      // SQLite checks every row when a column is added.
      throw isRowDamage(error) ? new DamagedError('A row is damaged.', { cause: error }) : error;
    });
    newer = versionOf(database) > schemaVersion;
    if (!newer) {
      probe(database, existsSync(suspectMarker(file)));
      await unmark(file);
      await takeBack(database, options);
      return database;
    }
    database.close();
  } catch (error) {
    database?.close();
    if (!isCorrupt(error) && !(error instanceof DamagedError)) {
      throw error;
    }
  }
  await (newer ? replaceNewer(options, identity) : replaceDamaged(options, identity));
  return attempt(options, wal);
}

/** Whoever opens a list that stays marked checks it once more. */
async function unmark(file: string): Promise<void> {
  await rm(suspectMarker(file), { force: true }).catch(() => {});
}

/** Returns the path of the file that marks a database as found damaged while in use. */
function suspectMarker(file: string): string {
  return `${file}.suspect`;
}

/**
 * Returns the path of what could be read of a damaged database, on its way to that one's place. Another version may have
 * left it there: the name stays.
 */
function repairedPath(file: string): string {
  return `${file}.mended`;
}

/** The columns of whole numbers that this program must be able to read. */
const numbers = {
  tasks: ['revision', 'fence'],
  removed: ['revision'],
  owners: ['pid', 'beat'],
  spent: ['tasks'],
};

/**
 * Touches every table, so that a damaged file, or one that cannot be written, shows itself now.
 *
 * @throws DamagedError when a check of the whole file, if asked for, finds damage
 */
function probe(database: Database, whole: boolean): void {
  if (whole) {
    if (Object.values(database.get('PRAGMA integrity_check(1)') ?? {})[0] !== 'ok') {
      throw new DamagedError('The database is damaged.');
    }
    for (const [table, columns] of Object.entries(numbers)) {
      const ends = columns.flatMap((column) => [`min(${column})`, `max(${column})`]);
      database.get(`SELECT ${ends.join(', ')} FROM ${table}`);
    }
  }
  for (const table of ['tasks', 'removed', 'owners', 'meta', 'spent']) {
    database.get(`SELECT * FROM ${table} LIMIT 1`);
  }
  try {
    database.exec('DELETE FROM removed WHERE false');
  } catch (error) {
    if (!isBusy(error)) {
      throw error;
    }
  }
}

async function replaceNewer(options: OpenOptions, identity: string | undefined): Promise<void> {
  const { file, log, clock } = options;
  let aside: string | undefined;
  try {
    aside = await whileHeld(() => setAside(file, 'newer', identity, clock.now()), patienceToMove);
  } catch (error) {
    if (isHeld(error)) {
      throw new Error('A newer version of Limner is using it. Update this one.', { cause: error });
    }
    throw error;
  }
  if (aside !== undefined) {
    log.warn(`The task list was created by a newer version of Limner. It is kept as ${aside}.`);
    options.notice({ code: 'database_newer', file: aside });
  }
}

/** Builds a new database from what can be read of the damaged one, and only then lets it take that one's place. */
async function replaceDamaged(options: OpenOptions, identity: string | undefined): Promise<void> {
  const { file, clock, log } = options;
  const repairing = `${file}.repairing-${process.pid}-${Math.random().toString(36).slice(2)}`;
  let tasks: number;
  try {
    const fresh = new Database(repairing, clock, false);
    try {
      await migrate(fresh);
      tasks = await fresh.transaction('full', patience, () => salvage(currentFile(file), fresh));
    } finally {
      fresh.close();
    }
    await rename(repairing, repairedPath(file));
  } catch (error) {
    await rm(repairing, { force: true });
    throw error;
  }
  const kept = await takePlace(file, identity, clock.now());
  if (kept !== undefined) {
    await unmark(file);
    log.warn(`The task list was damaged and is kept as ${kept}. Tasks recovered from it: ${tasks}.`);
    options.notice({ code: 'database_corrupt', file: kept, tasks });
  } else if (existsSync(currentFile(file))) {
    // Another window was faster.
    await rm(repairedPath(file), { force: true });
  }
}

/**
 * Has the repaired database take the place of the damaged one: by its name or, where a process has that one open on
 * Windows, by the next number. There, that process goes on reading it until it sees the new one.
 *
 * @returns where the damaged one is kept; undefined when another window was faster
 */
async function takePlace(
  file: string,
  identity: string | undefined,
  at: number,
): Promise<string | undefined> {
  const damaged = currentFile(file);
  let aside: string | undefined;
  if (damaged === file) {
    try {
      aside = await whileHeld(() => setAside(file, 'damaged', identity, at), patienceToMove);
      if (aside !== undefined) {
        await whileHeld(() => renameAtOnce(repairedPath(file), file), patienceToMove);
      }
      return aside;
    } catch (error) {
      if (!isHeld(error)) {
        throw error;
      }
    }
  }
  const isSame = identity !== undefined && identityOf(currentFile(file)) === identity;
  if (aside === undefined && !isSame) {
    return undefined;
  }
  renameAtOnce(repairedPath(file), nextFile(file));
  return aside ?? damaged;
}
