import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import type { Database } from './database.ts';
import { isBusy, isUnreadable } from './databaseErrors.ts';
import { isLive } from '../../common/taskStatus.ts';
import { fromRow } from './taskRow.ts';

type Row = Record<string, SQLOutputValue>;

/** Consecutive row IDs without a readable row after which the search ends. */
const maxGap = 10_000;

/** Without `defensive: false`, newer versions of Node ignore that pragma; older ones ignore the option. */
const reading = { readOnly: true, defensive: false };

const taskColumns = 'id status live unsaved prompt request state revision owner fence'.split(' ');

/** Changes that the damaged file may have numbered after the last readable one. */
const unseenChanges = 10_000;

/**
 * Copies the readable data of a database into another one, inside the caller's transaction: its tasks unless they exist
 * there, their owners, and the cost of removed tasks. An empty database also gets the salt of its fingerprints.
 *
 * @returns the number of tasks
 */
export function salvage(file: string, to: Database): number {
  const damaged = new DatabaseSync(file, reading);
  const isEmpty = to.get('SELECT 1 FROM tasks') === undefined;
  try {
    // Makes SQLite read a truncated file, too.
    damaged.exec('PRAGMA writable_schema = ON');
    let tasks = 0;
    let revision = to.number("SELECT value FROM meta WHERE name = 'revision'");
    for (const row of readable(damaged, 'tasks')) {
      const task = fromRow(row);
      if (task && copy(to, 'tasks', taskColumns, { ...row, live: isLive(task) ? 1 : 0 })) {
        tasks++;
        revision = Math.max(revision, Number(row['revision']));
      }
    }
    for (const row of readable(damaged, 'spent')) {
      copy(to, 'spent', ['ordered_at', 'cost_facts', 'tasks'], row, 'tasks = tasks + excluded.tasks');
    }
    for (const row of readable(damaged, 'owners')) {
      copy(to, 'owners', ['owner', 'host', 'pid', 'beat'], row);
    }
    for (const row of readable(damaged, 'meta')) {
      if (row['name'] === 'salt' && row['value'] instanceof Uint8Array && isEmpty) {
        to.run("UPDATE meta SET value = ? WHERE name = 'salt'", row['value']);
      } else if (row['name'] === 'revision') {
        revision = Math.max(revision, Number(row['value']));
      }
    }
    to.run("UPDATE meta SET value = ? WHERE name = 'revision'", revision + unseenChanges);
    return tasks;
  } finally {
    damaged.close();
  }
}

/** Returns the rows of a table without those that can't be read. */
function* readable(database: DatabaseSync, table: string): Generator<Row> {
  let place = 0;
  for (let gap = 0; gap < maxGap; gap++, place++) {
    let from: StatementSync;
    try {
      // A new statement each time: one that failed reports its error again at the next call.
      from = database.prepare(`SELECT rowid AS place, * FROM ${table} WHERE rowid >= ? ORDER BY rowid`);
      from.setReadBigInts(true);
    } catch (error) {
      if (isBusy(error)) {
        throw error;
      }
      return;
    }
    try {
      for (const row of from.iterate(place)) {
        if (!Number.isSafeInteger(Number(row['place']))) {
          return;
        }
        place = Number(row['place']) + 1;
        gap = 0;
        yield inNumbers(row);
      }
      return;
    } catch (error) {
      if (!isUnreadable(error)) {
        throw error;
      }
    }
  }
}

/** Converts integers to numbers. One that is too large for this program is damage and becomes 0. */
function inNumbers(row: Row): Row {
  const values = Object.entries(row).map(([name, value]) => {
    const number = Number(value);
    return [name, typeof value === 'bigint' ? (Number.isSafeInteger(number) ? number : 0) : value] as const;
  });
  return Object.fromEntries(values);
}

/** @param merge what happens to an existing row, in SQL; by default it stays */
function copy(to: Database, table: string, columns: readonly string[], row: Row, merge?: string): boolean {
  const places = columns.map(() => '?').join(', ');
  try {
    const conflict = merge === undefined ? 'DO NOTHING' : `DO UPDATE SET ${merge}`;
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ON CONFLICT ${conflict}`;
    return to.run(sql, ...columns.map((column) => row[column] ?? null)) > 0;
  } catch {
    // Values of a wrong type are damage, too.
    return false;
  }
}
