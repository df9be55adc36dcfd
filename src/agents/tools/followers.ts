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
   * Waits until a task ends or needs the user, and then for the task that puts its image on black, if any. A call that
   * is canceled, or whose time is over, no longer waits, and the task continues: the service can't cancel it. Canceling
   * the last call that waits for an agent's task that was not sent yet cancels the task.
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

  async #rest(id: string, { signal, patience, onProgress }: CallContext): Promise<Task> {
    const { store, runner } = await this.#host.engine();
    const { promise, resolve, reject } = Promise.withResolvers<Task>();
    const left = patience ? AbortSignal.any([signal, patience]) : signal;
    const check = (): void => {
      const task = store.get(id);
      if (!task) {
        reject(new LimnerError('stopped', "The task isn't in the task list.", { billing: 'maybe' }));
        return;
      }
      onProgress?.(task);
      if (isTerminal(task.status) || task.status === 'needs_key' || task.held || left.aborted) {
        resolve(task);
      }
    };
    const leave = (): void => {
      const isCanceled = signal.aborted && this.#mayCancel(store.get(id), store.leases.fenceOf(id));
      (isCanceled ? runner.cancel(id) : Promise.resolve()).then(check).catch(reject);
    };
    const changes = store.onDidChange((ids) => {
      if (ids.includes(id)) {
        check();
      }
    });
    left.addEventListener('abort', leave, { once: true });
    try {
      if (left.aborted) {
        leave();
      } else {
        check();
      }
      return await promise;
    } finally {
      left.removeEventListener('abort', leave);
      changes.dispose();
    }
  }

  /**
   * Whether a call may cancel a task: it is that of an agent's call, no other call waits for it, here or in another
   * process, and it was not sent. An image on black is needed for the one on white, which is paid.
   */
  #mayCancel(task: Task | undefined, fence: number | undefined): boolean {
    const isLast = task?.request.agent !== undefined && this.#counts.get(task.id) === 1;
    return isLast && task.status === 'waiting' && fence !== undefined;
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
