import type { Plan } from '../../agents/tools/agentHost.ts';
import { isSameOrder } from '../../agents/tools/agreement.ts';

/** A prepared call, and whether the user is asked about it. A refused call has no plan. */
export interface PreparedCall {
  plan: Plan | undefined;
  isAsked: boolean;
}

interface Pending {
  call: PreparedCall;
  /** Time of preparation, in Unix milliseconds. */
  at: number;
}

/** Lifetime of a question, in milliseconds: declined questions aren't reported. */
const patience = 60 * 60_000;

/**
 * Calls that were prepared but not yet made. Identical calls can't be told apart: Limner doesn't know which one the
 * user agreed to, so each may only do what all of them may.
 */
export class PreparedCalls {
  readonly #calls = new Map<string, Pending[]>();
  readonly #now: () => number;

  constructor(now = () => Date.now()) {
    this.#now = now;
  }

  /** @param name shared by identical calls */
  add(name: string, call: PreparedCall): void {
    this.#calls.set(name, [...this.#pending(name), { call, at: this.#now() }]);
  }

  /** Takes one call of a name, and returns what it may do. */
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
