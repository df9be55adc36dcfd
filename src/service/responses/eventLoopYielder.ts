/** Longest that one piece of a response blocks the event loop, in milliseconds. */
const maxBlockingTime = 5;

/** Lets the event loop run while a response is read. */
export class EventLoopYielder {
  #since = performance.now();

  /** Whether it is time to let the loop run; checked first, since waiting for nothing adds up. */
  get isDue(): boolean {
    return performance.now() - this.#since >= maxBlockingTime;
  }

  async yield(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
