import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as english from '../../common/english.ts';
import { isHeld } from '../../common/fileErrors.ts';
import { rename, renameAtOnce, rm, whileHeld } from '../../common/heldFiles.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { sleep, type Clock } from '../../common/clock.ts';
import { currentFile, nextFile } from './currentFile.ts';
import { Database, identityOf } from './database.ts';
import { databaseTrouble, isBusy, isCorrupt, isRowDamage, mayPass } from './databaseErrors.ts';
import { makeFolder } from '../../common/folders.ts';
import type { Log } from '../../common/log.ts';
import type { Notice } from '../task/ports.ts';
import { salvage } from './salvage.ts';
import { isOnNetwork } from './networkFolder.ts';
import { migrate, schemaVersion, versionOf } from './schema.ts';
import { finishSettingAside, setAside, setFormerAside } from './setAside.ts';
import { takeBack } from './takeBack.ts';

export interface OpenOptions {
  file: string;
  clock: Clock;
  log: Log;
  notice(notice: Notice): void;
  /** Whether a folder is on a network file system; asks the operating system by default. */
  isOnNetwork?: (folder: string) => Promise<boolean>;
}

/** How long to wait for another process that keeps a list from being moved, in milliseconds. */
const patienceToMove = 300;

class DamagedError extends Error {}

/** How long opening waits for another process that holds the database, in milliseconds. */
const patience = 10_000;

/**
 * Opens or creates the database and updates its schema. A database that is damaged or from a newer version is renamed,
 * never deleted, and a notice says so. Readable data of a damaged one is copied; a newer one is taken back by a version
 * that can read it.
 *
 * @throws LimnerError `save_failed` when the file can't be written or the database stays locked
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
        if (!mayPass(error) || clock.now() - start >= patience) {
          throw error;
        }
      }
      await sleep(clock, 50 + 50 * Math.random());
    }
  } catch (error) {
    throw new LimnerError(
      'save_failed',
      english.t("Couldn't open the task list {0}. {1}", file, databaseTrouble(error)),
      {
        phase: 'save',
        billing: 'no',
        sent: false,
        cause: error,
      },
    );
  }
}

/** Requests a check of the whole file when it is next opened, even after a crash. */
export function suspect(file: string): void {
  try {
    writeFileSync(suspectMarker(file), '');
  } catch {
    // A full or read-only disk reports an error elsewhere.
  }
}

async function attempt(options: OpenOptions, wal: boolean): Promise<Database> {
  const { file, clock } = options;
  if (!existsSync(currentFile(file))) {
    finishSettingAside(file);
    if (existsSync(repairedPath(file))) {
      // An earlier repair was interrupted after it set the damaged file aside.
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
      throw isRowDamage(error) ? new DamagedError(english.t('A row is damaged.'), { cause: error }) : error;
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

/** If the marker stays, the next opening checks the list once more. */
async function unmark(file: string): Promise<void> {
  await rm(suspectMarker(file), { force: true }).catch(() => {});
}

/** Returns the path of the file that marks a database as damaged while in use. */
function suspectMarker(file: string): string {
  return `${file}.suspect`;
}

/**
 * Returns the path of the repaired copy of a damaged database before it takes its place. Other versions may have left
 * it there, so the name must not change.
 */
function repairedPath(file: string): string {
  return `${file}.mended`;
}

const numbers = {
  tasks: ['revision', 'fence'],
  removed: ['revision'],
  owners: ['pid', 'beat'],
  spent: ['tasks'],
};

/**
 * Reads every table, so that damage or a read-only file shows itself now.
 *
 * @throws DamagedError when a check of the whole file, if requested, finds damage
 */
function probe(database: Database, whole: boolean): void {
  if (whole) {
    if (Object.values(database.get('PRAGMA integrity_check(1)') ?? {})[0] !== 'ok') {
      throw new DamagedError(english.t('The database is damaged.'));
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
      throw new Error(english.t('A newer version of Limner is using it. Update this one.'), { cause: error });
    }
    throw error;
  }
  if (aside !== undefined) {
    log.warn(english.t('The task list was created by a newer version of Limner. It is kept as {0}.', aside));
    options.notice({ code: 'database_newer', file: aside });
  }
}

/** Builds a new database from the readable data of the damaged one, and only then replaces it. */
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
 * Replaces the damaged database with the repaired one, under its name or, if a process has it open on Windows, under
 * the next number. That process keeps reading the old file until it notices the new one.
 *
 * @returns the new path of the damaged database; undefined if another window was faster
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
