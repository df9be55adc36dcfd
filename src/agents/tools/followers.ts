import { LimnerError } from '../../common/limnerError.ts';
import { isTerminal } from '../../common/taskStatus.ts';
import { taskOnBlack } from '../../engine/task/twoBackgrounds.ts';
import type { Task } from '../../engine/task/task.ts';
import type { AgentHost, CallContext } from './agentHost.ts';

/** A task that was waited for and, for an image on black, the task of the image on white before it. */
export interface Followed {
  task: Task;
  onWhite?: Task;
}

export class Followers {
  readonly #host: Pick<AgentHost, 'engine'>;
  readonly #counts = new Map<string, number>();

  constructor(host: Pick<AgentHost, 'engine'>) {
    this.#host = host;
  }

  /**
   * Waits until a task ends or needs the user, and then for the task that puts its image on black, if any. Canceling
   * the last call that waits for an agent's task stops the task, unless another process works on it. A user's own task
   * continues.
   *
   * @returns the last task and the one before it
   * @throws LimnerError `stopped` when the task is removed
   */
  async follow(id: string, context: CallContext): Promise<Followed> {
    this.#count(id, 1);
    try {
      const task = await this.#rest(id, context);
      const { store } = await this.#host.engine();
      const next = store.get(taskOnBlack(task) ?? '');
      return next
        ? { task: (await this.follow(next.id, context)).task, onWhite: store.get(id) ?? task }
        : { task };
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
      const isLeft = signal.aborted && !this.#mayStop(task, store.leases.fenceOf(id));
      if (isTerminal(task.status) || task.status === 'needs_key' || task.held || isLeft) {
        resolve(task);
      }
    };
    const stop = (): void => {
      if (this.#mayStop(store.get(id), store.leases.fenceOf(id))) {
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

  /** Whether a call may stop a task: an agent sent it, no other call waits for it, and this process works on it. */
  #mayStop(task: Task | undefined, fence: number | undefined): boolean {
    const isOfAgent = task?.request.startedBy === 'agent';
    return isOfAgent && this.#counts.get(task.id) === 1 && fence !== undefined;
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
