/** Random numbers that are the same again for the same seed. */
export class Dice {
  #state: number;

  constructor(...seeds: readonly number[]) {
    this.#state = 0;
    for (const seed of seeds) {
      this.#state = (Math.imul(this.#state ^ seed, 0x9e3779b1) + seed) >>> 0;
      this.#next();
    }
  }

  /** From 0 up to, but not including, `limit`. */
  number(limit: number): number {
    return this.#next() * limit;
  }

  /** A whole number from `first` to `last`. */
  whole(first: number, last: number): number {
    return first + Math.floor(this.number(last - first + 1));
  }

  /** True so many times out of a hundred. */
  chance(percent: number): boolean {
    return this.number(100) < percent;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.whole(0, choices.length - 1)] ?? choices[0];
  }

  /** mulberry32 */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
