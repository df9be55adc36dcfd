import type { Plan } from '../../agents/agentHost.ts';
import { isSameOrder } from '../../agents/agreement.ts';

/** What a call is about to do, and whether the person is asked about it; no plan for a call that is refused. */
export interface PreparedCall {
  plan: Plan | undefined;
  isAsked: boolean;
}

interface Pending {
  call: PreparedCall;
  /** When it was prepared, in Unix milliseconds. */
  at: number;
}

/** How long a question may stand, in milliseconds: nobody tells of those that were declined. */
const patience = 60 * 60_000;

/**
 * The calls that were prepared and not made yet. Like calls cannot be told apart: which of them the person agreed to is
 * not known, so each may do only what all of them were to do.
 */
export class PreparedCalls {
  readonly #calls = new Map<string, Pending[]>();
  readonly #now: () => number;

  constructor(now = () => Date.now()) {
    this.#now = now;
  }

  /** @param name what like calls have in common */
  add(name: string, call: PreparedCall): void {
    this.#calls.set(name, [...this.#pending(name), { call, at: this.#now() }]);
  }

  /** Returns what one of the calls of a name may do; nothing is left of it then. */
  take(name: string): PreparedCall {
    const pending = this.#pending(name);
    const [first = { plan: undefined, isAsked: false }, ...more] = pending.map(({ call }) => call);
    const narrowest = more.reduce(narrower, first);
    const others = pending.slice(1).map(({ at }) => ({ call: narrowest, at }));
    if (others.length > 0) {
      this.#calls.set(name, others);
    } else {
      this.#calls.delete(name);
    }
    return narrowest;
  }

  #pending(name: string): Pending[] {
    return (this.#calls.get(name) ?? []).filter(({ at }) => this.#now() - at < patience);
  }
}

function narrower(one: PreparedCall, other: PreparedCall): PreparedCall {
  const plan = one.plan &&
    other.plan && {
      ...other.plan,
      images: isSameOrder(one.plan.request, other.plan.request)
        ? Math.min(one.plan.images, other.plan.images)
        : 0,
      replaces: one.plan.replaces && other.plan.replaces,
    };
  return { plan, isAsked: one.isAsked && other.isAsked };
}
