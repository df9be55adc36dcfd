import { LimnerError } from '../common/limnerError.ts';
import { isTerminal } from '../common/taskStatus.ts';
import { taskOnBlack } from '../tasks/files/onTwoGrounds.ts';
import type { Task } from '../tasks/task.ts';
import type { AgentHost, CallContext } from './agentHost.ts';

/** Waits for tasks, each for as many calls as ask for it. */
export class Followers {
  readonly #host: Pick<AgentHost, 'engine'>;
  /** How many calls wait for a task. */
  readonly #counts = new Map<string, number>();

  constructor(host: Pick<AgentHost, 'engine'>) {
    this.#host = host;
  }

  /**
   * Waits until a task ends or waits for a person, and then for the one that puts its image on black. When the last call
   * that waits for a task is cancelled, the task is stopped, unless another process works on it.
   *
   * @returns the last of them
   * @throws LimnerError `stopped` when it is removed
   */
  async follow(id: string, context: CallContext): Promise<Task> {
    this.#count(id, 1);
    try {
      const task = await this.#rest(id, context);
      const { store } = await this.#host.engine();
      const next = store.get(taskOnBlack(task) ?? '');
      return !next || next.held ? task : await this.follow(next.id, context);
    } finally {
      this.#count(id, -1);
    }
  }

  async #rest(id: string, { signal, onProgress }: CallContext): Promise<Task> {
    const { store, runner } = await this.#host.engine();
    const { promise, resolve, reject } = Promise.withResolvers<Task>();
    const check = (): void => {
      const task = store.get(id);
      if (!task) {
        reject(new LimnerError('stopped', "The task isn't in the task list.", { billing: 'maybe' }));
        return;
      }
      onProgress?.(task);
      const isLeft = signal.aborted && !this.#mayStop(id, store.leases.fenceOf(id));
      if (isTerminal(task.status) || task.status === 'needs_key' || task.held || isLeft) {
        resolve(task);
      }
    };
    const stop = (): void => {
      if (this.#mayStop(id, store.leases.fenceOf(id))) {
        runner.stop(id).then(check, reject);
      } else {
        check();
      }
    };
    const changes = store.onDidChange((ids) => {
      if (ids.includes(id)) {
        check();
      }
    });
    signal.addEventListener('abort', stop, { once: true });
    try {
      check();
      if (signal.aborted) {
        stop();
      }
      return await promise;
    } finally {
      signal.removeEventListener('abort', stop);
      changes.dispose();
    }
  }

  /** Whether a call may stop a task: no other one waits for it, and this process works on it. */
  #mayStop(id: string, fence: number | undefined): boolean {
    return this.#counts.get(id) === 1 && fence !== undefined;
  }

  #count(id: string, change: number): void {
    const count = (this.#counts.get(id) ?? 0) + change;
    if (count > 0) {
      this.#counts.set(id, count);
    } else {
      this.#counts.delete(id);
    }
  }
}
