import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonicalCodes, codeLengths } from '../../../../src/images/codecs/prefixCode.ts';
import { Random } from '../../../support/random.ts';

/** Counts of symbols: alike, of a few kinds, or each a good deal rarer than the one before; some don't come at all. */
function someCounts(random: Random): Uint32Array {
  const kind = random.below(3);
  const counts = Uint32Array.from({ length: 2 + random.below(random.pick([18, 280])) }, (_, symbol) =>
    random.below(4) === 0
      ? 0
      : kind === 0
        ? 1 + random.below(1000)
        : kind === 1
          ? random.pick([1, 2, 3, 500])
          : Math.ceil(1e8 / 1.6 ** (symbol % 40)),
  );
  counts[0] = counts[1] = 1 + random.below(9);
  return counts;
}

/** The bits of all symbols together with the best code that there is (Huffman's). */
function leastBits(counts: Uint32Array): number {
  const nodes = [...counts].filter((count) => count > 0).toSorted((one, other) => one - other);
  let bits = 0;
  while (nodes.length > 1) {
    const both = (nodes.shift() ?? 0) + (nodes.shift() ?? 0);
    bits += both;
    const behind = nodes.findIndex((count) => count > both);
    nodes.splice(behind < 0 ? nodes.length : behind, 0, both);
  }
  return bits;
}

function bitsWith(lengths: Uint8Array, counts: Uint32Array): number {
  return counts.reduce((sum, count, symbol) => sum + count * (lengths[symbol] ?? 0), 0);
}

/** How much of all codes is used: 1 where nothing is left over. */
function used(lengths: Uint8Array): number {
  return lengths.reduce((sum, length) => sum + (length > 0 ? 2 ** -length : 0), 0);
}

describe('the lengths of codes', () => {
  it('make the smallest files, and are never longer than a format allows', () => {
    const random = new Random(23);
    for (let run = 0; run < 60; run++) {
      const counts = someCounts(random);
      const free = codeLengths(counts, 255);
      assert.equal(bitsWith(free, counts), leastBits(counts));
      const longest = counts.length > 20 ? 15 : 7;
      const lengths = codeLengths(counts, longest);
      for (const [symbol, length] of lengths.entries()) {
        assert.equal(length > 0, (counts[symbol] ?? 0) > 0);
        assert.ok(length <= longest);
        assert.ok((free[symbol] ?? 0) > 0 === length > 0);
      }
      assert.deepEqual([used(free), used(lengths)], [1, 1]);
      assert.ok(bitsWith(lengths, counts) <= 1.1 * leastBits(counts));
    }
  });

  it('make codes of which none begins like another, in the order of their symbols', () => {
    const random = new Random(29);
    for (let run = 0; run < 40; run++) {
      const lengths = codeLengths(someCounts(random), 16);
      const codes = canonicalCodes(lengths);
      const written = [...lengths.entries()]
        .filter(([, length]) => length > 0)
        .toSorted(([one, length], [other, otherLength]) => length - otherLength || one - other)
        .map(([symbol, length]) => (codes[symbol] ?? 0).toString(2).padStart(length, '0'));
      assert.deepEqual(written.toSorted(), written);
      assert.ok(written.every((code, index) => !(written[index + 1] ?? '').startsWith(code)));
      assert.match(written[0] ?? '', /^0+$/u);
      assert.match(written.at(-1) ?? '', /^1+$/u);
    }
  });
});
