/**
 * Longest pause between the repeats of a key that is held down, in milliseconds: half a second before the first, and the
 * delay of a busy machine.
 */
const maxPause = 3000;

/** Keeps runs from being started twice by a key that is held down. */
export class RepeatGuard<T> {
  readonly #runs = new Map<string, { outcome: Promise<T>; at: number }>();
  readonly #now: () => number;

  /** @param now in milliseconds, from any origin */
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
    const outcome = this.#runs.get(what)?.outcome ?? this.#start(what, run);
    this.#runs.set(what, { outcome, at });
    return outcome;
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

/** Whether a question was dismissed, or an error of Limner, whose class may be in another bundle, says so. */
function costNothing(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'Canceled' ||
      ('sent' in error && error.sent === false) ||
      ('billing' in error && error.billing === 'no'))
  );
}
