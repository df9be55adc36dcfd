import type { Clock, Disposable } from '../../src/common/clock.ts';

/** When the time of tests begins, in Unix milliseconds. */
export const beginning = 1_700_000_000_000;

/** Time that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Map<object, { due: number; callback: () => void }>();

  constructor(now = beginning) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(callback: () => void, milliseconds: number): Disposable {
    const timer = { dispose: () => void this.#timers.delete(timer) };
    this.#timers.set(timer, { due: this.#now + milliseconds, callback });
    return timer;
  }

  /** Moves time on, timer by timer; whatever each of them sets off is settled before the next one. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (;;) {
      const [next] = [...this.#timers]
        .filter(([, { due }]) => due <= end)
        .toSorted(([, one], [, other]) => one.due - other.due);
      if (!next) {
        break;
      }
      const [timer, { due, callback }] = next;
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, due);
      callback();
      await settle();
    }
    this.#now = end;
  }

  /** Sets the clock, as sleep or a user does; timers know nothing of it. */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
    for (const timer of this.#timers.values()) {
      timer.due += milliseconds;
    }
  }

  /** When the next timer is due; infinity if none is. */
  get nextDue(): number {
    return Math.min(...[...this.#timers.values()].map(({ due }) => due));
  }

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.size;
  }
}

/** Lets every promise that can go on do so. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
