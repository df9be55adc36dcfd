import { createHmac } from 'node:crypto';
import type { Database, Durability } from './database.ts';
import { Leases } from './lease.ts';
import { openDatabase } from './openDatabase.ts';
import type { Clock, Disposable, Log, Notice } from './ports.ts';
import type { Task, TaskStatus } from './task.ts';
import { advance, type TaskEvent } from './taskMachine.ts';
import { fromRow, taskColumns, toRow } from './taskRow.ts';

export interface StoreOptions {
  /** Path of the database. */
  file: string;
  clock: Clock;
  log: Log;
  notice(notice: Notice): void;
}

export interface ListOptions {
  /** At most so many tasks. */
  limit: number;
  /** Id of the last task of the page before. */
  before?: string;
  /** Only tasks in one of these states. */
  statuses?: readonly TaskStatus[];
}

/** A task after an event; or why not: refused by the machine, removed, or taken over by another window. */
export type Applied =
  { ok: true; task: Task } | { ok: false; reason: 'refused' | 'removed' | 'lease_lost'; refusal: string };

/** How often changes of other processes are looked for, in milliseconds. */
const watchInterval = 500;

/** How long a change waits for other processes to let go of the database, in milliseconds. */
const patience = 10_000;

const finished = "live = 0 AND unsaved = 0 AND status <> 'waiting'";

/**
 * Every task there is and was, in one SQLite file that all windows share. Reads answer at once from the file;
 * changes go through the state machine, in a transaction on the row as it is at that moment.
 */
export class TaskStore {
  readonly leases: Leases;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners = new Set<(ids: readonly string[]) => void>();
  readonly #ownRevisions = new Set<number>();
  #seenRevision: number;
  #dataVersion: number;
  #watch: Disposable | undefined;
  #closed = false;

  /**
   * Opens or creates the store; a file that is damaged or from a newer version is set aside and said.
   *
   * @throws LimnerError `save_failed` when the folder cannot be written or the database stays locked
   */
  static async open(options: StoreOptions): Promise<TaskStore> {
    return new TaskStore(await openDatabase(options), options);
  }

  private constructor(database: Database, { clock, log }: StoreOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
    this.leases = new Leases(database, clock, log);
    this.#seenRevision = this.#revision();
    this.#dataVersion = this.#readDataVersion();
    this.#watchOthers();
  }

  get(id: string): Task | undefined {
    const row = this.#database.get(`SELECT ${taskColumns} FROM tasks WHERE id = ?`, id);
    return row && fromRow(row);
  }

  /** Tasks, newest first. */
  list({ limit, before, statuses }: ListOptions): Task[] {
    const conditions = [
      ...(before === undefined ? [] : ['id < ?']),
      ...(statuses ? [`status IN (${statuses.map(() => '?').join(', ')})`] : []),
    ];
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    return this.#tasks(
      `SELECT ${taskColumns} FROM tasks ${where} ORDER BY id DESC LIMIT ?`,
      ...(before === undefined ? [] : [before]),
      ...(statuses ?? []),
      limit,
    );
  }

  /** Tasks that a window works on, in whichever window, newest first. */
  running(): Task[] {
    return this.#tasks(`SELECT ${taskColumns} FROM tasks WHERE live = 1 ORDER BY id DESC`);
  }

  /** How many tasks a window works on. */
  countRunning(): number {
    return this.#database.number('SELECT count(*) FROM tasks WHERE live = 1');
  }

  /** How many tasks there are. */
  count(): number {
    return this.#database.number('SELECT count(*) FROM tasks');
  }

  /** Tasks whose prompt holds this text, newest first; case does not matter in ASCII. */
  search(text: string, { limit, before }: Omit<ListOptions, 'statuses'>): Task[] {
    const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    return this.#tasks(
      `SELECT ${taskColumns} FROM tasks
       WHERE prompt LIKE ? ESCAPE '\\' ${before === undefined ? '' : 'AND id < ?'} ORDER BY id DESC LIMIT ?`,
      pattern,
      ...(before === undefined ? [] : [before]),
      limit,
    );
  }

  /** Tasks that have pictures here which are no file yet. */
  unsaved(): Task[] {
    return this.#tasks(`SELECT ${taskColumns} FROM tasks WHERE unsaved = 1 ORDER BY id DESC`);
  }

  /** Whether a task of this id is kept. */
  has(id: string): boolean {
    return this.#database.get('SELECT 1 FROM tasks WHERE id = ?', id) !== undefined;
  }

  /** Hears of every change, in this process at once and in others within a second, by task id. */
  onDidChange(listener: (ids: readonly string[]) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /**
   * A name for a key that tells nothing about it: it is keyed with a salt that never leaves this store.
   */
  fingerprint(key: string): string {
    const salt = this.#database.get("SELECT value FROM meta WHERE name = 'salt'")?.['value'];
    if (!(salt instanceof Uint8Array)) {
      throw new TypeError('The store has lost its salt.');
    }
    return createHmac('sha256', salt).update(key).digest('hex').slice(0, 32);
  }

  /**
   * Adds a task that this window works on; it survives a power cut from then on.
   *
   * @throws the error of SQLite when it cannot be written; nothing was added then
   */
  async add(task: Task): Promise<void> {
    await this.#commit('full', (nextRevision) => {
      this.leases.beat();
      this.#database.run(
        `INSERT INTO tasks (id, status, live, unsaved, prompt, request, state, revision, owner, fence)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
        ...toRow(task),
        nextRevision(),
        this.leases.owner,
      );
    });
    this.leases.hold(task.id, 1);
    this.#emit([task.id]);
  }

  /**
   * Lets an event happen to a task. With `fence`, only while this window still holds the lease.
   *
   * @throws the error of SQLite when it cannot be written; nothing was changed then
   */
  async apply(id: string, event: TaskEvent, fence?: number): Promise<Applied> {
    const before = this.get(id);
    if (before && event.type !== 'resultChanged') {
      const idle = advance(before, event);
      if (idle.ok && idle.task === before) {
        return idle;
      }
    }
    const durability = event.type === 'reported' || event.type === 'troubled' ? 'normal' : 'full';
    const applied = await this.#commit(durability, (nextRevision): Applied => {
      const row = this.#database.get(`SELECT ${taskColumns}, fence FROM tasks WHERE id = ?`, id);
      const task = row && fromRow(row);
      if (!task) {
        return { ok: false, reason: 'removed', refusal: 'The task was removed from the list.' };
      }
      if (fence !== undefined && row['fence'] !== fence) {
        return { ok: false, reason: 'lease_lost', refusal: 'Another window works on this task now.' };
      }
      const next = advance(task, event);
      if (!next.ok) {
        return { ...next, reason: 'refused' };
      }
      this.#write(next.task, nextRevision());
      return next;
    });
    if (applied.ok) {
      this.#emit([id]);
    }
    return applied;
  }

  /**
   * Removes a task from the list; its files stay. One that is worked on stays, too.
   *
   * @returns whether it was removed
   */
  async remove(id: string): Promise<boolean> {
    return (await this.#removeWhere('id = ? AND live = 0', id)).length > 0;
  }

  /** Removes every task that has ended, except those with pictures that are no file yet. */
  async clearFinished(): Promise<void> {
    await this.#removeWhere(finished);
  }

  /** Keeps the newest `limit` ended tasks; those with pictures that are no file yet are always kept. */
  async trimHistory(limit: number): Promise<void> {
    const oldest = this.#database.get(
      `SELECT id FROM tasks WHERE ${finished} ORDER BY id DESC LIMIT 1 OFFSET ?`,
      limit,
    )?.['id'];
    if (typeof oldest === 'string') {
      await this.#removeWhere(`${finished} AND id <= ?`, oldest);
    }
  }

  /** Lets go of the leases and closes the file. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#watch?.dispose();
    this.#listeners.clear();
    try {
      await this.leases.close();
    } finally {
      this.#database.close();
    }
  }

  #tasks(sql: string, ...values: (string | number)[]): Task[] {
    return this.#database.all(sql, ...values).flatMap((row) => {
      const task = fromRow(row);
      if (!task) {
        this.#log.warn(`Task ${String(row['id'])} cannot be read and is left out.`);
      }
      return task ?? [];
    });
  }

  #write(task: Task, revision: number): void {
    const [id, ...columns] = toRow(task);
    this.#database.run(
      `UPDATE tasks SET status = ?, live = ?, unsaved = ?, prompt = ?, request = ?, state = ?, revision = ?
       WHERE id = ?`,
      ...columns,
      revision,
      id,
    );
  }

  async #removeWhere(condition: string, ...values: string[]): Promise<string[]> {
    const ids = await this.#commit('normal', (nextRevision) => {
      const rows = this.#database.all(`DELETE FROM tasks WHERE ${condition} RETURNING id`, ...values);
      const removed = rows.map(({ id }) => String(id));
      if (removed.length > 0) {
        const revision = nextRevision();
        for (const id of removed) {
          this.#database.run('INSERT OR REPLACE INTO removed VALUES (?, ?)', id, revision);
        }
        // Windows look twice a second; nobody is ten thousand changes behind.
        this.#database.run('DELETE FROM removed WHERE revision < ?', revision - 10_000);
      }
      return removed;
    });
    if (ids.length > 0) {
      this.#emit(ids);
    }
    return ids;
  }

  /** A transaction that can number its changes; the numbers are ours only once it is committed. */
  async #commit<T>(durability: Durability, change: (nextRevision: () => number) => T): Promise<T> {
    let revisions: number[] = [];
    const result = await this.#database.transaction(durability, patience, () => {
      revisions = [];
      return change(() => {
        const revision = this.#database.number(
          "UPDATE meta SET value = value + 1 WHERE name = 'revision' RETURNING value",
        );
        revisions.push(revision);
        return revision;
      });
    });
    for (const revision of revisions) {
      this.#ownRevisions.add(revision);
    }
    return result;
  }

  #revision(): number {
    return this.#database.number("SELECT value FROM meta WHERE name = 'revision'");
  }

  #readDataVersion(): number {
    return this.#database.number('PRAGMA data_version');
  }

  #watchOthers(): void {
    this.#watch = this.#clock.setTimeout(() => {
      try {
        this.#reportOthers();
      } catch (error) {
        this.#log.warn(`Changes of other windows could not be read: ${String(error)}`);
      }
      if (!this.#closed) {
        this.#watchOthers();
      }
    }, watchInterval);
  }

  #reportOthers(): void {
    const version = this.#readDataVersion();
    if (version === this.#dataVersion) {
      // Nobody else wrote: everything up to our own last change is known.
      this.#seenRevision = Math.max(this.#seenRevision, ...this.#ownRevisions);
      this.#ownRevisions.clear();
      return;
    }
    const changes = this.#database.all(
      `SELECT id, revision FROM tasks WHERE revision > ?1
       UNION ALL SELECT id, revision FROM removed WHERE revision > ?1`,
      this.#seenRevision,
    );
    this.#dataVersion = version;
    const ids = new Set<string>();
    for (const { id, revision } of changes) {
      if (!this.#ownRevisions.has(Number(revision))) {
        ids.add(String(id));
      }
      this.#seenRevision = Math.max(this.#seenRevision, Number(revision));
    }
    this.#ownRevisions.clear();
    if (ids.size > 0) {
      this.#emit([...ids]);
    }
  }

  #emit(ids: readonly string[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(ids);
      } catch (error) {
        this.#log.error(`A listener to task changes failed: ${String(error)}`);
      }
    }
  }
}
