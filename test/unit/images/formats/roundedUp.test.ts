import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { allMultiples, roundedUp } from '../../../../src/images/formats/roundedUp.ts';

describe('roundedUp', () => {
  const sizes = fc.record({
    width: fc.integer({ min: 1, max: 65_500 }),
    height: fc.integer({ min: 1, max: 65_500 }),
  });

  it('leaves a size as it is without multiples', () => {
    fc.assert(fc.property(sizes, (size) => assert.deepEqual(roundedUp(size, undefined), { ...size })));
  });

  it('has a meaning for all multiples that there are', () => {
    assert.deepEqual(
      allMultiples.map((multiples) => roundedUp({ width: 33, height: 65 }, multiples)),
      [
        { width: 48, height: 80 },
        { width: 64, height: 128 },
      ],
    );
  });

  it('gives the next multiples of 16', () => {
    fc.assert(
      fc.property(sizes, (size) => {
        const { width, height } = roundedUp(size, 16);
        assert.deepEqual([width % 16, height % 16], [0, 0]);
        assert.ok(width >= size.width && width < size.width + 16);
        assert.ok(height >= size.height && height < size.height + 16);
      }),
    );
  });

  it('gives the next powers of two', () => {
    fc.assert(
      fc.property(sizes, (size) => {
        for (const [given, rounded] of [
          [size.width, roundedUp(size, 'powerOfTwo').width],
          [size.height, roundedUp(size, 'powerOfTwo').height],
        ] as const) {
          assert.match(rounded.toString(2), /^10*$/u);
          assert.ok(rounded >= given && rounded < 2 * given, `${given} becomes ${rounded}`);
        }
      }),
    );
    assert.deepEqual(roundedUp({ width: 1, height: 1024 }, 'powerOfTwo'), { width: 1, height: 1024 });
  });
});
