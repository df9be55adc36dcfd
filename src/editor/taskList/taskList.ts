import type { Task } from '../../tasks/task.ts';
import type { TaskScope, TaskStore } from '../../tasks/store/taskStore.ts';
import type { BatchRow, DayRow, MoreRow, TaskRow } from './taskNode.ts';
import { startOfDay } from '../../common/days.ts';
import { isRunning, standingOf } from '../../common/taskStatus.ts';

/** Ended tasks per page. */
export const pageSize = 100;

/** The rows that a change in the store affects: only these are redrawn. */
export interface RowChanges {
  /** Top-level rows were added, removed or moved. */
  root: boolean;
  /** Rows whose own data or children changed. */
  rows: Set<TaskRow | BatchRow | DayRow>;
}

export interface RunningTasks {
  tasks: readonly Task[];
  /** They are those of other workspaces, which the list doesn't show. */
  areElsewhere: boolean;
}

type Source = Pick<TaskStore, 'get' | 'list' | 'listWithin' | 'unfinished'>;

/**
 * The rows of the task list: running tasks, paused ones, then ended ones by the day on which they started, newest
 * first, page by page. It is read from the store once and then follows its changes, so that a change costs no more than
 * its rows.
 */
export class TaskList {
  readonly #store: Source;
  readonly #scope: TaskScope | undefined;
  readonly #running: TaskRow[] = [];
  readonly #paused: TaskRow[] = [];
  readonly #days: DayRow[] = [];
  readonly #batches = new Map<string, BatchRow>();
  readonly #places = new Map<string, { row: TaskRow; day: DayRow | undefined }>();
  readonly #more: MoreRow = { kind: 'more' };
  /** Whether a folder belongs to the scope, by its URI: to find out takes a look at the workspace. */
  readonly #within = new Map<string, boolean>();
  #hasMore = true;
  #oldest: string | undefined;

  /** @param scope all tasks unless it is given */
  constructor(store: Source, scope?: TaskScope) {
    this.#store = store;
    this.#scope = scope;
    for (const task of store.unfinished()) {
      this.#insert({ kind: 'task', task });
    }
    this.showMore();
  }

  /** All running tasks, also those that are not shown. */
  get running(): readonly TaskRow[] {
    return this.#running;
  }

  /** The running tasks that are counted: those that are shown, or else those of other workspaces. */
  get counted(): RunningTasks {
    const shown = this.#running.filter(({ task }) => this.isAbout(task));
    const rows = shown.length > 0 ? shown : this.#running;
    return { tasks: rows.map(({ task }) => task), areElsewhere: rows !== shown };
  }

  get top(): (TaskRow | BatchRow | DayRow | MoreRow)[] {
    const unfinished = [...this.#running, ...this.#paused].filter(({ task }) => this.isAbout(task));
    const days = this.#days.filter((day) => this.below(day).length > 0);
    return [...this.#gathered(unfinished, undefined), ...days, ...(this.#hasMore ? [this.#more] : [])];
  }

  /** Returns the rows of a day. */
  below(day: DayRow): (TaskRow | BatchRow)[] {
    return this.#gathered(day.rows, day);
  }

  /** Returns the row above tasks that were made together. */
  batch(id: string | undefined): BatchRow | undefined {
    return id === undefined ? undefined : this.#batches.get(id);
  }

  /** Whether the list is about a task. */
  isAbout({ id, request }: Task): boolean {
    return !this.#scope || this.#scope.ids.has(id) || this.#isWithin(this.#scope, request.target.folder);
  }

  /** Returns the row of a task, if it is loaded. */
  row(id: string): TaskRow | undefined {
    return this.#places.get(id)?.row;
  }

  /** Returns the tasks below the row of a batch. */
  within({ rows }: BatchRow): TaskRow[] {
    return rows.filter(({ task }) => this.isAbout(task));
  }

  /** Returns the day that a task's row is under, or that of its batch; undefined at the top level. */
  dayOf(id: string): DayRow | undefined {
    const place = this.#places.get(id);
    const batch = this.batch(place?.row.task.request.batch?.id);
    return batch ? this.dayOfBatch(batch) : place?.day;
  }

  /** Returns the day of the newest task of a batch; undefined while one of them has not ended. */
  dayOfBatch(batch: BatchRow): DayRow | undefined {
    const days = this.within(batch).map(({ task }) => this.#places.get(task.id)?.day);
    return days.includes(undefined) ? undefined : days[0];
  }

  /** Returns the loaded tasks that saved such a file. */
  savedAs(isOne: (uri: string) => boolean): TaskRow[] {
    return [...this.#places.values()].flatMap(({ row }) =>
      row.task.results.some(({ uri }) => uri !== undefined && isOne(uri)) ? row : [],
    );
  }

  /** Reads the next page. @returns its first row, undefined when there was none */
  showMore(): TaskRow | undefined {
    const range = { limit: pageSize + 1, ...(this.#oldest !== undefined && { before: this.#oldest }) };
    const page = this.#scope ? this.#store.listWithin(this.#scope, range) : this.#store.list(range);
    this.#hasMore = page.length > pageSize;
    let first: TaskRow | undefined;
    for (const task of page.slice(0, pageSize)) {
      this.#oldest = task.id;
      if (!this.#places.has(task.id)) {
        const row: TaskRow = { kind: 'task', task };
        this.#insert(row);
        first ??= row;
      }
    }
    return first;
  }

  /** Updates the rows of these tasks from the store. */
  update(ids: readonly string[]): RowChanges {
    const changes: RowChanges = { root: false, rows: new Set() };
    for (const id of ids) {
      this.#updateOne(id, this.#store.get(id), changes);
    }
    return changes;
  }

  #updateOne(id: string, task: Task | undefined, changes: RowChanges): void {
    const place = this.#places.get(id);
    if (place && task && standingOf(place.row.task) === standingOf(task)) {
      place.row.task = task;
      changes.rows.add(place.row);
      const batch = this.batch(task.request.batch?.id);
      if (batch) {
        changes.rows.add(batch);
      }
      return;
    }
    if (place) {
      this.#remove(id, changes);
    }
    if (task && this.#belongs(task, place !== undefined)) {
      const row = place?.row ?? { kind: 'task', task };
      row.task = task;
      const days = this.#days.length;
      const day = this.#insert(row);
      if (place || !day || this.#days.length !== days || task.request.batch) {
        changes.root = true;
      } else {
        changes.rows.add(day);
      }
    }
  }

  #isWithin(scope: TaskScope, folder: string): boolean {
    const isWithin = this.#within.get(folder) ?? scope.isWithin(folder);
    this.#within.set(folder, isWithin);
    return isWithin;
  }

  /** Whether a task has a row: one that has not ended, or that is shown on a page that is loaded. */
  #belongs(task: Task, had: boolean): boolean {
    const isOnPage = had || !this.#hasMore || this.#oldest === undefined || task.id > this.#oldest;
    return standingOf(task) !== 'ended' || (isOnPage && this.isAbout(task));
  }

  #insert(row: TaskRow): DayRow | undefined {
    const day = standingOf(row.task) === 'ended' ? this.#day(row.task.createdAt) : undefined;
    const rows = day?.rows ?? this.#unfinished(row.task);
    // Pages come in the order of the list: the end is the likely position.
    const after = rows.findLastIndex(({ task }) => task.id > row.task.id);
    rows.splice(after + 1, 0, row);
    this.#places.set(row.task.id, { row, day });
    this.#addToBatch(row);
    return day;
  }

  #addToBatch(row: TaskRow): void {
    const { batch } = row.task.request;
    if (batch) {
      const known = this.#batches.get(batch.id) ?? {
        kind: 'batch',
        id: batch.id,
        title: batch.title,
        rows: [],
      };
      this.#batches.set(batch.id, known);
      const after = known.rows.findLastIndex(({ task }) => task.id > row.task.id);
      known.rows.splice(after + 1, 0, row);
    }
  }

  #removeFromBatch(row: TaskRow): void {
    const batch = this.batch(row.task.request.batch?.id);
    batch?.rows.splice(batch.rows.indexOf(row), 1);
    if (batch?.rows.length === 0) {
      this.#batches.delete(batch.id);
    }
  }

  /** Puts tasks that were made together under their row, where that is the place of it, and leaves them out elsewhere. */
  #gathered(rows: readonly TaskRow[], place: DayRow | undefined): (TaskRow | BatchRow)[] {
    if (this.#batches.size === 0) {
      return [...rows];
    }
    const gathered = rows.flatMap((row) => {
      const batch = this.batch(row.task.request.batch?.id);
      return batch === undefined ? row : this.dayOfBatch(batch) === place ? batch : [];
    });
    return [...new Set(gathered)];
  }

  #remove(id: string, changes: RowChanges): void {
    const place = this.#places.get(id);
    if (!place) {
      return;
    }
    const { row, day } = place;
    const rows = day?.rows ?? this.#unfinished(row.task);
    rows.splice(rows.indexOf(row), 1);
    this.#places.delete(id);
    this.#removeFromBatch(row);
    if (day && day.rows.length > 0) {
      changes.rows.add(day);
      changes.root ||= row.task.request.batch !== undefined;
      return;
    }
    if (day) {
      this.#days.splice(this.#days.indexOf(day), 1);
      changes.rows.delete(day);
    }
    changes.root = true;
  }

  #unfinished(task: Task): TaskRow[] {
    return isRunning(task) ? this.#running : this.#paused;
  }

  #day(time: number): DayRow {
    const start = startOfDay(time);
    const known = this.#days.find((day) => day.start === start);
    if (known) {
      return known;
    }
    const day: DayRow = { kind: 'day', start, rows: [] };
    const after = this.#days.findLastIndex((other) => other.start > start);
    this.#days.splice(after + 1, 0, day);
    return day;
  }
}
