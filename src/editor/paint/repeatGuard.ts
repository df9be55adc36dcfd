/** A key that is held down comes again within so many milliseconds, the first time after the longest pause. */
const maxPause = 1500;

/** Runs that were started just now: the same asked for again is no second one, for a key that is held down asks often. */
export class RepeatGuard<T> {
  readonly #runs = new Map<string, { outcome: Promise<T>; at: number }>();
  readonly #now: () => number;

  /** @param now in milliseconds, from whenever */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Starts a run, unless the same was asked for just now.
   *
   * @param what the command and its arguments
   * @returns what comes of the one run; one that failed and cost nothing is forgotten at once
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

/** Whether it is an error of Limner's that says so; their class is in another bundle. */
function costNothing(error: unknown): boolean {
  return (
    error instanceof Error &&
    (('sent' in error && error.sent === false) || ('billing' in error && error.billing === 'no'))
  );
}
