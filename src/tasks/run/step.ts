import type { ArrivedImage, Task, TaskResult } from '../task.ts';
import type { Run } from './run.ts';

/** Something that is made of an image between its arrival and its publication, as its row says. */
export interface Step {
  name: 'composed' | 'finished';
  /** Whether it is asked for, and neither done nor known to be impossible. */
  isDue: (task: Task, result: TaskResult) => boolean;
  /**
   * Returns the new bytes, if there are any, and what the row says of it; undefined if there is nothing to say. What it
   * throws is a fault of the disk.
   */
  make: (
    run: Run,
    task: Task,
    image: ArrivedImage,
  ) => Promise<{ bytes?: Uint8Array; facts: Partial<TaskResult> } | undefined>;
}
