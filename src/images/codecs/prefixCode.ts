const pieceLength = 1024 * 1024;

/** Writes numbers of a few bits, the lowest bit first. */
export class BitWriter {
  readonly #pieces: Uint8Array[] = [];
  #piece = new Uint8Array(pieceLength);
  #length = 0;
  /** Bits that don't fill two bytes yet, and their number. */
  #open = 0;
  #openCount = 0;

  /** @param count of bits, at most 16 */
  write(value: number, count: number): void {
    this.#open |= value << this.#openCount;
    this.#openCount += count;
    if (this.#openCount >= 16) {
      this.#flush();
    }
  }

  /** Returns the bytes so far, padded with zero bits. */
  bytes(): Uint8Array[] {
    const rest = [this.#open & 255, (this.#open >> 8) & 255].slice(0, Math.ceil(this.#openCount / 8));
    return [...this.#pieces, this.#piece.subarray(0, this.#length), Uint8Array.from(rest)];
  }

  #flush(): void {
    this.#piece[this.#length] = this.#open & 255;
    this.#piece[this.#length + 1] = (this.#open >> 8) & 255;
    this.#length += 2;
    this.#open >>>= 16;
    this.#openCount -= 16;
    if (this.#length === pieceLength) {
      this.#pieces.push(this.#piece);
      this.#piece = new Uint8Array(pieceLength);
      this.#length = 0;
    }
  }
}

/** Returns code lengths in bits from symbol counts. A single symbol needs no bits. */
export function codeLengths(counts: Uint32Array, longest: number): Uint8Array {
  // Raise the counts of rare symbols until their codes are short enough.
  for (let least = 1; ; least *= 2) {
    const lengths = treeDepths(counts, least);
    if (lengths.every((length) => length <= longest)) {
      return lengths;
    }
  }
}

interface TreeNode {
  count: number;
  symbol?: number;
  pair?: readonly [TreeNode, TreeNode];
}

/** Returns the depth of each symbol in a tree that repeatedly joins the two rarest nodes. */
function treeDepths(counts: Uint32Array, least: number): Uint8Array {
  const nodes: TreeNode[] = [...counts]
    .flatMap((count, symbol) => (count > 0 ? { count: Math.max(least, count), symbol } : []))
    .toSorted((one, other) => other.count - one.count);
  for (
    let [one, other] = [nodes.pop(), nodes.pop()];
    one && other;
    [one, other] = [nodes.pop(), nodes.pop()]
  ) {
    const joined = { count: one.count + other.count, pair: [one, other] as const };
    nodes.splice(nodes.findLastIndex(({ count }) => count >= joined.count) + 1, 0, joined);
    if (nodes.length === 1) {
      break;
    }
  }
  const depths = new Uint8Array(counts.length);
  const visit = ({ symbol, pair }: TreeNode, depth: number): void => {
    if (symbol !== undefined) {
      depths[symbol] = depth;
    }
    pair?.forEach((node) => visit(node, depth + 1));
  };
  nodes.forEach((node) => visit(node, 0));
  return depths;
}

/** Returns the codes for these lengths: shorter ones first, and equal lengths in the order of their symbols. */
export function canonicalCodes(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  let next = 0;
  for (let length = 1; length <= longestPossible; length++) {
    for (const [symbol, own] of lengths.entries()) {
      if (own === length) {
        codes[symbol] = next++;
      }
    }
    next <<= 1;
  }
  return codes;
}

/** Maximum code length in any format. */
const longestPossible = 16;

/** Maximum code lengths for symbols, and for the lengths of those codes. */
const [longestCode, longestOfLengths] = [15, 7];
/** The order in which the codes of lengths are written; the last three stand for repetitions. */
const lengthOrder = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;
/** Symbols for short and long runs of zero lengths, with the shortest run and the number of extra bits. */
const shortRun = { symbol: 17, least: 3, bits: 3 };
const longRun = { symbol: 18, least: 11, most: 138, bits: 7 };

/** The codes of symbols by their frequency: frequent symbols have short ones. */
export class PrefixCode {
  /** Number of bits in each symbol's code; 0 for a missing symbol, and for a single one. */
  readonly lengths: Uint8Array;
  readonly bits: Uint16Array;
  readonly #only: number | undefined;

  constructor(counts: Uint32Array, longest = longestCode) {
    const used = counts.reduce((sum, count) => sum + Number(count > 0), 0);
    this.#only =
      used < 2
        ? Math.max(
            0,
            counts.findIndex((count) => count > 0),
          )
        : undefined;
    this.lengths = codeLengths(counts, longest);
    this.bits = bitsFor(this.lengths);
  }

  writeSymbol(symbol: number, to: BitWriter): void {
    to.write(this.bits[symbol] ?? 0, this.lengths[symbol] ?? 0);
  }

  /** Writes the code table of lossless WebP. */
  write(to: BitWriter): void {
    if (this.#only === undefined) {
      this.#writeLengths(to);
      return;
    }
    // One symbol, of eight bits.
    to.write(0b101, 3);
    to.write(this.#only, 8);
  }

  #writeLengths(to: BitWriter): void {
    const runs = [...runsIn(this.lengths)];
    const counts = new Uint32Array(lengthOrder.length);
    for (const { symbol } of runs) {
      counts[symbol] = (counts[symbol] ?? 0) + 1;
    }
    const code = new PrefixCode(counts, longestOfLengths);
    const lengths = lengthOrder.map((symbol) => (symbol === code.#only ? 1 : (code.lengths[symbol] ?? 0)));
    const written = Math.max(4, lengths.findLastIndex((length) => length > 0) + 1);
    to.write(0, 1);
    to.write(written - 4, 4);
    for (const length of lengths.slice(0, written)) {
      to.write(length, 3);
    }
    // The lengths of all symbols follow.
    to.write(0, 1);
    for (const { symbol, rest, restBits } of runs) {
      code.writeSymbol(symbol, to);
      to.write(rest, restBits);
    }
  }
}

/** Turns lengths into symbols: runs of zeros into one symbol with extra bits, other lengths into themselves. */
function* runsIn(lengths: Uint8Array): Generator<{ symbol: number; rest: number; restBits: number }> {
  for (let at = 0; at < lengths.length;) {
    const run = zerosFrom(lengths, at);
    const kind = run >= longRun.least ? longRun : run >= shortRun.least ? shortRun : undefined;
    yield kind
      ? { symbol: kind.symbol, rest: run - kind.least, restBits: kind.bits }
      : { symbol: lengths[at] ?? 0, rest: 0, restBits: 0 };
    at += kind ? run : 1;
  }
}

/** Returns the number of consecutive zero lengths, up to the limit of one symbol. */
function zerosFrom(lengths: Uint8Array, start: number): number {
  let end = start;
  while (lengths[end] === 0 && end - start < longRun.most) {
    end++;
  }
  return end - start;
}

/** Returns the codes as they are written, the first bit lowest. */
function bitsFor(lengths: Uint8Array): Uint16Array {
  return canonicalCodes(lengths).map((code, symbol) => reversed(code, lengths[symbol] ?? 0));
}

function reversed(value: number, length: number): number {
  let bits = 0;
  for (let bit = 0; bit < length; bit++) {
    bits = (bits << 1) | ((value >> bit) & 1);
  }
  return bits;
}
