/** Lets so many through at once, first come, first served; the limit is asked anew each time. */
export class Slots {
  readonly #limit: () => number;
  readonly #queue = new Set<() => void>();
  #taken = 0;

  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /**
   * Waits for a slot.
   *
   * @returns gives the slot back; to be called once
   * @throws the signal's reason when it is aborted while waiting
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#queue.size > 0 || this.#taken >= Math.max(this.#limit(), 1)) {
      await this.#turn(signal);
    } else {
      this.#taken++;
    }
    return () => {
      this.#taken--;
      this.#advance();
    };
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      this.#queue.delete(resolve);
      reject(signal.reason);
    };
    this.#queue.add(resolve);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #advance(): void {
    // As many as there is room for: the limit may have been raised.
    for (const next of this.#queue) {
      if (this.#taken >= Math.max(this.#limit(), 1)) {
        return;
      }
      this.#queue.delete(next);
      // Counted at once: whoever asks before the one that waited goes on must find it taken.
      this.#taken++;
      next();
    }
  }
}
