interface Timer {
  due: number;
  run: () => void | Promise<void>;
}

/** The longest single step of the clock: ten years, in milliseconds. */
export const LONGEST_STEP = 10 * 365 * 86_400_000;

/** The limit of `setTimeout`, in milliseconds. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * The service's own time, which runs with the machine's or stands still. Either way it can be moved forward, so that
 * six hours of retention pass at once. Times are Unix milliseconds.
 */
export class DemoClock {
  readonly #frozen: boolean;
  /** The offset from the machine's time when running, the time itself when frozen. */
  #base: number;
  #timers: Timer[] = [];
  #alarm: NodeJS.Timeout | undefined;
  #isDisposed = false;
  /** Callbacks that became due by themselves and are not done yet. */
  readonly #open = new Set<Promise<void>>();

  /** @param start the time to begin at, the machine's by default */
  constructor(mode: 'running' | 'frozen', start = Date.now()) {
    this.#frozen = mode === 'frozen';
    this.#base = this.#frozen ? start : start - Date.now();
  }

  now(): number {
    return this.#frozen ? this.#base : Date.now() + this.#base;
  }

  /** Runs a callback after a delay in milliseconds of this clock. */
  schedule(delay: number, run: () => void | Promise<void>): void {
    const timer = { due: this.now() + delay, run };
    const later = this.#timers.findIndex((other) => other.due > timer.due);
    this.#timers.splice(later === -1 ? this.#timers.length : later, 0, timer);
    this.#setAlarm();
  }

  /** Settles after a delay in milliseconds of this clock. */
  wait(delay: number): Promise<void> {
    return new Promise((resolve) => {
      this.schedule(delay, resolve);
    });
  }

  /** Moves the clock forward. Callbacks run in order at their own times; settles when all are done. */
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

  /** Cancels all timers, including those that ongoing work sets up later. */
  dispose(): void {
    this.#isDisposed = true;
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
    if (first === undefined || this.#isDisposed) {
      return;
    }
    const delay = Math.max(0, first.due - this.now());
    // In frozen time, only timers that are already due can fire.
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
