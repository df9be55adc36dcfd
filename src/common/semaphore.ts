interface Waiting {
  weight: number;
  start: () => void;
}

/** A semaphore with weights, first come, first served. The limit may change. */
export class Semaphore {
  readonly #limit: () => number;
  readonly #queue = new Set<Waiting>();
  #acquired = 0;

  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /**
   * Waits until there is room for a weight; one above the limit waits until it is alone.
   *
   * @returns a function that gives the room back; call it once
   * @throws the signal's reason when it is aborted while waiting
   */
  async acquire(signal: AbortSignal | undefined, weight = 1): Promise<() => void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { weight, start: resolve };
    const leave = (): void => {
      this.#queue.delete(waiting);
      reject(signal?.reason);
      this.#advance();
    };
    this.#queue.add(waiting);
    this.#advance();
    signal?.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
    return () => {
      this.#acquired -= weight;
      this.#advance();
    };
  }

  async use<T>(weight: number, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(undefined, weight);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #advance(): void {
    for (const next of this.#queue) {
      if (this.#acquired > 0 && this.#acquired + next.weight > this.#limit()) {
        return;
      }
      this.#queue.delete(next);
      // Counted before the waiting caller continues, so that nobody else takes the room.
      this.#acquired += next.weight;
      next.start();
    }
  }
}
