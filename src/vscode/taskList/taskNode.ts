import type { Task } from '../../engine/task/task.ts';
import type { SavedResult } from './taskLabels.ts';

/** Row of a task; the same object wherever it moves. */
export interface TaskRow {
  readonly kind: 'task';
  task: Task;
}

export interface ImageRow {
  readonly kind: 'image';
  readonly task: Task;
  readonly result: SavedResult;
}

export interface BatchRow {
  readonly kind: 'batch';
  readonly id: string;
  readonly title: string;
  readonly rows: TaskRow[];
}

/** Row of a day, above the ended tasks that started on it. */
export interface DayRow {
  readonly kind: 'day';
  /** Local midnight at the start of the day, in Unix milliseconds. */
  readonly start: number;
  readonly rows: TaskRow[];
}

/** Last row while older tasks aren't loaded. */
export interface MoreRow {
  readonly kind: 'more';
}

export type TaskNode = TaskRow | ImageRow | BatchRow | DayRow | MoreRow;
