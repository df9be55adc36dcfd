import type { Task } from '../../tasks/task.ts';
import type { SavedResult } from './taskLabels.ts';

/** The row of a task; the same object wherever it moves. */
export interface TaskRow {
  readonly kind: 'task';
  task: Task;
}

/** The row of a saved image, below its task. */
export interface ImageRow {
  readonly kind: 'image';
  readonly task: Task;
  readonly result: SavedResult;
}

/** The row of tasks that were made together, above them. */
export interface BatchRow {
  readonly kind: 'batch';
  readonly id: string;
  readonly title: string;
  /** The newest first. */
  readonly rows: TaskRow[];
}

/** The row of a day, above the ended tasks that started on it. */
export interface DayRow {
  readonly kind: 'day';
  /** Local midnight at which the day starts, in Unix milliseconds. */
  readonly start: number;
  readonly rows: TaskRow[];
}

/** The last row while there are older tasks that are not loaded. */
export interface MoreRow {
  readonly kind: 'more';
}

/** A row of the task list. */
export type TaskNode = TaskRow | ImageRow | BatchRow | DayRow | MoreRow;
