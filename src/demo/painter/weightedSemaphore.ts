interface Waiting {
  weight: number;
  start: () => void;
}

/** Lets work of so much weight altogether be done at once; the rest waits, first come, first served. */
export class Turns {
  readonly #capacity: number;
  #free: number;
  readonly #waiting: Waiting[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#free = capacity;
  }

  /** Does work in its turn; what is heavier than the whole capacity is done alone. */
  async take<T>(heaviness: number, work: () => Promise<T>): Promise<T> {
    const weight = Math.min(heaviness, this.#capacity);
    await new Promise<void>((start) => {
      this.#waiting.push({ weight, start });
      this.#startWaiting();
    });
    try {
      return await work();
    } finally {
      this.#free += weight;
      this.#startWaiting();
    }
  }

  #startWaiting(): void {
    for (
      let next = this.#waiting[0];
      next !== undefined && next.weight <= this.#free;
      next = this.#waiting[0]
    ) {
      this.#waiting.shift();
      this.#free -= next.weight;
      next.start();
    }
  }
}
