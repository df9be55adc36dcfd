import { LimnerError, notSent } from '../common/limnerError.ts';
import { imageCount } from '../tasks/files/onTwoGrounds.ts';
import type { TaskStore } from '../tasks/store/taskStore.ts';
import type { Task } from '../tasks/task.ts';

/** How many images agents may have made. */
export interface AgentLimits {
  /** In one session: as long as the window is open, or the MCP server runs. */
  session: number;
  /** In 24 hours, over all sessions. */
  day: number;
}

const day = 24 * 60 * 60_000;

/** Counts the images that agents ask for, all that may be billed. */
export class Allowance {
  readonly #limits: () => AgentLimits;
  /** Images of the tasks of this session, by their IDs: a task may be old, and removed from the list. */
  readonly #session = new Map<string, number>();
  /** Images of calls that are no task yet. */
  #pending = 0;

  constructor(limits: () => AgentLimits) {
    this.#limits = limits;
  }

  /**
   * Runs what adds a task for so many images, if the limits leave room for them.
   *
   * @throws LimnerError `invalid_request` when they do not; nothing was sent then
   */
  async spend(store: TaskStore, images: number, now: number, add: () => Promise<Task>): Promise<Task> {
    const limits = this.#limits();
    const ahead = this.#pending + images;
    const today = store.ofAgents(now - day).filter(mayCost);
    if (today.reduce((sum, { request }) => sum + imageCount(request), ahead) > limits.day) {
      throw exhausted(limits.day, 'in 24 hours', 'dailyLimit', 'LIMNER_AGENTS_DAILY_LIMIT');
    }
    const ofSession = [...this.#session].map(([id, count]) => {
      const task = store.get(id);
      return !task || mayCost(task) ? count : 0;
    });
    if (ofSession.reduce((sum, count) => sum + count, ahead) > limits.session) {
      throw exhausted(limits.session, 'in one session', 'sessionLimit', 'LIMNER_AGENTS_SESSION_LIMIT');
    }
    this.#pending += images;
    try {
      const task = await add();
      this.#session.set(task.id, images);
      return task;
    } finally {
      this.#pending -= images;
    }
  }
}

function mayCost({ status, error }: Task): boolean {
  const wasFree = error?.billing === 'no' || error?.billing === 'refunded';
  return !((status === 'failed' || status === 'stopped') && wasFree);
}

function exhausted(limit: number, when: string, setting: string, variable: string): LimnerError {
  return new LimnerError(
    'invalid_request',
    `Agents may have ${limit} images made ${when}, and this call would go beyond that. Tell the person: the setting "limner.agents.${setting}", or ${variable} for the MCP server, is that limit.`,
    notSent,
  );
}
