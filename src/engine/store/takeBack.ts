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

/** How long to wait for another process that does the same, in milliseconds. */
const patience = 10_000;

interface TakeBackOptions {
  file: string;
  clock: Clock;
  log: Log;
}

/** The description of a list that was set aside. */
interface Aside {
  /** 0 if it is too damaged to tell. */
  version: number;
  tasks: number;
  isWhole: boolean;
}

/**
 * Takes back the tasks and their cost from lists that an older version set aside, if this version can read them. Each
 * is taken exactly once, even after an interruption, and then deleted. A list that is partly unreadable is kept as
 * damaged. A list that can't be taken now stays where it is.
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
    // Numbered as changes, so that other windows see them.
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
 * Returns a list that is still set aside, usually because only a newer version can read it, and its version if known.
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
    // Nothing was ever written to a list of version 0.
    if (!isCorrupt(error) && version !== 0) {
      throw error;
    }
    return { version: version ?? 0, tasks: 0, isWhole: false };
  } finally {
    database.close();
  }
}
