import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rename, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LimnerError } from '../service/limnerError.ts';
import { sleep } from './clock.ts';
import { Database, isBusy, isCorrupt } from './database.ts';
import type { Clock, Log, Notice } from './ports.ts';
import { migrate, schemaVersion, versionOf } from './schema.ts';

export interface OpenOptions {
  file: string;
  clock: Clock;
  log: Log;
  notice(notice: Notice): void;
}

class DamagedError extends Error {}

/** How long opening waits for another window that holds the database, in milliseconds. */
const patience = 10_000;

/** Magic numbers of statfs(2): NFS, SMB, CIFS, SMB2, 9P, AFS, CODA. */
const networkFileSystems = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x73757245,
]);

/**
 * Opens or creates the database and brings its schema up to date. One that is damaged or from a newer version
 * is renamed, never deleted, and a notice says so.
 *
 * @throws LimnerError `save_failed` when the folder cannot be written or the database stays locked
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { file, clock } = options;
  const start = clock.now();
  try {
    await mkdir(dirname(file), { recursive: true });
    const wal = !(await isOnNetwork(dirname(file)));
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
    throw new LimnerError('save_failed', `The task list ${file} cannot be opened: ${String(error)}`, {
      phase: 'save',
      billing: 'no',
      sent: false,
      cause: error,
    });
  }
}

async function attempt(options: OpenOptions, wal: boolean): Promise<Database> {
  const { file, clock } = options;
  const identity = identityOf(file);
  let problem: Notice['code'];
  let database: Database | undefined;
  try {
    database = new Database(file, clock, wal, () => suspect(file));
    if (versionOf(database) <= schemaVersion) {
      await migrate(database);
      probe(database, existsSync(suspicion(file)));
      rmSync(suspicion(file), { force: true });
      return database;
    }
    problem = 'database_newer';
  } catch (error) {
    database?.close();
    database = undefined;
    if (!isCorrupt(error) && !(error instanceof DamagedError)) {
      throw error;
    }
    problem = 'database_corrupt';
  }
  database?.close();
  await setAside(options, problem, identity);
  return attempt(options, wal);
}

/** A file beside the database that says it was found damaged while it was in use. */
function suspicion(file: string): string {
  return `${file}.suspect`;
}

/** Has the whole file checked when it is next opened; now, it is in use. */
function suspect(file: string): void {
  try {
    writeFileSync(suspicion(file), '');
  } catch {
    // A disk that takes no more says so elsewhere.
  }
}

/**
 * Touches every table, so that a damaged file shows itself now.
 *
 * @throws DamagedError when a check of the whole file, if asked for, finds damage
 */
function probe(database: Database, whole: boolean): void {
  if (whole && Object.values(database.get('PRAGMA quick_check(1)') ?? {})[0] !== 'ok') {
    throw new DamagedError('The database is damaged.');
  }
  for (const table of ['tasks', 'removed', 'owners', 'meta']) {
    database.get(`SELECT * FROM ${table} LIMIT 1`);
  }
}

async function setAside(
  options: OpenOptions,
  code: Notice['code'],
  identity: string | undefined,
): Promise<void> {
  const { file, clock, log } = options;
  // Another window may have set it aside already and begun a new one.
  if (identity === undefined || identityOf(file) !== identity) {
    return;
  }
  const stamp = new Date(clock.now())
    .toISOString()
    .replaceAll(/[^0-9]/g, '')
    .slice(0, 14);
  const base = `${file}.${code === 'database_newer' ? 'newer' : 'damaged'}-${stamp}`;
  let aside = base;
  for (let number = 2; existsSync(aside); number++) {
    aside = `${base}-${number}`;
  }
  await rename(file, aside);
  rmSync(suspicion(file), { force: true });
  for (const suffix of ['-wal', '-shm', '-journal']) {
    if (existsSync(file + suffix)) {
      await rename(file + suffix, aside + suffix);
    }
  }
  log.warn(
    `The task list was ${code === 'database_newer' ? 'newer than this Limner' : 'damaged'}: kept as ${aside}.`,
  );
  options.notice({ code, file: aside });
}

/** Which file a path names right now. */
function identityOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

/** Whether a folder is on a network file system, where SQLite's write-ahead log corrupts. */
async function isOnNetwork(folder: string): Promise<boolean> {
  if (folder.startsWith(String.raw`\\`)) {
    return true;
  }
  return networkFileSystems.has((await statfs(folder)).type);
}
