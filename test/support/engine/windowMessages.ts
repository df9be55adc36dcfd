import type { TaskRequest } from '../../../src/tasks/task.ts';

/** What a test asks of a window that is a process of its own; each is answered with a `WindowState`. */
export type WindowOrder =
  | { type: 'start'; requests: TaskRequest[] }
  | { type: 'pass'; milliseconds: number }
  /** The machine sleeps for so long. */
  | { type: 'sleep'; milliseconds: number }
  | { type: 'close' };

/** How a window stands once it has done as it was told and waits for nothing but time. */
export interface WindowState {
  /** Tasks that are on their way, in whichever window. */
  running: number;
}
