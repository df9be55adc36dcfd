interface Timer {
  due: number;
  run: () => void | Promise<void>;
}

/** No single step of the clock is longer: ten years, in milliseconds. */
export const LONGEST_STEP = 10 * 365 * 86_400_000;

/** setTimeout cannot wait longer than this many milliseconds. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * The service's own time: it runs with the machine's or stands still, and can be moved forward either way, so
 * that six hours of retention pass at once. Times are Unix milliseconds.
 */
export class DemoClock {
  readonly #frozen: boolean;
  /** Running: what is added to the machine's time. Frozen: the time itself. */
  #base: number;
  #timers: Timer[] = [];
  #alarm: NodeJS.Timeout | undefined;
  /** What has become due by itself and is not done yet. */
  readonly #open = new Set<Promise<void>>();

  /** @param start the time to begin at, the machine's by default */
  constructor(mode: 'running' | 'frozen', start = Date.now()) {
    this.#frozen = mode === 'frozen';
    this.#base = this.#frozen ? start : start - Date.now();
  }

  now(): number {
    return this.#frozen ? this.#base : Date.now() + this.#base;
  }

  /** Runs a callback once so many milliseconds of this clock have passed. */
  schedule(delay: number, run: () => void | Promise<void>): void {
    const timer = { due: this.now() + delay, run };
    const later = this.#timers.findIndex((other) => other.due > timer.due);
    this.#timers.splice(later === -1 ? this.#timers.length : later, 0, timer);
    this.#setAlarm();
  }

  /** Settles once so many milliseconds of this clock have passed. */
  wait(delay: number): Promise<void> {
    return new Promise((resolve) => {
      this.schedule(delay, resolve);
    });
  }

  /**
   * Moves the clock forward. Everything due on the way happens at its own time and in its order, also what
   * becomes due only through it; settles when all of that is done.
   */
  async advance(milliseconds: number): Promise<void> {
    const target = this.now() + milliseconds;
    await Promise.all(this.#open);
    for (let timer = this.#takeDue(target); timer !== undefined; timer = this.#takeDue(target)) {
      this.#moveTo(timer.due);
      await timer.run();
      await Promise.all(this.#open);
    }
    this.#moveTo(target);
    this.#setAlarm();
  }

  /** Forgets every timer. */
  dispose(): void {
    clearTimeout(this.#alarm);
    this.#timers = [];
  }

  #takeDue(time: number): Timer | undefined {
    const [first] = this.#timers;
    return first !== undefined && first.due <= time ? this.#timers.shift() : undefined;
  }

  #moveTo(time: number): void {
    const step = time - this.now();
    if (step > 0) {
      this.#base += step;
    }
  }

  #setAlarm(): void {
    clearTimeout(this.#alarm);
    const [first] = this.#timers;
    if (first === undefined) {
      return;
    }
    const delay = Math.max(0, first.due - this.now());
    // Time that stands still brings nothing about but what is due already.
    if (!this.#frozen || delay === 0) {
      this.#alarm = setTimeout(
        () => {
          this.#ring();
        },
        Math.min(delay, LONGEST_TIMEOUT),
      );
    }
  }

  #ring(): void {
    const now = this.now();
    for (let timer = this.#takeDue(now); timer !== undefined; timer = this.#takeDue(now)) {
      const done = Promise.resolve(timer.run()).finally(() => this.#open.delete(done));
      this.#open.add(done);
    }
    this.#setAlarm();
  }
}
