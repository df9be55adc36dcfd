import { statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { backoff, sleep, type Clock } from '../../common/clock.ts';
import { currentFile } from './currentFile.ts';
import { busy, isCorrupt, mayPass } from './databaseErrors.ts';

/** `full` survives a power cut; `normal` survives a crash of this process. */
export type Durability = 'full' | 'normal';

/**
 * How long SQLite itself may block this thread for a lock, in milliseconds. Without a write-ahead log, even reads wait
 * for writers, and only SQLite retries them.
 */
const busyTimeout = { wal: 25, rollback: 1000 };

/** One connection: prepared statements by their text, and transactions that wait for locks without blocking. */
export class Database {
  /** Called when the file turns out to be damaged. */
  onDamage: () => void = () => {};
  readonly #file: string;
  readonly #clock: Clock;
  readonly #statements = new Map<string, StatementSync>();
  #connection: DatabaseSync;
  #identity: string | undefined;
  #durability: Durability | undefined;

  /** Opens or creates the file or its successor. @param wal off on network file systems, where it corrupts */
  constructor(file: string, clock: Clock, wal: boolean) {
    this.#file = file;
    this.#clock = clock;
    const path = currentFile(file);
    this.#connection = new DatabaseSync(path);
    try {
      this.#connection.exec(`PRAGMA busy_timeout = ${wal ? busyTimeout.wal : busyTimeout.rollback}`);
      this.#connection.exec(`PRAGMA journal_mode = ${wal ? 'WAL' : 'DELETE'}`);
      // On macOS, this is the only way to make a disk flush its cache.
      this.#connection.exec('PRAGMA fullfsync = ON');
      this.#identity = identityOf(path);
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  /** Whether another window has repaired the list and replaced this file. */
  get isSetAside(): boolean {
    const identity = identityOf(currentFile(this.#file));
    this.#identity ??= identity;
    return identity !== this.#identity;
  }

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

  /** Returns the single number of a query, 0 if it gives none. */
  number(sql: string, ...values: SQLInputValue[]): number {
    const value = Object.values(this.get(sql, ...values) ?? {})[0];
    return typeof value === 'number' ? value : 0;
  }

  /**
   * Runs `change` in one transaction, and retries for up to `patience` milliseconds while others hold the lock or the
   * file.
   *
   * @throws the error of SQLite when the lock stays taken or the disk fails; nothing was changed then
   */
  async transaction<T>(durability: Durability, patience: number, change: () => T): Promise<T> {
    return this.#patiently(patience, () => this.#transact(durability, change));
  }

  /**
   * Rewrites the file without the bytes of deleted rows, and empties its write-ahead log. Other processes can have it
   * open.
   *
   * @throws the error of SQLite when others keep reading for longer than `patience` milliseconds
   */
  async compact(patience: number): Promise<void> {
    await this.#patiently(patience, () => this.#connection.exec('VACUUM'));
    await this.#patiently(patience, () => {
      if (this.number('PRAGMA wal_checkpoint(TRUNCATE)') > 0) {
        throw busy();
      }
    });
  }

  async #patiently<T>(patience: number, work: () => T): Promise<T> {
    const start = this.#clock.now();
    for (let attempts = 0; ; attempts++) {
      try {
        return this.#watched(work);
      } catch (error) {
        if (!mayPass(error) || this.#clock.now() - start >= patience) {
          throw error;
        }
      }
      await sleep(this.#clock, backoff(attempts, 5, 250) * (0.5 + Math.random()));
    }
  }

  /** Takes over the connection of another database, which can't be used afterwards. */
  switchTo(other: Database): void {
    const before = this.#connection;
    this.#statements.clear();
    this.#connection = other.#connection;
    this.#identity = other.#identity;
    this.#durability = other.#durability;
    closeIfOpen(before);
  }

  close(): void {
    closeIfOpen(this.#connection);
  }

  #watched<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isCorrupt(error)) {
        this.onDamage();
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
      // SQLite rolls back by itself after some errors, such as a full disk.
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

/** Identifies the file that a path currently names. */
export function identityOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

function closeIfOpen(connection: DatabaseSync): void {
  if (connection.isOpen) {
    connection.close();
  }
}
