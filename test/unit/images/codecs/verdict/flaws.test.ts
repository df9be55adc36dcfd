import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkCutout,
  type CutoutCheck,
  type RemovalFacts,
} from '../../../../../src/images/codecs/verdict/checkCutout.ts';
import type { CutoutFlaw } from '../../../../../src/images/formats/cutout.ts';
import { paint } from '../../../../support/images/pictures.ts';

/** Judges alpha alone. */
function judged(
  alphaAt: (x: number, y: number) => number,
  { facts = {} }: { facts?: RemovalFacts } = {},
): CutoutCheck {
  return checkCutout(
    paint(200, 150, (x, y) => [30, 60, 90, alphaAt(x, y)]),
    facts,
  );
}

const inBox = (x: number, y: number): boolean => x >= 50 && x < 150 && y >= 40 && y < 110;

const box = (x: number, y: number): number => (inBox(x, y) ? 255 : 0);

const inCorners =
  (count: number) =>
  (x: number, y: number): number => {
    const index = (x < 100 ? 0 : 1) + (y < 75 ? 0 : 2);
    // A little less than what cuts a subject off.
    return index < count && Math.min(x, 199 - x) < 3 && Math.min(y, 149 - y) < 3 ? 100 : box(x, y);
  };

const reaching =
  (sides: number) =>
  (x: number, y: number): number =>
    (Math.abs(x - 100) < 20 && (y < 75 || sides > 1)) || (Math.abs(y - 75) < 20 && x < 100 && sides > 2)
      ? 255
      : 0;
const isDark = (x: number): boolean => x >= 110;

describe('what speaks against a cut-out', () => {
  const some: Record<
    string,
    [flaw: CutoutFlaw, little: () => CutoutCheck, much: () => CutoutCheck, text: RegExp]
  > = {
    'no subject': [
      'empty',
      () => judged((x, y) => (x >= 90 && x < 102 && y >= 50 && y < 62 ? 255 : 0)),
      () => judged((x, y) => (x >= 90 && x < 96 && y >= 50 && y < 56 ? 255 : 0)),
      /^Nothing is left/u,
    ],
    'what fills the image': [
      'full',
      () => judged((x) => (x > 4 ? 255 : 0)),
      () => judged((_, y) => (y > 0 ? 255 : 0)),
      /^Nothing was removed/u,
    ],
    'a subject that is cut off': [
      'cut',
      () => judged((x, y) => (box(x, y) || (x > 90 && x < 94 && y > 50) ? 255 : 0)),
      () => judged((x, y) => (box(x, y) || (x > 90 && x < 110 && y > 50) ? 255 : 0)),
      /^The subject is cut off at the bottom\.$/u,
    ],
    'a haze at the edges': [
      'remains',
      () => judged((x, y) => box(x, y) || (y === 0 && x >= 50 && x < 65 ? 30 : 0)),
      () => judged((x, y) => box(x, y) || (y === 0 && x >= 50 && x < 95 ? 30 : 0)),
      /haze/u,
    ],
    'what is half-transparent': [
      'half',
      () => judged((x, y) => (inBox(x, y) ? (x < 65 ? 128 : 255) : 0)),
      () => judged((x, y) => (inBox(x, y) ? (x < 81 ? 128 : 255) : 0)),
      /^30 % of the subject is half-transparent/u,
    ],
    pits: [
      'eaten',
      () => judged((x, y) => (inBox(x, y) ? (x % 20 === 5 && y % 20 === 5 ? 90 : 255) : 0)),
      () => judged((x, y) => (inBox(x, y) ? (x % 10 === 5 && y % 10 === 5 ? 90 : 255) : 0)),
      /eaten away/u,
    ],
    'holes in something solid': [
      'holes',
      () => judged((x, y) => (inBox(x, y) && !(x % 25 < 4 && y % 30 < 4) ? 255 : 0)),
      () => judged((x, y) => (inBox(x, y) && !(x % 20 < 4 && y % 15 < 4 && x > 55 && y > 44) ? 255 : 0)),
      /^The subject has 25 holes:/u,
    ],
    'the holes of a net': [
      'holes',
      () => judged((x, y) => (inBox(x, y) && !(x % 10 > 0 && y % 10 > 0) ? 255 : 0)),
      () => judged((x, y) => (inBox(x, y) && !(x % 5 > 0 && y % 5 > 0) ? 255 : 0)),
      /^The subject has 247 holes:/u,
    ],
    pieces: [
      'pieces',
      () => judged((x, y) => (inBox(x, y) && x % 20 < 12 && y % 20 < 12 ? 255 : 0)),
      () => judged((x, y) => (inBox(x, y) && x % 14 < 8 && y % 14 < 8 ? 255 : 0)),
      /^The subject is in 35 separate pieces\.$/u,
    ],
    'what may be see-through': [
      'uncertain',
      () => judged(box, { facts: { uncertain: 0.03 } }),
      () => judged(box, { facts: { uncertain: 0.067 } }),
      /^7 % of the subject has a color close to/u,
    ],
    'what differs between two pictures': [
      'mismatch',
      () => judged(box, { facts: { disagreement: 0.02 } }),
      () => judged(box, { facts: { disagreement: 0.044 } }),
      /^The two pictures show 4 % of the subject/u,
    ],
    'a ground without a colour': [
      'grey_ground',
      () => judged(box, { facts: { isGrey: false } }),
      () => judged(box, { facts: { isGrey: true } }),
      /^The background has no strong color/u,
    ],
  };
  for (const [name, [flaw, little, much, text]] of Object.entries(some)) {
    it(`speaks of ${name} where there is enough of it, and of nothing else`, () => {
      const known = little();
      assert.ok(!known.reasons.some((reason) => reason.flaw === flaw), JSON.stringify(known));
      const { verdict, reasons } = much();
      assert.equal(verdict, flaw === 'empty' || flaw === 'full' ? 'bad' : 'doubtful');
      assert.deepEqual(
        reasons.map((reason) => reason.flaw),
        [flaw],
      );
      assert.match(reasons[0]?.text ?? '', text);
    });
  }

  it('says of how many corners and sides, and takes more than two for bad', () => {
    for (const [count, verdict, text] of [
      [1, 'doubtful', 'One corner is not clear.'],
      [2, 'doubtful', '2 of the 4 corners are not clear.'],
      [3, 'bad', '3 of the 4 corners are not clear.'],
      [4, 'bad', '4 of the 4 corners are not clear.'],
    ] as const) {
      const check = judged(inCorners(count));
      assert.deepEqual([check.verdict, check.reasons], [verdict, [{ flaw: 'corners', text }]]);
    }
    for (const [sides, verdict, where] of [
      [1, 'doubtful', 'top'],
      [2, 'doubtful', 'top and bottom'],
      [3, 'bad', 'top, bottom and left'],
    ] as const) {
      const check = judged(reaching(sides));
      const text = `The subject is cut off at the ${where}.`;
      assert.deepEqual([check.verdict, check.reasons], [verdict, [{ flaw: 'cut', text }]]);
    }
  });

  it('names what is gravest first', () => {
    const { reasons } = judged((x, y) =>
      (x < 3 && y < 3) || Math.abs(x - 100) < 20 || (Math.abs(y - 75) < 20 && x < 100) ? 255 : 0,
    );
    assert.deepEqual(
      reasons.map(({ flaw }) => flaw),
      ['cut', 'corners'],
    );
  });

  it('finds none with a solid subject', () => {
    const { verdict, reasons } = judged(box);
    assert.deepEqual([verdict, reasons], ['good', []]);
  });

  it('speaks once of what is half-transparent, dark or not', () => {
    for (const light of [128, 255]) {
      const { reasons } = checkCutout(
        paint(200, 150, (x, y) => {
          const alpha = isDark(x) ? 120 : x < 90 ? light : 255;
          return [...(isDark(x) ? ([5, 5, 5] as const) : ([200, 5, 5] as const)), inBox(x, y) ? alpha : 0];
        }),
      );
      assert.deepEqual(
        reasons.map(({ flaw }) => flaw),
        ['half'],
      );
      assert.match(reasons[0]?.text ?? '', light === 255 ? /^Something dark/u : /^\d\d % of the subject/u);
    }
  });

  it('tells how large the subject is, and how much of it is half-transparent', () => {
    const { subject, half } = judged((x, y) => (inBox(x, y) ? (x < 81 ? 128 : 255) : 0));
    assert.ok(Math.abs(subject - 7000 / 30_000) < 1e-9);
    assert.ok(Math.abs(half - 30 / 98) < 0.02);
  });
});
