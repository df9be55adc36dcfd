/**
 * Returns the lengths of the codes of symbols by how often they come, in bits: frequent ones have short codes, and one
 * that is alone needs no bits.
 */
export function codeLengths(counts: Uint32Array, longest: number): Uint8Array {
  // Rare symbols count more until their codes are short enough.
  for (let least = 1; ; least *= 2) {
    const lengths = treeDepths(counts, least);
    if (lengths.every((length) => length <= longest)) {
      return lengths;
    }
  }
}

/** A symbol, or two nodes together. */
interface TreeNode {
  count: number;
  symbol?: number;
  pair?: readonly [TreeNode, TreeNode];
}

/** Returns how deep each symbol is in a tree that joins the two rarest nodes again and again. */
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

/** Returns the codes of these lengths: the shorter ones first, of each length in the order of their symbols. */
export function canonicalCodes(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  let next = 0;
  for (let length = 1; length <= longestCode; length++) {
    for (const [symbol, own] of lengths.entries()) {
      if (own === length) {
        codes[symbol] = next++;
      }
    }
    next <<= 1;
  }
  return codes;
}

/** The longest codes that any format has. */
const longestCode = 16;
