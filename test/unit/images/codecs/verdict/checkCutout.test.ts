import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { seededRandom } from '../../../../../src/demo/random.ts';
import { Codecs, type Pixels } from '../../../../../src/images/codecs/codecs.ts';
import { alphaOfTwoGrounds, removeKey } from '../../../../../src/images/codecs/matte/matte.ts';
import { checkCutout } from '../../../../../src/images/codecs/verdict/checkCutout.ts';
import type { CutoutFlaw } from '../../../../../src/images/formats/cutout.ts';
import { keyedCases } from '../../../../support/images/cutouts/cases.ts';
import { heldOutSubjects } from '../../../../support/images/cutouts/heldOutSubjects.ts';
import { Layer } from '../../../../support/images/cutouts/layer.ts';
import { disc, polygon, ring } from '../../../../support/images/cutouts/shapes.ts';
import { subjects, type Subject } from '../../../../support/images/cutouts/subjects.ts';
import { wrecked, wrecks } from '../../../../support/images/cutouts/wrecks.ts';
import { fuzzRuns } from '../../../../support/fuzzRuns.ts';
import { paint } from '../../../../support/images/pictures.ts';

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

  it('says which corners are not clear', () => {
    const pixels = cutOut(solids.aDisc, 1);
    for (let x = 0; x < 20; x++) {
      pixels.rgba[x * 4 + 3] = 255;
      pixels.rgba[(19 * 300 + x) * 4 + 3] = 255;
    }
    const { verdict, reasons } = checkCutout(pixels);
    assert.equal(verdict, 'doubtful');
    assert.ok(reasons.some(({ text }) => text === 'One corner is not clear.'));
  });

  it('says at which sides the subject is cut off', () => {
    const layer = new Layer(200, 200);
    polygon(
      layer,
      [
        [60, 200],
        [80, 60],
        [200, 90],
        [200, 150],
        [140, 200],
      ],
      [90, 60, 40],
    );
    const { verdict, reasons } = checkCutout(layer.cutOut());
    assert.equal(verdict, 'doubtful');
    assert.deepEqual(
      reasons.map(({ text }) => text),
      ['The subject is cut off at the bottom and right.'],
    );
  });

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
    for await (const { title, picture } of keyedCases(codecs, { neighbour }, { each: 10, seed: 9000 })) {
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
    const outcome = alphaOfTwoGrounds(
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

  it('doubts what was cut out of a grey ground', () => {
    const layer = new Layer(200, 200);
    disc(layer, [100, 100], 60, [200, 40, 40]);
    const picture = layer.on(() => [250, 250, 250]);
    const outcome = removeKey(picture);
    assert.ok(outcome.removed);
    assert.deepEqual(
      checkCutout(picture, outcome).reasons.map(({ flaw }) => flaw),
      ['grey_ground'],
    );
  });

  it('judges the smallest images', () => {
    assert.equal(checkCutout(paint(1, 1, () => [0, 0, 0, 0])).verdict, 'bad');
    assert.equal(checkCutout(paint(1, 1, () => [0, 0, 0, 255])).verdict, 'bad');
    assert.equal(checkCutout(paint(3, 2, (x) => [0, 0, 0, x === 1 ? 255 : 0])).verdict, 'bad');
  });
});
