import { LimnerError, notSent } from '../../common/limnerError.ts';
import { costFacts, imagesMade } from '../../engine/task/spending.ts';
import type { TaskStore } from '../../engine/store/taskStore.ts';
import type { Task } from '../../engine/task/task.ts';

export interface AgentLimits {
  /** Per session: while the window is open or the MCP server runs. */
  session: number;
  /** In 24 hours, over all sessions. */
  day: number;
}

const day = 24 * 60 * 60_000;

/** Counts the images that agents request. All of them may be billed. */
export class Allowance {
  readonly #limits: () => AgentLimits;
  /** Images per task of this session, by ID. Old or removed tasks still count. */
  readonly #session = new Map<string, number>();
  /** Images of calls whose tasks are about to be added or sent. */
  #pending = 0;

  constructor(limits: () => AgentLimits) {
    this.#limits = limits;
  }

  /** @throws LimnerError `over_budget` when the limits leave no room for this many images */
  requireRoomFor(store: TaskStore, images: number, now: number): void {
    this.#requireRoom(store, this.#pending + images, images, now);
  }

  /**
   * Sends a task for this many images, if the limits leave room for them.
   *
   * @param send gets the check, which it calls in the transaction that sends the task, unless the call already has a
   *   task
   * @throws LimnerError `over_budget` when there is no room; nothing was sent then
   */
  async spend(
    store: TaskStore,
    images: number,
    now: number,
    send: (check: () => void) => Promise<Task>,
  ): Promise<Task> {
    let reserved = 0;
    const check = (): void => {
      this.#requireRoom(store, this.#pending - reserved + images, images, now);
      this.#pending += images - reserved;
      reserved = images;
    };
    try {
      const task = await send(check);
      this.#session.set(task.id, images);
      return task;
    } finally {
      this.#pending -= reserved;
    }
  }

  /** Returns how many images agents may still request. */
  left(store: TaskStore, now: number): AgentLimits {
    const limits = this.#limits();
    const used = this.#used(store, now);
    return {
      session: Math.max(0, limits.session - used.session - this.#pending),
      day: Math.max(0, limits.day - used.day),
    };
  }

  /** @param ahead images of calls that have no task yet, including this one */
  #requireRoom(store: TaskStore, ahead: number, images: number, now: number): void {
    const limits = this.#limits();
    const used = this.#used(store, now);
    if (used.day + images > limits.day) {
      throw exhausted(limits.day, 'in 24 hours', 'dailyLimit', 'LIMNER_AGENTS_DAILY_LIMIT');
    }
    if (used.session + ahead > limits.session) {
      throw exhausted(limits.session, 'in one session', 'sessionLimit', 'LIMNER_AGENTS_SESSION_LIMIT');
    }
  }

  #used(store: TaskStore, now: number): AgentLimits {
    const ofSession = [...this.#session].map(([id, count]) => {
      const task = store.get(id);
      return !task || imagesMade(costFacts(task)) > 0 ? count : 0;
    });
    return {
      session: ofSession.reduce((sum, count) => sum + count, 0),
      day: store.spent
        .between(now - day)
        .reduce((sum, { facts, tasks }) => sum + (facts.isByAgent ? tasks * imagesMade(facts) : 0), 0),
    };
  }
}

function exhausted(limit: number, when: string, setting: string, variable: string): LimnerError {
  return new LimnerError(
    'over_budget',
    `Agents may request ${limit === 1 ? '1 image' : `${limit} images`} ${when}, and this call would exceed that. The limit is the setting "limner.agents.${setting}", or ${variable} for the MCP server.`,
    notSent,
  );
}
