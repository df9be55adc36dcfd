import type { TaskRequest } from '../../../src/engine/task/task.ts';

/** Orders to a window that is a process of its own; each is answered with a `WindowState`. */
export type WindowOrder =
  | { type: 'start'; requests: TaskRequest[] }
  | { type: 'pass'; milliseconds: number }
  /** The machine sleeps for so long. */
  | { type: 'sleep'; milliseconds: number }
  | { type: 'close' };

/** The state of a window once it has followed its orders and waits for nothing but time. */
export interface WindowState {
  /** Running tasks, in whichever window. */
  running: number;
}
