import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cosineTransform, leftScales } from '../../../../../src/images/codecs/byRows/cosineTransform.ts';
import { Random } from '../../../../support/random.ts';

const side = 8;

function wave(at: number, frequency: number): number {
  return (frequency === 0 ? Math.SQRT1_2 : 1) * Math.cos(((2 * at + 1) * frequency * Math.PI) / 16);
}

/** The frequencies of a block as the JPEG standard (ITU-T T.81, A.3.3) defines them. */
function byDefinition(block: Float32Array): Float64Array {
  return Float64Array.from({ length: side * side }, (_, index) => {
    const [down, across] = [Math.floor(index / side), index % side];
    return (
      block.reduce(
        (sum, level, at) => sum + level * wave(Math.floor(at / side), down) * wave(at % side, across),
        0,
      ) / 4
    );
  });
}

describe('cosineTransform', () => {
  it('gives the frequencies of the standard, each so many times too large', () => {
    const random = new Random(5);
    for (let run = 0; run < 40; run++) {
      const isExtreme = run % 2 === 0;
      const block = Float32Array.from({ length: side * side }, () =>
        isExtreme ? random.pick([-128, 127]) : random.below(256) - 128,
      );
      const expected = byDefinition(block);
      cosineTransform(block);
      for (const [at, frequency] of expected.entries()) {
        const own = (block[at] ?? 0) / (leftScales[at] ?? 0);
        assert.ok(Math.abs(own - frequency) < 0.001, `${at}: ${own}, not ${frequency}`);
      }
    }
  });
});
