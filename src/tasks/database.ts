import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { sleep } from './clock.ts';
import type { Clock } from './ports.ts';

/** `full` survives a power cut once it is written, `normal` a crash of this process. */
export type Durability = 'full' | 'normal';

/** How long SQLite itself may block this thread for a lock, in milliseconds. */
const busyTimeout = 25;

const busyCodes = new Set([5, 6]);
const corruptCodes = new Set([11, 26]);

/** Primary SQLite result code of an error, when it is one (https://sqlite.org/rescode.html). */
function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}

/** Whether another connection holds the lock: the same can be tried again a little later. */
export function isBusy(error: unknown): boolean {
  return busyCodes.has(sqliteCode(error) ?? -1);
}

/** Whether the file is damaged or no database at all. */
export function isCorrupt(error: unknown): boolean {
  return corruptCodes.has(sqliteCode(error) ?? -1);
}

/** One connection: prepared statements by their text, and transactions that wait for locks without blocking. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #clock: Clock;
  readonly #statements = new Map<string, StatementSync>();
  readonly #onCorrupt: () => void;
  #durability: Durability | undefined;

  /**
   * Opens or creates the file.
   *
   * @param wal off on network file systems, where it corrupts
   * @param onCorrupt hears that the file turned out to be damaged
   */
  constructor(file: string, clock: Clock, wal: boolean, onCorrupt: () => void) {
    this.#clock = clock;
    this.#onCorrupt = onCorrupt;
    this.#connection = new DatabaseSync(file);
    try {
      this.#connection.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
      this.#connection.exec(`PRAGMA journal_mode = ${wal ? 'WAL' : 'DELETE'}`);
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  /** Runs a script of statements. */
  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  all(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.#watched(() => this.#statement(sql).all(...values));
  }

  get(sql: string, ...values: SQLInputValue[]): Record<string, unknown> | undefined {
    return this.#watched(() => this.#statement(sql).get(...values));
  }

  /** @returns the number of rows changed */
  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#watched(() => Number(this.#statement(sql).run(...values).changes));
  }

  /** The single number that a query gives, 0 when it gives none. */
  number(sql: string, ...values: SQLInputValue[]): number {
    const value = Object.values(this.get(sql, ...values) ?? {})[0];
    return typeof value === 'number' ? value : 0;
  }

  /**
   * Runs `change` in one transaction, trying again while others hold the lock for up to `patience` milliseconds.
   *
   * @throws the error of SQLite when the lock is not had in time or the disk fails; nothing was changed then
   */
  async transaction<T>(durability: Durability, patience: number, change: () => T): Promise<T> {
    const start = this.#clock.now();
    for (let pause = 5; ; pause = Math.min(pause * 2, 250)) {
      try {
        return this.#transact(durability, change);
      } catch (error) {
        if (!isBusy(error) || this.#clock.now() - start >= patience) {
          throw error;
        }
      }
      await sleep(this.#clock, pause * (0.5 + Math.random()));
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #watched<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isCorrupt(error)) {
        this.#onCorrupt();
      }
      throw error;
    }
  }

  #transact<T>(durability: Durability, change: () => T): T {
    if (this.#durability !== durability) {
      this.#connection.exec(`PRAGMA synchronous = ${durability}`);
      this.#durability = durability;
    }
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      const result = change();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has rolled back by itself after some errors (full disk, I/O).
      if (this.#connection.isTransaction) {
        this.#connection.exec('ROLLBACK');
      }
      throw error;
    }
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
