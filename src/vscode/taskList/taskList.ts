import type { Task } from '../../engine/task/task.ts';
import type { TaskScope, TaskStore } from '../../engine/store/taskStore.ts';
import type { BatchRow, DayRow, MoreRow, TaskRow } from './taskNode.ts';
import { startOfDay } from '../../common/days.ts';
import { isRunning, standingOf } from '../../common/taskStatus.ts';

export const pageSize = 100;

/** Rows that a change in the store affects: only these are redrawn. */
export interface RowChanges {
  root: boolean;
  rows: Set<TaskRow | BatchRow | DayRow>;
}

type Source = Pick<TaskStore, 'get' | 'list' | 'listWithin' | 'unfinished'>;

/**
 * Rows of the task list: running tasks, paused ones, then ended ones by the day on which they started, newest first,
 * page by page. The store is read once; after that, a change costs no more than its rows.
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
  /** Whether a folder, by its URI, belongs to the scope: cached because the check needs the workspace. */
  readonly #within = new Map<string, boolean>();
  #hasMore = true;
  #oldest: string | undefined;

  /** @param scope without it, all tasks */
  constructor(store: Source, scope?: TaskScope) {
    this.#store = store;
    this.#scope = scope;
    for (const task of store.unfinished()) {
      this.#insert({ kind: 'task', task });
    }
    this.showMore();
  }

  get running(): readonly TaskRow[] {
    return this.#running;
  }

  /** The running tasks that the list shows: those of other workspaces are no news in this window. */
  get counted(): Task[] {
    return this.#running.flatMap(({ task }) => (this.isAbout(task) ? task : []));
  }

  get top(): (TaskRow | BatchRow | DayRow | MoreRow)[] {
    const unfinished = [...this.#running, ...this.#paused].filter(({ task }) => this.isAbout(task));
    const days = this.#days.filter((day) => this.below(day).length > 0);
    return [...this.#gathered(unfinished, undefined), ...days, ...(this.#hasMore ? [this.#more] : [])];
  }

  below(day: DayRow): (TaskRow | BatchRow)[] {
    return this.#gathered(day.rows, day);
  }

  batch(id: string | undefined): BatchRow | undefined {
    return id === undefined ? undefined : this.#batches.get(id);
  }

  isAbout({ id, request }: Task): boolean {
    return !this.#scope || this.#scope.ids.has(id) || this.#isWithin(this.#scope, request.target.folder);
  }

  row(id: string): TaskRow | undefined {
    return this.#places.get(id)?.row;
  }

  within({ rows }: BatchRow): TaskRow[] {
    return rows.filter(({ task }) => this.isAbout(task));
  }

  /** Returns the day above a task's row or its batch; undefined at the top level. */
  dayOf(id: string): DayRow | undefined {
    const place = this.#places.get(id);
    const batch = this.batch(place?.row.task.request.batch?.id);
    return batch ? this.dayOfBatch(batch) : place?.day;
  }

  /** Returns the day of a batch's newest task; undefined while one of its tasks hasn't ended. */
  dayOfBatch(batch: BatchRow): DayRow | undefined {
    const days = this.within(batch).map(({ task }) => this.#places.get(task.id)?.day);
    return days.includes(undefined) ? undefined : days[0];
  }

  savedAs(isOne: (uri: string) => boolean): TaskRow[] {
    return [...this.#places.values()].flatMap(({ row }) =>
      row.task.results.some(({ uri }) => uri !== undefined && isOne(uri)) ? row : [],
    );
  }

  /** Reads the next page. @returns its first row; undefined without one */
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

  /** Whether a task has a row: it hasn't ended, or is on a loaded page. */
  #belongs(task: Task, had: boolean): boolean {
    const isOnPage = had || !this.#hasMore || this.#oldest === undefined || task.id > this.#oldest;
    return standingOf(task) !== 'ended' || (isOnPage && this.isAbout(task));
  }

  #insert(row: TaskRow): DayRow | undefined {
    const day = standingOf(row.task) === 'ended' ? this.#day(row.task.createdAt) : undefined;
    const rows = day?.rows ?? this.#unfinished(row.task);
    // Pages come in the order of the list, so the end is the likely position.
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

  /** Groups tasks that were started together under their row in its own place, and omits them elsewhere. */
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
