import type { TestContext } from 'node:test';

interface Timer {
  due: number;
  callback: () => void;
  refresh(): void;
  unref(): void;
}

/**
 * Replaces the timers of a test by ones that stand still until it moves them. Those of `test.mock.timers` do the same,
 * but `refresh` does nothing to them.
 */
export class RefreshedTimers {
  #now = 0;
  readonly #timers = new Set<Timer>();

  constructor(test: TestContext) {
    test.mock.method(globalThis, 'setTimeout', (callback: () => void, milliseconds: number) => {
      const timer = {
        due: this.#now + milliseconds,
        callback,
        refresh: () => {
          timer.due = this.#now + milliseconds;
          this.#timers.add(timer);
        },
        unref: () => undefined,
      };
      this.#timers.add(timer);
      return timer;
    });
    test.mock.method(globalThis, 'clearTimeout', (timer: Timer) => this.#timers.delete(timer));
  }

  /** Moves time on, and calls back whoever waited until then. */
  tick(milliseconds: number): void {
    this.#now += milliseconds;
    for (const timer of [...this.#timers].filter(({ due }) => due <= this.#now)) {
      this.#timers.delete(timer);
      timer.callback();
    }
  }
}
