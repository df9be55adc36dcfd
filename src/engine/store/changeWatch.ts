import type { Database } from './database.ts';
import type { Disposable } from '../../common/clock.ts';
import type { OpenOptions } from './openDatabase.ts';

/** Time between two checks for changes of other processes, in milliseconds. */
const interval = 500;

export interface ChangeWatchOptions extends Pick<OpenOptions, 'clock' | 'log'> {
  /** Called with the IDs of tasks that other processes changed. */
  onChange: (ids: readonly string[]) => void;
  /** Called when another process has replaced this database. */
  onSetAside: () => void;
}

/**
 * Numbers every change of a task with a counter that all processes share, and reports changes of others within a
 * second. SQLite tells cheaply that somebody wrote; the numbers tell which tasks.
 */
export class ChangeWatch {
  readonly #database: Database;
  readonly #options: ChangeWatchOptions;
  readonly #own = new Set<number>();
  #seen: number;
  #dataVersion: number;
  #timer: Disposable | undefined;

  constructor(database: Database, options: ChangeWatchOptions) {
    this.#database = database;
    this.#options = options;
    this.#seen = database.number("SELECT value FROM meta WHERE name = 'revision'");
    this.#dataVersion = this.#readDataVersion();
    this.#wait();
  }

  /** Returns the next number, inside the caller's transaction. */
  next(): number {
    return this.#database.number("UPDATE meta SET value = value + 1 WHERE name = 'revision' RETURNING value");
  }

  /** Notes that changes with these numbers are committed and our own. */
  committed(revisions: readonly number[]): void {
    for (const revision of revisions) {
      this.#own.add(revision);
    }
  }

  fileReplaced(): void {
    this.#dataVersion = -1;
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #wait(): void {
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#wait();
      try {
        this.#poll();
      } catch (error) {
        this.#options.log.warn(`Couldn't read changes from other windows: ${String(error)}`);
      }
    }, interval);
  }

  #poll(): void {
    if (this.#database.isSetAside) {
      this.#options.onSetAside();
      return;
    }
    const version = this.#readDataVersion();
    if (version === this.#dataVersion) {
      // Nobody else wrote, so everything up to our own last change is known.
      this.#seen = Math.max(this.#seen, ...this.#own);
      this.#own.clear();
      return;
    }
    const changes = this.#database.all(
      `SELECT id, revision FROM tasks WHERE revision > ?1
       UNION ALL SELECT id, revision FROM removed WHERE revision > ?1`,
      this.#seen,
    );
    this.#dataVersion = version;
    const ids = new Set<string>();
    for (const { id, revision } of changes) {
      if (!this.#own.has(Number(revision))) {
        ids.add(String(id));
      }
      this.#seen = Math.max(this.#seen, Number(revision));
    }
    this.#own.clear();
    if (ids.size > 0) {
      this.#options.onChange([...ids]);
    }
  }

  #readDataVersion(): number {
    return this.#database.number('PRAGMA data_version');
  }
}
