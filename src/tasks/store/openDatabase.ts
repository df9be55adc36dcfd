import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LimnerError } from '../../common/limnerError.ts';
import { sleep, type Clock } from '../../common/clock.ts';
import { Database, identityOf } from './database.ts';
import { databaseTrouble, isBusy, isCorrupt } from './databaseErrors.ts';
import { makeFolder } from '../../common/folders.ts';
import type { Log } from '../../common/log.ts';
import type { Notice } from '../ports.ts';
import { salvage } from './salvage.ts';
import { migrate, schemaVersion, versionOf } from './schema.ts';
import { finishSettingAside, setAside } from './setAside.ts';

export interface OpenOptions {
  /** Path of the database. */
  file: string;
  clock: Clock;
  log: Log;
  notice(notice: Notice): void;
  /** Whether a folder is on a network file system; the operating system is asked unless this is given. */
  isOnNetwork?: (folder: string) => Promise<boolean>;
}

class DamagedError extends Error {}

/** How long opening waits for another window that holds the database, in milliseconds. */
const patience = 10_000;

/**
 * Opens or creates the database and brings its schema up to date. One that is damaged or from a newer version
 * is renamed, never deleted, and a notice says so; what can be read of a damaged one is taken over.
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
  if (!existsSync(file) && existsSync(repairedPath(file))) {
    // An earlier repair was cut off after the damaged file was set aside.
    finishSettingAside(file);
    renameSync(repairedPath(file), file);
  }
  const identity = identityOf(file);
  let newer = false;
  let database: Database | undefined;
  try {
    database = new Database(file, clock, wal);
    newer = versionOf(database) > schemaVersion;
    if (!newer) {
      await migrate(database);
      probe(database, existsSync(suspectMarker(file)));
      rmSync(suspectMarker(file), { force: true });
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
  const { file, log } = options;
  const aside = setAside(file, 'newer', identity, options.clock.now());
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
      tasks = await fresh.transaction('full', patience, () => salvage(file, fresh));
    } finally {
      fresh.close();
    }
    renameSync(repairing, repairedPath(file));
  } catch (error) {
    rmSync(repairing, { force: true });
    throw error;
  }
  const aside = setAside(file, 'damaged', identity, clock.now());
  if (aside !== undefined) {
    renameSync(repairedPath(file), file);
    rmSync(suspectMarker(file), { force: true });
    log.warn(`The task list was damaged and is kept as ${aside}. Tasks recovered from it: ${tasks}.`);
    options.notice({ code: 'database_corrupt', file: aside, tasks });
  } else if (existsSync(file)) {
    // Another window was faster.
    rmSync(repairedPath(file), { force: true });
  }
}

/**
 * Magic numbers of statfs(2): NFS, SMB, CIFS, SMB2, 9P, AFS, CODA, Ceph, Lustre, VirtualBox and VMware folders, and
 * FUSE, behind which may be anything.
 */
const networkFileSystems = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x73757245, 0x00c36400, 0x0bd00bd0,
  0x786f4256, 0xbacbacbc, 0x65735546,
]);

/** Whether a folder is on a network file system, where SQLite's write-ahead log corrupts. */
export async function isOnNetwork(folder: string): Promise<boolean> {
  if (folder.startsWith(String.raw`\\`)) {
    return true;
  }
  return isNetworkType((await statfs(folder, { bigint: true })).type);
}

/** Whether a type is one of `networkFileSystems`; where `long` has 32 bits, the sign of a number is repeated. */
export function isNetworkType(type: bigint): boolean {
  return networkFileSystems.has(Number(BigInt.asUintN(32, type)));
}
