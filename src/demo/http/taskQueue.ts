import { randomBytes } from 'node:crypto';
import type { DemoClock } from './demoClock.ts';
import { messageOf } from '../../common/limnerError.ts';

/** One result of a task (docs/service.md, "Result images"). */
export interface TaskResult {
  url: string;
  /** The hash of the image, in hexadecimal digits. */
  sha256: string;
  /** Absent for the second family. */
  revisedPrompt?: string;
}

/** Makes and stores a task's images, or rejects with the message of its failure. */
export type Work = () => Promise<TaskResult[]>;

type State =
  | { status: 'queued' }
  | { status: 'in_progress'; startedAt: number }
  | { status: 'completed'; results: TaskResult[] }
  | { status: 'failed'; message: string };

export type TaskStatus = State['status'];

/** An image task as the service keeps it (docs/service.md, "Task object"). */
export interface Task {
  readonly id: string;
  readonly account: string;
  readonly family: 'image' | 'native';
  /** Unix milliseconds of the service's clock. */
  readonly createdAt: number;
  /** The time that it is in progress, in milliseconds. */
  readonly duration: number;
  /** The only path at which it can be queried; by default, the documented one. */
  path?: string;
  state: State;
}

interface Waiting {
  task: Task;
  work: Work;
  settled: (task: Task) => void;
}

/** The progress from each share of the duration on. The step back is intended, since clients must handle it. */
const STAGES: readonly (readonly [share: number, percent: number])[] = [
  [0.2, 35],
  [0.4, 60],
  [0.55, 50],
  [0.75, 80],
  [0.9, 95],
];

/** The managed queue, which limits the tasks in progress and in all. */
export class TaskQueue {
  readonly #clock: DemoClock;
  readonly #capacity: number;
  readonly #workers: number;
  readonly #tasks = new Map<string, Task>();
  readonly #waiting: Waiting[] = [];
  #running = 0;

  /** @param capacity the number of unfinished tasks, including running ones */
  constructor(clock: DemoClock, { capacity, workers }: { capacity: number; workers: number }) {
    this.#clock = clock;
    this.#capacity = capacity;
    this.#workers = workers;
  }

  get isFull(): boolean {
    return this.#running + this.#waiting.length >= this.#capacity;
  }

  /** Creates a task in state `queued`. `settled` is called when it completes or fails. */
  submit(
    { account, family, duration }: Pick<Task, 'account' | 'family' | 'duration'>,
    work: Work,
    settled: (task: Task) => void,
  ): Task {
    const task: Task = {
      id: `task_${randomBytes(12).toString('hex')}`,
      account,
      family,
      createdAt: this.#clock.now(),
      duration,
      state: { status: 'queued' },
    };
    this.#tasks.set(task.id, task);
    this.#waiting.push({ task, work, settled });
    // In the next turn, so that the submission itself always returns `queued`.
    this.#clock.schedule(0, () => {
      this.#startNext();
    });
    return task;
  }

  find(id: string): Task | undefined {
    return this.#tasks.get(id);
  }

  findAt(path: string): Task | undefined {
    return [...this.#tasks.values()].find((task) => task.path === path);
  }

  /** Returns the progress in stages from 0 to 100. It may step back. */
  progressOf({ state, duration }: Task): number {
    switch (state.status) {
      case 'queued':
        return 10;
      case 'in_progress': {
        const share = (this.#clock.now() - state.startedAt) / duration;
        return STAGES.findLast(([from]) => share >= from)?.[1] ?? 20;
      }
      case 'completed':
      case 'failed':
        return 100;
    }
  }

  #startNext(): void {
    if (this.#running >= this.#workers) {
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) {
      return;
    }
    this.#running += 1;
    const { task, work } = next;
    task.state = { status: 'in_progress', startedAt: this.#clock.now() };
    const outcome = work().then(
      (results): State => ({ status: 'completed', results }),
      (error: unknown): State => ({ status: 'failed', message: messageOf(error) }),
    );
    this.#clock.schedule(task.duration, async () => {
      task.state = await outcome;
      this.#running -= 1;
      next.settled(task);
      this.#startNext();
    });
  }
}
