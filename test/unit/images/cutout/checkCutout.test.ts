import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { seededRandom } from '../../../../src/demo/http/random.ts';
import { Codecs, type Pixels } from '../../../../src/images/finish/codecs.ts';
import { alphaOfTwoBackgrounds, removeKey } from '../../../../src/images/cutout/matte.ts';
import {
  checkCutout,
  type CutoutCheck,
  type RemovalFacts,
} from '../../../../src/images/cutout/checkCutout.ts';
import type { CutoutFlaw } from '../../../../src/images/formats/finish.ts';
import { keyedCases } from '../../../support/images/cutouts/cases.ts';
import { heldOutSubjects } from '../../../support/images/cutouts/heldOutSubjects.ts';
import { Layer } from '../../../support/images/cutouts/layer.ts';
import { disc, ring } from '../../../support/images/cutouts/shapes.ts';
import { subjects, type Subject } from '../../../support/images/cutouts/subjects.ts';
import { wrecked, wrecks } from '../../../support/images/cutouts/wrecks.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { paint } from '../../../support/images/pictures.ts';

/** Subjects of which nothing is see-through, and which have few holes. */
const { disc: aDisc, ball, ring: aRing, chain, star, texture, neighbour, shadow } = subjects;
const { letters, gear, spiral } = heldOutSubjects;
const thick = { aDisc, ball, star, texture, neighbour };
const solids = { ...thick, shadow, aRing, chain, letters, gear, spiral };

function cutOut(
  draw: Subject,
  seed: number,
  [width, height]: readonly [number, number] = [300, 240],
): Pixels {
  const layer = new Layer(width, height);
  draw(layer, seededRandom(seed), 120);
  return layer.cutOut();
}

function flawsOf(pixels: Pixels): CutoutFlaw[] {
  return checkCutout(pixels).reasons.map(({ flaw }) => flaw);
}

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

describe('the check of a cut-out', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  const seeds = Array.from({ length: fuzzRuns(1, 20) }, (_, index) => 300 + index);

  /** Cut-outs of solid subjects, drawn once. */
  const drawn = Object.entries(solids).flatMap(([kind, draw]) =>
    seeds.map((seed) => ({ kind, seed, pixels: cutOut(draw, seed) })),
  );

  it('is content with solid subjects that are cut out well', () => {
    for (const { kind, seed, pixels } of drawn) {
      const { verdict, reasons } = checkCutout(pixels);
      assert.deepEqual([verdict, reasons], ['good', []], `${kind}, seed ${seed}`);
    }
  });

  for (const [name, wreck] of Object.entries(wrecks)) {
    it(`is never content with this: ${name}`, () => {
      for (const { kind, seed, pixels } of drawn) {
        // Thin things with holes of some size are only other things.
        if (kind in thick || (name !== 'moth-eaten coarsely' && name !== 'half gone in clouds')) {
          const { verdict } = checkCutout(wrecked(pixels, wreck, seed));
          assert.notEqual(verdict, 'good', `${kind}, seed ${seed}`);
        }
      }
    });
  }

  it('says how much is half-transparent, to which a shadow does not count', () => {
    const glass = checkCutout(cutOut(subjects.glass, 5));
    assert.equal(glass.verdict, 'doubtful');
    assert.ok(glass.half > 0.4);
    assert.match(glass.reasons[0]?.text ?? '', /^\d\d % of the subject is half-transparent/u);
    assert.ok(checkCutout(cutOut(subjects.shadow, 5)).half < 0.05);
  });

  it('finds the same at four times the size', () => {
    for (const [kind, draw] of Object.entries({
      ball,
      gear,
      letters,
      glass: subjects.glass,
      net: subjects.net,
    })) {
      const [small, large] = [cutOut(draw, 8, [200, 160]), cutOut(draw, 8, [800, 640])];
      assert.deepEqual(flawsOf(large), flawsOf(small), kind);
    }
  });

  it('is never content with amber glass that was painted on blue', () => {
    const amber = [255, 170, 30] as const;
    for (const body of [0.2, 0.3, 0.4, 0.45]) {
      for (const rim of [body, 0.9]) {
        const layer = new Layer(240, 240);
        disc(layer, [120, 120], 70, amber, { opacity: body });
        ring(layer, [120, 120], [60, 70], amber, 1 - (1 - rim) / (1 - body));
        const picture = layer.on(() => [0, 0, 255]);
        const outcome = removeKey(picture);
        assert.ok(outcome.removed);
        assert.notEqual(checkCutout(picture, outcome).verdict, 'good', `${body} in ${rim}`);
      }
    }
  });

  it('is never content with a subject that lost what had the color of the ground', () => {
    for (const seed of seeds) {
      const random = seededRandom(seed);
      const layer = new Layer(240, 240);
      disc(layer, [120, 120], 80, [random.between(20, 90), random.between(150, 220), random.between(20, 90)]);
      disc(layer, [120, 90], 25, [240, 240, 240]);
      const picture = layer.on(() => [10, 245, 15]);
      const outcome = removeKey(picture);
      assert.ok(outcome.removed);
      assert.notEqual(checkCutout(picture, outcome).verdict, 'good', `seed ${seed}`);
    }
  });

  it('doubts a solid part in a dark shade of the ground, of which a shadow is left', async () => {
    for (const [ground, shades] of [
      [
        [0, 255, 0],
        [
          [0, 112, 0],
          [7, 199, 10],
          [0, 128, 0],
        ],
      ],
      [
        [255, 0, 255],
        [
          [112, 0, 112],
          [208, 0, 208],
        ],
      ],
    ] as const) {
      for (const [red, green, blue] of shades) {
        const picture = paint(300, 300, (x, y) => {
          if (Math.hypot(x - 150, y - 80) < 35) {
            return [217, 163, 127, 255];
          }
          const isCoat = y > 100 && y < 240 && Math.abs(x - 150) < 35 + (y - 100) / 5;
          return isCoat ? [red, green, blue, 255] : [ground[0], ground[1], ground[2], 255];
        });
        const pixels = await codecs.decode(await codecs.encode(picture, { format: 'jpeg', quality: 90 }));
        const outcome = removeKey(pixels);
        assert.ok(outcome.removed);
        assert.notEqual(checkCutout(pixels, outcome).verdict, 'good', `${red}, ${green}, ${blue}`);
      }
    }
  });

  it('is content with solid subjects whose ground was removed, from JPEG files too', async () => {
    const certain = { aDisc, ball, aRing, shadow };
    for await (const { title, picture } of keyedCases(codecs, certain, {
      each: fuzzRuns(2, 30),
      seed: 9000,
    })) {
      const outcome = removeKey(picture);
      assert.ok(outcome.removed);
      const { verdict, reasons } = checkCutout(picture, outcome);
      assert.deepEqual([verdict, reasons], ['good', []], title);
    }
  });

  it('finds nothing wrong but its color with a subject that is nearly of the color of the ground', async () => {
    for await (const { title, picture } of keyedCases(codecs, { neighbour }, { each: 3, seed: 9000 })) {
      const outcome = removeKey(picture);
      assert.ok(outcome.removed);
      const flaws = checkCutout(picture, outcome).reasons.map(({ flaw }) => flaw);
      assert.ok(
        flaws.every((flaw) => flaw === 'uncertain'),
        `${title}: ${flaws.join()}`,
      );
    }
  });

  it('doubts a subject of which a part differs between the two pictures', () => {
    const [layer, other] = [new Layer(200, 200), new Layer(200, 200)];
    for (const one of [layer, other]) {
      disc(one, [100, 100], 70, [200, 60, 40]);
    }
    disc(other, [120, 90], 18, [40, 60, 200]);
    const picture = layer.on(() => [255, 255, 255]);
    const outcome = alphaOfTwoBackgrounds(
      picture,
      other.on(() => [0, 0, 0]),
    );
    assert.ok(outcome.removed);
    const { verdict, reasons } = checkCutout(picture, outcome);
    assert.equal(verdict, 'doubtful');
    assert.ok(
      reasons.some(({ text }) => /^The two pictures show [5-7] % of the subject differently\.$/u.test(text)),
      JSON.stringify(reasons),
    );
  });

  it('judges the smallest images', () => {
    assert.equal(checkCutout(paint(1, 1, () => [0, 0, 0, 0])).verdict, 'bad');
    assert.equal(checkCutout(paint(1, 1, () => [0, 0, 0, 255])).verdict, 'bad');
    assert.equal(checkCutout(paint(3, 2, (x) => [0, 0, 0, x === 1 ? 255 : 0])).verdict, 'bad');
  });
});

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
    'a ground without a color': [
      'grey_ground',
      () => judged(box, { facts: { isGray: false } }),
      () => judged(box, { facts: { isGray: true } }),
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
    for (const [sides, verdict, ...where] of [
      [1, 'doubtful', 'top'],
      [2, 'doubtful', 'top', 'bottom'],
      [3, 'bad', 'top', 'bottom', 'left'],
    ] as const) {
      const check = judged(reaching(sides));
      const text = where.map((side) => `The subject is cut off at the ${side}.`).join(' ');
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
