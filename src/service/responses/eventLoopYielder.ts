/** Longest that the event loop is held up by what came in one piece, in milliseconds. */
const maxBlockingTime = 5;

/** Lets the event loop turn now and then while an answer is read. */
export class EventLoopYielder {
  #since = performance.now();

  /** Whether it is time to let the loop turn; asked first where a wait for nothing would add up. */
  get isDue(): boolean {
    return performance.now() - this.#since >= maxBlockingTime;
  }

  async yield(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
