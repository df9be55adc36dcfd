import { createHmac } from 'node:crypto';
import * as english from '../../common/english.ts';
import { inOneNotation, isSameFile } from '../../common/fileUris.ts';
import {
  isStillAvailable,
  keepsFile,
  maxSilence,
  isLive,
  statusesOf,
  type TaskStatus,
} from '../../common/taskStatus.ts';
import { ChangeWatch } from './changeWatch.ts';
import type { Database, Durability } from './database.ts';
import { isCorrupt } from './databaseErrors.ts';
import { Leases } from './lease.ts';
import { openDatabase, suspect, type OpenOptions } from './openDatabase.ts';
import type { Disposable } from '../../common/clock.ts';
import type { Log } from '../../common/log.ts';
import type { EngineOptions } from '../task/ports.ts';
import { deleteAllAside, hasSetAside } from './setAside.ts';
import { asideStill } from './takeBack.ts';
import { SpentTasks } from './spentTasks.ts';
import { type Claim, keyOf, standsFor } from '../task/claim.ts';
import type { Task, TaskRequest, TaskResult } from '../task/task.ts';
import { firstIdAt } from '../task/taskId.ts';
import type { TaskEvent } from '../task/taskEvent.ts';
import { advance } from '../task/taskMachine.ts';
import { fromRow, taskColumns, toRow } from './taskRow.ts';

export type StoreOptions = OpenOptions & Pick<EngineOptions, 'present' | 'origin'>;

/** A filter of tasks; absent properties match everything. */
export interface TaskFilter {
  /** Part of the prompt; ASCII case is ignored in texts up to 50,000 bytes. */
  text?: string;
  /** Words, each of which is in the prompt, the model, the service's address, or the name of a file. */
  words?: string;
  statuses?: readonly TaskStatus[];
  model?: string;
  kind?: TaskRequest['kind'];
  starred?: true;
}

/** A page of filtered tasks, which begins after a task or at an offset. */
export interface Page {
  limit: number;
  before?: string;
  offset?: number;
}

export interface SavedFile {
  task: Task;
  result: TaskResult;
}

/** Stored data that a user wants to be gone. */
export interface Erasure {
  /** Which tasks; asked in the transaction that deletes them. Damaged lists that were set aside are deleted, too. */
  tasks?: (task: Task) => boolean;
  /** Also lists of newer versions that were set aside: their images may still come. */
  newerLists: boolean;
  /** Also what was spent; otherwise the cost of the deleted tasks still counts. */
  spending: boolean;
}

export interface TaskScope {
  /** Whether tasks that save their images in this folder, a URI string, belong to it. */
  readonly isWithin: (folder: string) => boolean;
  /** Tasks that belong to it, wherever their images are saved. */
  readonly ids: ReadonlySet<string>;
}

/**
 * A changed task and its lease's number, or why it was not changed: refused by the machine, removed, or taken over by
 * another window.
 */
export type Applied =
  | { ok: true; task: Task; fence: number }
  | { ok: false; reason: 'refused' | 'removed' | 'lease_lost'; refusal: string };

/** How long a change waits for other processes to release the database, in milliseconds. */
const patience = 10_000;

const maxPatternLength = 50_000;

const notPaused = statusesOf('paused').map((status) => `status <> '${status}'`);
const running = `live = 1 AND ${notPaused.join(' AND ')}`;
const finished = "live = 0 AND unsaved = 0 AND starred = 0 AND status <> 'waiting'";
const mayKeepFiles = `(instr(state, '"replacedOriginal":') > 0 OR instr(state, '"discarded":') > 0)`;
const createdAt = "CASE WHEN json_valid(state) THEN state ->> '$.createdAt' END";
const endedAt =
  "CASE WHEN json_valid(state) THEN coalesce(state ->> '$.finishedAt', state ->> '$.createdAt') END";

const service =
  "CASE WHEN json_valid(request) THEN iif(request ->> '$.free', 'demo', request ->> '$.baseUrl') END";
/** The part of a URI behind its last slash. */
const nameInUri = "replace(uri, rtrim(uri, replace(uri, '/', '')), '')";
const like = String.raw`LIKE ? ESCAPE '\'`;
/** Reads JSON and takes URIs apart only where the whole holds the word, which a rare one is nowhere. */
const hasWord = `(prompt ${like} OR model ${like} OR ((request ${like} OR 'demo' ${like}) AND ${service} ${like})
  OR id IN (SELECT task FROM files WHERE uri ${like} AND ${nameInUri} ${like}))`;

/**
 * All tasks, in one SQLite file that all windows share. Reads are immediate. Changes go through the state machine, in a
 * transaction on the current row.
 */
export class TaskStore {
  readonly leases: Leases;
  readonly spent: SpentTasks;
  readonly #database: Database;
  readonly #log: Log;
  readonly #listeners = new Set<(ids: readonly string[]) => void>();
  readonly #changes: ChangeWatch;
  readonly #options: OpenOptions;
  /** The last known state of this window's tasks, in case the file becomes damaged. */
  readonly #known = new Map<string, Task>();
  #replacing: Promise<void> | undefined;
  #closed = false;

  /**
   * Opens or creates the store; a file that is damaged or from a newer version is set aside.
   *
   * @throws LimnerError `save_failed` when the folder can't be written or the database stays locked
   */
  static async open(options: StoreOptions): Promise<TaskStore> {
    return new TaskStore(await openDatabase(options), options);
  }

  private constructor(database: Database, options: StoreOptions) {
    const { file, clock, log } = options;
    this.#database = database;
    this.#options = options;
    this.#log = log;
    this.leases = new Leases(database, options);
    this.spent = new SpentTasks(database);
    const onSetAside = (): void => {
      this.#replace().catch((error: unknown) =>
        log.warn(`The task list isn't repaired yet: ${String(error)}`),
      );
    };
    this.#changes = new ChangeWatch(database, { clock, log, onChange: (ids) => this.#emit(ids), onSetAside });
    database.onDamage = () => {
      suspect(file);
      onSetAside();
    };
  }

  get isOpen(): boolean {
    return !this.#closed;
  }

  get(id: string): Task | undefined {
    let row: Record<string, unknown> | undefined;
    try {
      row = this.#database.get(`SELECT ${taskColumns} FROM tasks WHERE id = ?`, id);
    } catch (error) {
      const known = this.#known.get(id);
      if (known) {
        return known;
      }
      throw error;
    }
    const task = fromRow(row);
    if (task && this.leases.fenceOf(id) !== undefined) {
      this.#known.set(id, task);
    }
    return task;
  }

  /**
   * Whether a task with this ID may exist although it can't be read: its row is damaged, or in a file that was set
   * aside.
   */
  mayKnow(id: string): boolean {
    return (
      this.#database.get('SELECT 1 FROM tasks WHERE id = ?', id) !== undefined ||
      hasSetAside(this.#options.file)
    );
  }

  /** Returns a list that was set aside and can't be taken back by this version. Past spending is unknown without it. */
  asideStill(): ReturnType<typeof asideStill> {
    return asideStill(this.#options.file, this.#database);
  }

  releaseLease(id: string): void {
    this.leases.delete(id);
    this.#known.delete(id);
  }

  list({ limit, before, offset = 0, ...filter }: Page & TaskFilter): Task[] {
    const { where, values } = conditionOf({ ...filter, ...(before !== undefined && { before }) });
    return this.#tasks(
      `SELECT ${taskColumns} FROM tasks
       WHERE id IN (SELECT id FROM tasks ${where} ORDER BY id DESC LIMIT ? OFFSET ?) ORDER BY id DESC`,
      ...values,
      countable(limit),
      countable(offset),
    );
  }

  listWithin(scope: TaskScope, { limit, before }: Pick<Page, 'limit' | 'before'>): Task[] {
    const newest = (condition: string, value: string): string[] =>
      this.#database
        .all(
          `SELECT id FROM tasks WHERE ${condition} ${before === undefined ? '' : 'AND id < ?'}
           ORDER BY id DESC LIMIT ?`,
          value,
          ...(before === undefined ? [] : [before]),
          countable(limit),
        )
        .map(({ id }) => String(id));
    const ids = new Set([
      ...this.#foldersWithin(scope).flatMap((folder) => newest('folder = ?', folder)),
      ...newest('id IN (SELECT value FROM json_each(?))', JSON.stringify([...scope.ids])),
    ]);
    const page = [...ids].toSorted().toReversed().slice(0, limit);
    return this.#tasks(
      `SELECT ${taskColumns} FROM tasks WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC`,
      JSON.stringify(page),
    );
  }

  /** Returns tasks that run in any window, newest first, without those that wait for the user or a key. */
  running(): Task[] {
    // The plus keeps SQLite from scanning all IDs for their order.
    return this.#tasks(`SELECT ${taskColumns} FROM tasks WHERE ${running} ORDER BY +id DESC`);
  }

  /** Returns tasks that have not ended, newest first, including those that wait for the user or a key. */
  unfinished(): Task[] {
    return this.#tasks(
      `SELECT ${taskColumns} FROM tasks WHERE id IN
         (SELECT id FROM tasks WHERE live = 1 UNION ALL SELECT id FROM tasks WHERE status = 'waiting')
       ORDER BY id DESC`,
    );
  }

  /** Returns a page of filtered tasks and their total number, reading each prompt once. */
  search({ limit, offset = 0, ...filter }: Omit<Page, 'before'> & TaskFilter): {
    tasks: Task[];
    total: number;
  } {
    const tasks = this.list({ limit, offset, ...filter });
    const last = tasks.at(-1);
    return {
      tasks,
      total: last ? offset + tasks.length + this.count({ ...filter, before: last.id }) : this.count(filter),
    };
  }

  count(filter: TaskFilter & Pick<Page, 'before'> = {}): number {
    const { where, values } = conditionOf(filter);
    return this.#database.number(`SELECT count(*) FROM tasks ${where}`, ...values);
  }

  models(): string[] {
    return this.#distinct('model');
  }

  /** Returns tasks whose images will replace others in documents, newest first, at most a thousand. */
  withReference(): Task[] {
    return this.#tasks(
      `SELECT ${taskColumns} FROM tasks WHERE instr(request, '"reference":') > 0 ORDER BY id DESC LIMIT 1000`,
    );
  }

  batch(id: string): Task[] {
    const candidates = this.#tasks(
      `SELECT ${taskColumns} FROM tasks WHERE instr(request, ?) > 0 ORDER BY id DESC`,
      JSON.stringify(id),
    );
    return candidates.filter(({ request }) => request.batch?.id === id);
  }

  /**
   * Returns the image that a file is: of the images saved as it, the one with its contents, else the newest. A file that
   * no image was saved as may be a copy of one.
   *
   * @param uri in any notation
   * @param sha256 of the file, if known
   */
  savedAs(uri: string, sha256?: string): SavedFile | undefined {
    const saved = this.allSavedAs(uri);
    return (
      saved.find(({ result }) => result.sha256 === sha256) ??
      (sha256 === undefined ? undefined : this.withContents(sha256)) ??
      saved[0]
    );
  }

  /** Returns the images that were saved as a file and aren't discarded, newest first. @param uri in any notation */
  allSavedAs(uri: string): SavedFile[] {
    return this.#filesOf('uri = ?', inOneNotation(uri)).filter(
      ({ result }) => !result.discarded && result.uri !== undefined && isSameFile(result.uri, uri),
    );
  }

  /** Returns the tasks with images or inputs that are this file or below this folder. @param uri in any notation */
  withFilesIn(uri: string): Task[] {
    const place = inOneNotation(uri);
    return this.#tasks(
      `SELECT ${taskColumns} FROM tasks WHERE id IN
         (SELECT task FROM files WHERE uri = ?1 OR (uri > ?1 || '/' AND uri < ?1 || '0')) ORDER BY id DESC`,
      place,
    );
  }

  /** Returns the newest image with these contents, whatever its file is called now. */
  withContents(sha256: string): SavedFile | undefined {
    return this.#filesOf('sha256 = ?', sha256).find(({ result }) => result.sha256 === sha256);
  }

  #filesOf(condition: string, value: string): SavedFile[] {
    const tasks = this.#tasks(
      `SELECT ${taskColumns} FROM tasks WHERE id IN (SELECT task FROM files WHERE ${condition}) ORDER BY id DESC`,
      value,
    );
    return tasks.flatMap((task) => task.results.map((result) => ({ task, result })));
  }

  /** Returns tasks with staged images that aren't saved. */
  unsaved(): Task[] {
    return this.#tasks(`SELECT ${taskColumns} FROM tasks WHERE unsaved = 1 ORDER BY id DESC`);
  }

  /** Returns the paths of all inputs of tasks, including masks. */
  inputPaths(): string[] {
    const edits = this.#tasks(`SELECT ${taskColumns} FROM tasks WHERE instr(request, '"images":') > 0`);
    return edits.flatMap(({ request: { images = [], mask, style } }) =>
      [...images, ...(mask ? [mask] : []), ...(style?.images ?? [])].map(({ path }) => path),
    );
  }

  /** Returns the number of the current lease of a task, which grows with every change of owner. */
  fence(id: string): number {
    return this.#database.number('SELECT fence FROM tasks WHERE id = ?', id);
  }

  /** Reports every change by task ID: of this process at once, of others within a second. */
  onDidChange(listener: (ids: readonly string[]) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Returns a name for a key that reveals nothing about it, derived with a salt that never leaves this store. */
  fingerprint(key: string): string {
    const salt = this.#database.get("SELECT value FROM meta WHERE name = 'salt'")?.['value'];
    if (!(salt instanceof Uint8Array)) {
      throw new TypeError('The store has lost its salt.');
    }
    return createHmac('sha256', salt).update(key).digest('hex').slice(0, 32);
  }

  /** Returns the newest task that stands for a claim, in any window. @param now in Unix milliseconds */
  standing(claim: Claim, now: number): Task | undefined {
    return this.alike(claim).find((task) => standsFor(claim, task, now));
  }

  /** Returns the tasks that were started for the same, however long ago, newest first. */
  alike(claim: Claim): Task[] {
    const [column, value] = keyOf(claim);
    return this.#tasks(`SELECT ${taskColumns} FROM tasks WHERE ${column} = ? ORDER BY id DESC`, value);
  }

  /**
   * Adds a task that this window works on. From then on it survives a power cut.
   *
   * @param check throws if the task must not be added; no other process writes between this and the adding
   * @param claim checked first, in the same transaction
   * @returns the task that already stands for the claim, in any window; nothing was added then
   * @throws the error of SQLite when it can't be written; nothing was added then
   */
  async add(task: Task, check?: () => void, claim?: Claim): Promise<Task | undefined> {
    const before = await this.#commit('full', (nextRevision) => {
      const standing = claim && this.standing(claim, task.createdAt);
      if (!standing) {
        check?.();
        this.#insert(task, nextRevision(), 1);
      }
      return standing;
    });
    if (before) {
      return before;
    }
    this.leases.add(task.id, 1);
    this.#known.set(task.id, task);
    this.#emit([task.id]);
    return undefined;
  }

  /**
   * Applies an event to the current row of a task.
   *
   * @param hold `fence`: only while the lease still has this number; `take`: takes the lease from whoever holds it
   * @param check throws if the event must not be applied to this task, in the same transaction
   * @throws the error of SQLite when it can't be written; nothing was changed then
   */
  async apply(
    id: string,
    event: TaskEvent,
    hold: { fence?: number; take?: true } = {},
    check?: (before: Task) => void,
  ): Promise<Applied> {
    const idle = this.#attempt(id, event, hold);
    if (!idle.ok || (idle.task === idle.before && !hold.take)) {
      return idle;
    }
    const applied = await this.#commit(durabilityOf(event, idle.before), (nextRevision): Applied => {
      const attempt = this.#attempt(id, event, hold);
      if (!attempt.ok) {
        return attempt;
      }
      check?.(attempt.before);
      this.#write(attempt.task, nextRevision());
      return hold.take && isLive(attempt.task) ? { ...attempt, fence: this.leases.acquire(id) } : attempt;
    });
    if (applied.ok) {
      if (hold.take && isLive(applied.task)) {
        this.leases.add(id, applied.fence);
      }
      if (this.leases.fenceOf(id) === applied.fence) {
        this.#known.set(id, applied.task);
      }
      this.#emit([id]);
    }
    return applied;
  }

  /** Applies an event to each of several tasks in one transaction. Those that refuse it, or were removed, stay out. */
  async applyAll(events: ReadonlyMap<string, TaskEvent>): Promise<void> {
    const changed = await this.#commit('full', (nextRevision) =>
      [...events].flatMap(([id, event]) => {
        const attempt = this.#attempt(id, event, {});
        if (!attempt.ok || attempt.task === attempt.before) {
          return [];
        }
        this.#write(attempt.task, nextRevision());
        return attempt.task;
      }),
    );
    for (const task of changed) {
      if (this.leases.fenceOf(task.id) !== undefined) {
        this.#known.set(task.id, task);
      }
    }
    if (changed.length > 0) {
      this.#emit(changed.map(({ id }) => id));
    }
  }

  /**
   * Removes a task from the list unless it is being worked on. Its files stay, and its cost still counts.
   *
   * @returns whether it was removed
   */
  async remove(id: string): Promise<boolean> {
    return (await this.#removeWhere('id = ? AND live = 0', () => [id])).length > 0;
  }

  /**
   * Removes every ended task, except those with unsaved or starred images, images that may still be fetched, or images
   * and originals that can be restored.
   *
   * @param now in Unix milliseconds
   * @param scope only the tasks of this workspace
   */
  async clearFinished(now: number, scope?: TaskScope): Promise<void> {
    if (scope) {
      const given = '(SELECT value FROM json_each(?))';
      await this.#removeFinished(
        `${finished} AND (folder IN ${given} OR id IN ${given})`,
        now,
        JSON.stringify(this.#foldersWithin(scope)),
        JSON.stringify([...scope.ids]),
      );
    } else {
      await this.#removeFinished(finished, now);
    }
  }

  /**
   * Keeps the newest `limit` ended tasks that are no older than `age`, in milliseconds. Tasks that `clearFinished`
   * excepts always stay. Age counts from the newest completed task at the latest, so that a clock that is years ahead
   * makes nothing old.
   *
   * @param now in Unix milliseconds
   */
  async trimHistory({ limit, age, now }: { limit: number; age: number; now: number }): Promise<void> {
    const newestCompleted = this.#database.number(
      `SELECT ${createdAt} FROM tasks WHERE status = 'completed' ORDER BY id DESC LIMIT 1`,
    );
    const since = Math.min(now, newestCompleted) - age;
    const newest = (condition: string, ...values: (string | number)[]): unknown =>
      this.#database.get(
        `SELECT id FROM tasks WHERE ${finished} ${condition} ORDER BY id DESC LIMIT 1 OFFSET ?`,
        ...values,
      )?.['id'];
    const surplus = [newest('', countable(limit)), newest('AND id < ?', firstIdAt(since), 0)].filter(
      (id) => typeof id === 'string',
    );
    const [last] = surplus.toSorted().toReversed();
    if (last !== undefined) {
      await this.#removeFinished(`${finished} AND id <= ?`, now, last);
    }
  }

  /**
   * Deletes tasks and the cost of removed ones for good: none of their bytes stay in the file.
   *
   * @throws the error of SQLite while another process keeps it from rewriting the file
   */
  async erase({ tasks, newerLists, spending }: Erasure): Promise<void> {
    if (tasks) {
      const ids = await this.#removeWhere('id NOT IN (SELECT value FROM json_each(?))', () => {
        const staying = this.#tasks(`SELECT ${taskColumns} FROM tasks`).filter((task) => !tasks(task));
        return [JSON.stringify(staying.map(({ id }) => id))];
      });
      for (const id of ids) {
        this.#known.delete(id);
      }
      await deleteAllAside(this.#options.file, newerLists);
    }
    if (spending) {
      await this.#commit('full', () => this.#database.run('DELETE FROM spent'));
    }
    await this.#database.compact(patience);
  }

  async close(): Promise<void> {
    await this.#replacing?.catch(() => {});
    this.#closed = true;
    this.#changes.dispose();
    this.#listeners.clear();
    await this.leases.close();
    this.#database.close();
  }

  #tasks(sql: string, ...values: (string | number)[]): Task[] {
    return this.#database.all(sql, ...values).flatMap((row) => {
      const task = fromRow(row);
      if (!task) {
        this.#log.warn(`Task ${String(row['id'])} can't be read and is skipped.`);
      }
      return task ?? [];
    });
  }

  /** Returns the folders of a workspace that images are saved in, as written in the column. */
  #foldersWithin({ isWithin }: TaskScope): string[] {
    return this.#distinct('folder').filter((folder) => isWithin(folder.slice(0, -1)));
  }

  /** Returns the distinct values of an indexed column in order, by one lookup each instead of a scan. */
  #distinct(column: 'folder' | 'model'): string[] {
    const rows = this.#database.all(
      `WITH RECURSIVE found (value) AS (
         SELECT min(${column}) FROM tasks
         UNION ALL
         SELECT (SELECT min(${column}) FROM tasks WHERE ${column} > found.value)
         FROM found WHERE found.value IS NOT NULL
       )
       SELECT value FROM found WHERE value IS NOT NULL`,
    );
    return rows.map(({ value }) => String(value));
  }

  #attempt(
    id: string,
    event: TaskEvent,
    { fence }: { fence?: number },
  ): Extract<Applied, { ok: false }> | { ok: true; task: Task; fence: number; before: Task } {
    const row = this.#database.get(`SELECT ${taskColumns}, fence FROM tasks WHERE id = ?`, id);
    const before = row && fromRow(row);
    if (!before) {
      return { ok: false, reason: 'removed', refusal: english.t('The task was removed from the task list.') };
    }
    const current = Number(row['fence']);
    if (fence !== undefined && current !== fence) {
      return {
        ok: false,
        reason: 'lease_lost',
        refusal: english.t('Another window is working on this task.'),
      };
    }
    const next = advance(before, event);
    return next.ok ? { ...next, fence: current, before } : { ...next, reason: 'refused' };
  }

  #write(task: Task, revision: number): void {
    const [id, status, live, unsaved, , request, state] = toRow(task);
    this.#database.run(
      `UPDATE tasks SET status = ?, live = ?, unsaved = ?, request = ?, state = ?, revision = ? WHERE id = ?`,
      status,
      live,
      unsaved,
      request,
      state,
      revision,
      id,
    );
  }

  /** Removes ended tasks, except those with images that may still be fetched, or files that can be restored. */
  async #removeFinished(condition: string, now: number, ...values: string[]): Promise<void> {
    await this.#removeWhere(`${condition} AND id NOT IN (SELECT value FROM json_each(?))`, () => {
      const candidates = this.#tasks(
        `SELECT ${taskColumns} FROM tasks WHERE ${condition} AND (${endedAt} > ? OR ${mayKeepFiles})`,
        ...values,
        now - maxSilence,
      );
      const staying = candidates.filter(
        (task) => isStillAvailable(task, now) || task.results.some((result) => keepsFile(result, now)),
      );
      return [...values, JSON.stringify(staying.map(({ id }) => id))];
    });
  }

  /** @param valuesOf returns the condition's values; called in the transaction */
  async #removeWhere(condition: string, valuesOf: () => string[]): Promise<string[]> {
    const ids = await this.#commit('normal', (nextRevision) => {
      const values = valuesOf();
      this.spent.keep(condition, values);
      const rows = this.#database.all(`DELETE FROM tasks WHERE ${condition} RETURNING id`, ...values);
      const removed = rows.map(({ id }) => String(id));
      if (removed.length > 0) {
        const revision = nextRevision();
        for (const id of removed) {
          this.#database.run('INSERT OR REPLACE INTO removed VALUES (?, ?)', id, revision);
        }
        // Windows check twice a second, so none is ten thousand changes behind.
        this.#database.run('DELETE FROM removed WHERE revision < ?', revision - 10_000);
      }
      return removed;
    });
    if (ids.length > 0) {
      this.#emit(ids);
    }
    return ids;
  }

  /** Runs a transaction that can number its changes. The numbers count only once it is committed. */
  async #commit<T>(durability: Durability, change: (nextRevision: () => number) => T): Promise<T> {
    await this.#replacing;
    try {
      return await this.#transact(durability, change);
    } catch (error) {
      if (!isCorrupt(error) && this.#database.isOpen) {
        throw error;
      }
      await this.#replace();
    }
    try {
      return await this.#transact(durability, change);
    } finally {
      if (this.#closed) {
        // The file was closed while this waited for a lock, and has opened it again.
        this.#database.close();
      }
    }
  }

  async #transact<T>(durability: Durability, change: (nextRevision: () => number) => T): Promise<T> {
    let revisions: number[] = [];
    const result = await this.#database.transaction(durability, patience, () => {
      revisions = [];
      return change(() => {
        const revision = this.#changes.next();
        revisions.push(revision);
        return revision;
      });
    });
    this.#changes.committed(revisions);
    return result;
  }

  /** Continues in a sound file, because this one is damaged or another window set it aside. */
  #replace(): Promise<void> {
    this.#replacing ??= this.#switchToRepairedFile().finally(() => (this.#replacing = undefined));
    return this.#replacing;
  }

  async #switchToRepairedFile(): Promise<void> {
    const repaired = await openDatabase(this.#options);
    const { owner } = this.leases;
    const ours = repaired.all('SELECT id FROM tasks WHERE live = 1 AND owner = ?', owner);
    const ids = new Set([...this.leases.owned.map(({ id }) => id), ...ours.map(({ id }) => String(id))]);
    // The latest writes may only be in the old file.
    const latest = [...ids].flatMap((id) => this.#lastSeen(id) ?? []);
    this.#database.switchTo(repaired);
    this.#changes.fileReplaced();
    await this.#transact('full', (nextRevision) => {
      for (const { task, fence } of latest) {
        if (this.fence(task.id) <= fence) {
          this.#database.run('DELETE FROM tasks WHERE id = ?', task.id);
          this.#insert(task, nextRevision(), fence);
        }
      }
    });
    this.#emit([...ids]);
  }

  #lastSeen(id: string): { task: Task; fence: number } | undefined {
    try {
      const task = this.get(id);
      return task && { task, fence: this.leases.fenceOf(id) ?? this.fence(id) };
    } catch {
      return undefined;
    }
  }

  #insert(task: Task, revision: number, fence: number): void {
    this.leases.beat();
    this.#database.run(
      `INSERT INTO tasks (id, status, live, unsaved, prompt, request, state, revision, owner, fence)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...toRow(task),
      revision,
      this.leases.owner,
      fence,
    );
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

function countable(rows: number): number {
  return Math.min(rows, Number.MAX_SAFE_INTEGER);
}

function conditionOf(filter: TaskFilter & Pick<Page, 'before'>): { where: string; values: string[] } {
  const { text = '', words = '', statuses, model, kind, starred, before } = filter;
  const conditions: [condition: string, ...values: string[]][] = [];
  if (before !== undefined) {
    conditions.push(['id < ?', before]);
  }
  if (text !== '') {
    const pattern = patternOf(text);
    conditions.push(
      Buffer.byteLength(pattern) > maxPatternLength
        ? ['instr(prompt, ?) > 0', text]
        : [`prompt ${like}`, pattern],
    );
  }
  for (const word of words.split(/\s+/u).filter((one) => one !== '')) {
    const inName = patternOf(inUri(word));
    conditions.push([hasWord, ...Array<string>(5).fill(patternOf(word)), inName, inName]);
  }
  if (statuses) {
    conditions.push([`status IN (${statuses.map(() => '?').join(', ')})`, ...statuses]);
  }
  if (model !== undefined) {
    conditions.push(['model = ?', model]);
  }
  if (kind !== undefined) {
    conditions.push(['kind = ?', kind]);
  }
  if (starred) {
    conditions.push(['starred = 1']);
  }
  return {
    where: conditions.length > 0 ? `WHERE ${conditions.map(([condition]) => condition).join(' AND ')}` : '',
    values: conditions.flatMap(([, ...values]) => values),
  };
}

/** Returns a pattern for LIKE that a text matches if this is a part of it. */
function patternOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** Returns a part of a file name as URIs write it. */
function inUri(word: string): string {
  return encodeURI(word.toWellFormed())
    .replaceAll(/[?#]/gu, encodeURIComponent)
    .replaceAll(/%5[BD]/gu, decodeURIComponent);
}

/**
 * Returns how soon an event must be on disk. Other events that a power cut undoes can be recovered: from the service,
 * from complete images in their folder, or from the intended name of a publication.
 */
function durabilityOf(event: TaskEvent, { status }: Task): Durability {
  switch (event.type) {
    case 'reported':
    case 'unreachable':
    case 'attempt':
    case 'answering':
    case 'fetched':
    case 'settled':
      return 'normal';
    case 'arrived':
      // Abandoned calls have no images to look for.
      return status === 'submitting' || status === 'in_progress' ? 'normal' : 'full';
    case 'resultChanged':
      return event.result.state === 'saved' && event.result.uri?.startsWith('file:') ? 'normal' : 'full';
    default:
      return 'full';
  }
}
