/** Draws numbers from a seed. A seed draws the same numbers everywhere. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  between(low: number, high: number): number;
  /** Returns an integer from `low` to `high`, both inclusive. */
  integer(low: number, high: number): number;
  pick<const T>(choices: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
}

/** Returns a 32-bit hash of a text: FNV-1a over UTF-16 units, mixed again so that similar texts lie far apart. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hashInteger(hash);
}

/** Scatters the bits of a 32-bit integer and returns an unsigned one. */
export function hashInteger(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function seededRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    // A Weyl sequence visits every state, and the hash hides its regularity.
    state = (state + 0x9e3779b9) | 0;
    return hashInteger(state) / 0x1_0000_0000;
  };
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    integer: (low, high) => low + Math.floor((high - low + 1) * next()),
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
    chance: (probability) => next() < probability,
  };
}
