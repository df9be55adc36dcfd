/**
 * Longest pause between the repeats of a key that is held down, in milliseconds: half a second before the first, and what
 * a busy machine adds.
 */
const maxPause = 3000;

/** Keeps runs from being started twice by a key that is held down. */
export class RepeatGuard<T> {
  readonly #runs = new Map<string, { outcome: Promise<T>; at: number }>();
  readonly #now: () => number;

  /** @param now in milliseconds, from whenever */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Starts a run, unless the same was started just now.
   *
   * @param what the command and its arguments
   * @returns the outcome of the one run; one that failed and cost nothing is forgotten at once
   */
  async once(what: string, run: () => Promise<T>): Promise<T> {
    const at = this.#now();
    for (const [key, before] of this.#runs) {
      if (before.at < at - maxPause) {
        this.#runs.delete(key);
      }
    }
    const started = this.#runs.get(what) ?? { outcome: this.#start(what, run), at };
    started.at = at;
    this.#runs.set(what, started);
    return started.outcome;
  }

  async #start(what: string, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (costNothing(error)) {
        this.#runs.delete(what);
      }
      throw error;
    }
  }
}

/** Whether an error of Limner says so, whose class is in another bundle, or a question was dismissed. */
function costNothing(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'Canceled' ||
      ('sent' in error && error.sent === false) ||
      ('billing' in error && error.billing === 'no'))
  );
}
