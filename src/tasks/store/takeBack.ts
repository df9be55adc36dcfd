import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../common/clock.ts';
import { fileTrouble } from '../../common/fileErrors.ts';
import type { Log } from '../../common/log.ts';
import type { Database } from './database.ts';
import { isCorrupt } from './databaseErrors.ts';
import { salvage } from './salvage.ts';
import { schemaVersion } from './schema.ts';
import { deleteAside, newerAside, setAsideAsDamaged } from './setAside.ts';

/** How long another process that does the same is waited for, in milliseconds. */
const patience = 10_000;

interface TakeBackOptions {
  /** Path of the database. */
  file: string;
  clock: Clock;
  log: Log;
}

/** What a list that was set aside says about itself. */
interface Aside {
  /** 0 where it is too damaged to say. */
  version: number;
  tasks: number;
  isWhole: boolean;
}

/**
 * Takes back the tasks, and what was spent, of lists that an older version set aside, as far as this one can read them.
 * Each is taken once, whatever comes between, and then deleted; one of which something can't be read is kept as damaged.
 * A list that can't be taken now stays where it is.
 */
export async function takeBack(database: Database, options: TakeBackOptions): Promise<void> {
  for (const path of newerAside(options.file)) {
    try {
      const aside = inspect(path);
      if (aside.version <= schemaVersion) {
        await take(path, aside, database, options);
      }
    } catch (error) {
      options.log.warn(`Couldn't take back the task list that is kept as ${path}. ${String(error)}`);
    }
  }
}

async function take(
  path: string,
  { tasks, isWhole }: Aside,
  database: Database,
  { file, clock, log }: TakeBackOptions,
): Promise<void> {
  const isThere = (): boolean => newerAside(file).includes(path);
  let isComplete = isWhole;
  await database.transaction('full', patience, () => {
    if (isTaken(path, database) || !isThere()) {
      return;
    }
    const last = database.number('SELECT max(rowid) FROM tasks');
    const taken = salvage(path, database);
    // As changes, which other windows see.
    database.run(
      "UPDATE tasks SET revision = (SELECT value FROM meta WHERE name = 'revision') WHERE rowid > ?",
      last,
    );
    database.run('INSERT INTO meta VALUES (?, 1)', markOf(path));
    isComplete &&= taken === tasks;
    log.warn(`Tasks taken back from the task list that was kept as ${path}: ${taken}.`);
  });
  try {
    if (isComplete) {
      await deleteAside(path);
    } else {
      setAsideAsDamaged(path, file, clock.now());
    }
  } catch (error) {
    // Another process that does the same was faster.
    if (fileTrouble(error) !== 'gone') {
      throw error;
    }
  }
  database.run('DELETE FROM meta WHERE name = ?', markOf(path));
}

/**
 * Returns a list that was set aside and is not taken back, most often because only a newer version can read it, and the
 * version that it is of, as far as it can be read.
 */
export function asideStill(file: string, database: Database): { path: string; version?: number } | undefined {
  const path = newerAside(file).find((one) => !isTaken(one, database));
  if (path === undefined) {
    return undefined;
  }
  try {
    return { path, version: inspect(path).version };
  } catch {
    return { path };
  }
}

/** Whether the tasks of a list are in this one, and only its file is there still. */
function isTaken(path: string, database: Database): boolean {
  return database.get('SELECT 1 FROM meta WHERE name = ?', markOf(path)) !== undefined;
}

function markOf(path: string): string {
  return `taken back: ${basename(path)}`;
}

function inspect(path: string): Aside {
  const database = new DatabaseSync(path, { readOnly: true });
  const first = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
  let version: number | undefined;
  try {
    version = Number(first('PRAGMA user_version'));
    return version > schemaVersion
      ? { version, tasks: 0, isWhole: true }
      : {
          version,
          tasks: Number(first('SELECT count(*) FROM tasks')),
          isWhole: first('PRAGMA integrity_check(1)') === 'ok',
        };
  } catch (error) {
    // Nothing was ever written into one of version 0.
    if (!isCorrupt(error) && version !== 0) {
      throw error;
    }
    return { version: version ?? 0, tasks: 0, isWhole: false };
  } finally {
    database.close();
  }
}
