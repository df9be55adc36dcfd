import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addDifference,
  differenceText,
  noDifference,
} from '../../../../src/studio/results/compare/difference.ts';

/** Pixels of one gray each, opaque. */
const grays = (...levels: number[]) =>
  Uint8ClampedArray.from(levels.flatMap((level) => [level, level, level, 255]));

/** What is said of 100,000 pixels. */
const all = (changed: number, slight = 0, language = 'en') =>
  differenceText({ all: { pixels: 100_000, changed, slight }, outside: undefined }, language);

/** What is said of 200 pixels, half of them outside the mask. */
const outside = (changed: number) =>
  differenceText(
    { all: { pixels: 200, changed: 100, slight: 0 }, outside: { pixels: 100, changed, slight: 0 } },
    'en',
  );

void describe('the difference of two pictures', () => {
  void it('counts what changed, and apart from it what changed slightly', () => {
    const difference = noDifference(false);
    const marks = addDifference(difference, grays(0, 100, 100, 100), grays(0, 107, 108, 255), undefined);
    assert.deepEqual(difference, { all: { pixels: 4, changed: 2, slight: 1 }, outside: undefined });
    const [none = 0, slight = 0, change = 0, great = 0] = [0, 1, 2, 3].map((pixel) => marks[4 * pixel + 3]);
    assert.equal(none, 0);
    assert.ok(slight > none && change > slight && great > change);
  });

  void it('sees a change of transparency', () => {
    const difference = noDifference(false);
    addDifference(difference, grays(9), Uint8ClampedArray.of(9, 9, 9, 0), undefined);
    assert.equal(difference.all.changed, 1);
  });

  void it('counts apart what lies outside the mask, whatever the convention of that is', () => {
    const [before, after] = [grays(0, 0, 0), grays(255, 0, 255)];
    const byAlpha = Uint8ClampedArray.of(0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 255);
    const byLightness = grays(255, 0, 0);
    for (const [rgba, isByAlpha] of [
      [byAlpha, true],
      [byLightness, false],
    ] as const) {
      const difference = noDifference(true);
      addDifference(difference, before, after, { rgba, isByAlpha });
      assert.deepEqual(difference.outside, { pixels: 2, changed: 1, slight: 0 });
      assert.equal(difference.all.changed, 2);
    }
  });

  void it('is told in words that never round a change away', () => {
    assert.equal(all(0), 'The images are identical.');
    assert.equal(all(1), 'Changed: less than 0.1% of the pixels.');
    assert.equal(all(99_999), 'Changed: 99.9% of the pixels.');
    assert.equal(all(100_000), 'Changed: 100% of the pixels.');
    assert.equal(all(12_345, 50_000), 'Changed: 12.3% of the pixels, and another 50% slightly.');
    assert.equal(all(0, 5000), 'Changed slightly: 5% of the pixels.');
    assert.equal(outside(0), 'Changed: 50% of the pixels. Outside the mask: nothing changed.');
    assert.equal(outside(25), 'Changed: 50% of the pixels. Outside the mask: 25% changed.');
    assert.equal(all(1, 0, 'de'), 'Changed: less than 0,1% of the pixels.');
    assert.equal(all(12_345, 0, 'de'), 'Changed: 12,3% of the pixels.');
  });
});
