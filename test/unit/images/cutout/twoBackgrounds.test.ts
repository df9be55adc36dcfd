import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { seededRandom } from '../../../../src/demo/http/random.ts';
import { Codecs } from '../../../../src/images/finish/codecs.ts';
import { alphaOfTwoBackgrounds } from '../../../../src/images/cutout/matte.ts';
import type { Pixels } from '../../../../src/images/codecs/pixels.ts';
import {
  alphaError,
  colorError,
  Errors,
  shifted,
  twoGroundsCases,
} from '../../../support/images/cutouts/cases.ts';
import { heldOutSubjects } from '../../../support/images/cutouts/heldOutSubjects.ts';
import { Layer } from '../../../support/images/cutouts/layer.ts';
import { disc, polygon } from '../../../support/images/cutouts/shapes.ts';
import { subjects, type Subject } from '../../../support/images/cutouts/subjects.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { paint } from '../../../support/images/pictures.ts';
import { Random } from '../../../support/random.ts';

const white = () => [255, 255, 255] as const;
const black = () => [0, 0, 0] as const;

/** Returns on how much of a disc two pictures differ, or why it is not cut out. */
const share = (other: (layer: Layer) => void): number | string => {
  const [one, two] = [new Layer(200, 160), new Layer(200, 160)];
  for (const layer of [one, two]) {
    disc(layer, [100, 80], 60, [200, 60, 40]);
  }
  other(two);
  const outcome = alphaOfTwoBackgrounds(one.on(white), two.on(black));
  return outcome.removed ? outcome.disagreement : outcome.why;
};

/** Draws a pair whose texture lies elsewhere in the second picture. */
const textured = (x: number, y: number): [Layer, Layer] => {
  const random = new Random(6);
  const both: [Layer, Layer] = [new Layer(130, 110), new Layer(130, 110)];
  for (const layer of both) {
    layer.cover({ left: 15, top: 12, right: 115, bottom: 98 }, [120, 60, 30], () => 1);
  }
  for (let index = 0; index < 60; index++) {
    const [left, top] = [16 + random.below(94), 13 + random.below(80)];
    const level = random.pick([0, 255]);
    for (const layer of both) {
      layer.cover({ left, top, right: left + 5, bottom: top + 5 }, [level, level, level], () => 1);
    }
  }
  for (let down = 0; down < 16; down++) {
    for (let across = 0; across < 16; across++) {
      const color = [0, 1, 2].map(() => random.pick([90, 140, 190]));
      for (const [index, layer] of both.entries()) {
        const [left, top] = [50 + across + index * x, 30 + down + index * y];
        const box = { left, top, right: left + 1, bottom: top + 1 };
        layer.cover(box, [color[0] ?? 0, color[1] ?? 0, color[2] ?? 0], () => 1);
      }
    }
  }
  return both;
};

/** Returns every sixth with its number, or on the long floor all. */
const few = <T>(all: readonly T[]): [number, T][] =>
  [...all.entries()].filter(([index]) => index % fuzzRuns(6, 1) === 0);

describe('alpha from two grounds', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  const each = fuzzRuns(1, 5);
  const sets = fuzzRuns<Record<string, Readonly<Record<string, Subject>>>>(
    { subjects },
    { subjects, 'held-out subjects': heldOutSubjects },
  );
  for (const [name, drawn] of Object.entries(sets)) {
    it(`finds the alpha of ${name} to 1 % on average, with shifts and noise`, async (t) => {
      const [alphas, colors] = [new Errors(), new Errors()];
      for await (const one of twoGroundsCases(codecs, drawn, { each, seed: 5000 })) {
        const outcome = alphaOfTwoBackgrounds(one.onWhite, one.onBlack);
        assert.ok(outcome.removed, one.title);
        alphas.add(one, alphaError(one.onWhite, one.layer));
        colors.add(one, colorError(one.onWhite, one.layer));
      }
      t.diagnostic([alphas, 'Errors of colors:', colors].join('\n'));
      assert.ok(alphas.count >= 12 * each);
      assert.ok(alphas.mean <= 0.01 && colors.mean <= 0.01, String(alphas));
      assert.ok(alphas.worst <= 0.05, String(alphas));
    });
  }

  it('is exact for every color and alpha', () => {
    const layer = new Layer(128, 128);
    layer.cover({ left: 10, top: 10, right: 118, bottom: 118 }, [200, 90, 20], (x) => (x - 10) / 108);
    const picture = layer.on(white);
    assert.ok(alphaOfTwoBackgrounds(picture, layer.on(black)).removed);
    for (let x = 0; x < 128; x++) {
      const alpha = (picture.rgba[(64 * 128 + x) * 4 + 3] ?? 0) / 255;
      const wanted = layer.alpha[64 * 128 + x] ?? 0;
      // The faintest is taken for noise.
      assert.ok(
        Math.abs(alpha - wanted) <= (wanted < 0.03 ? 0.02 : 0.005),
        `${alpha} at ${x}, not ${wanted}`,
      );
    }
  });

  it('finds alpha and colors on grounds that have a tint, and more of it to one side', () => {
    const layer = new Layer(128, 96);
    layer.cover({ left: 10, top: 10, right: 118, bottom: 86 }, [200, 90, 20], (x) => (x - 10) / 108);
    const picture = layer.on((x, y) => [250 - x / 40, 243 - y / 40, 230]);
    const before = picture.rgba.slice();
    assert.ok(
      alphaOfTwoBackgrounds(
        picture,
        layer.on(() => [4, 9, 16]),
      ).removed,
    );
    assert.ok(alphaError(picture, layer) < 0.005, String(alphaError(picture, layer)));
    for (let x = 50; x < 118; x++) {
      const at = (48 * 128 + x) * 4;
      const [red = 0, green = 0, blue = 0] = picture.rgba.subarray(at);
      assert.ok(
        Math.abs(red - 200) <= 4 && Math.abs(green - 90) <= 4 && Math.abs(blue - 20) <= 4,
        `${red}, ${green}, ${blue} at ${x}, of ${before.subarray(at, at + 3).join()}`,
      );
    }
  });

  it('evens out a subject that is a little darker in the second picture', () => {
    const layer = new Layer(160, 160);
    disc(layer, [80, 80], 50, [180, 140, 200]);
    const darker = layer.on(black);
    darker.rgba.forEach((level, at) => {
      if (at % 4 < 3) {
        darker.rgba[at] = level * 0.96;
      }
    });
    const picture = layer.on(white);
    assert.ok(alphaOfTwoBackgrounds(picture, darker).removed);
    assert.equal(picture.rgba[(80 * 160 + 80) * 4 + 3], 255);
    assert.ok(alphaError(picture, layer) < 0.003);
  });

  const kinds = Object.entries<Subject>({ ...subjects, ...heldOutSubjects });
  for (const [name, [across, down]] of Object.entries({
    'a little': [0.06, 0.04],
    far: [0.14, -0.09],
  } as const)) {
    it(`says that the subject moved ${name}`, () => {
      for (const [index, [kind, draw]] of few(kinds)) {
        const layer = new Layer(260, 220);
        draw(layer, seededRandom(70 + index), 200);
        const moved = shifted(layer.on(black), layer.width * across, layer.height * down);
        assert.deepEqual(
          alphaOfTwoBackgrounds(layer.on(white), moved),
          { removed: false, why: 'subject' },
          kind,
        );
      }
    });
  }

  it('says that the second picture shows something else', () => {
    // What can hardly be seen on white does not contradict any other picture.
    const faint = new Set(['smoke', 'glass', 'bubbles', 'lace', 'jellyfish', 'veil']);
    const visible = kinds.filter(([kind]) => !faint.has(kind));
    for (const [index, [kind, draw]] of few(visible)) {
      const [layer, other] = [new Layer(260, 220), new Layer(260, 220)];
      const [, another] = visible[(index + 5) % visible.length] ?? ['', draw];
      draw(layer, seededRandom(90 + index), 200);
      another(other, seededRandom(190 + index), 200);
      const outcome = alphaOfTwoBackgrounds(layer.on(white), other.on(black));
      assert.deepEqual(outcome, { removed: false, why: 'subject' }, `${kind}, seed ${90 + index}`);
    }
  });

  it('refuses pictures of other sizes, without flat grounds or with the same one, and leaves them alone', () => {
    const layer = new Layer(100, 80);
    polygon(
      layer,
      [
        [30, 20],
        [70, 20],
        [60, 60],
      ],
      [10, 120, 130],
    );
    const busy = paint(100, 80, (x, y) => [
      (x * 37 + y * 91) & 255,
      (x * 11 + y * 53) & 255,
      (x * y) & 255,
      255,
    ]);
    for (const [first, second, why] of [
      [layer.on(white), new Layer(80, 100).on(black), 'size'],
      [layer.on(white), busy, 'no_ground'],
      [layer.on(white), layer.on(() => [200, 200, 200]), 'same_ground'],
      [layer.on(black), layer.on(white), 'same_ground'],
    ] as const) {
      const before = first.rgba.slice();
      assert.deepEqual(alphaOfTwoBackgrounds(first, second), { removed: false, why });
      assert.deepEqual(first.rgba, before);
    }
  });

  it('is opaque or nothing in spite of noise', () => {
    const random = new Random(5);
    const noisy = ({ rgba, ...size }: Pixels): Pixels => ({
      ...size,
      rgba: rgba.map((level, at) =>
        at % 4 < 3 ? Math.max(0, Math.min(255, level + random.below(7) - 3)) : level,
      ),
    });
    const layer = new Layer(150, 110);
    disc(layer, [75, 55], 36, [120, 60, 160]);
    const picture = noisy(layer.on(() => [248, 248, 248]));
    assert.ok(alphaOfTwoBackgrounds(picture, noisy(layer.on(() => [7, 7, 7]))).removed);
    for (let pixel = 0; pixel < layer.alpha.length; pixel++) {
      const away = Math.hypot((pixel % 150) + 0.5 - 75, Math.floor(pixel / 150) + 0.5 - 55) - 36;
      const alpha = picture.rgba[pixel * 4 + 3] ?? 0;
      assert.ok(Math.abs(away) < 1.5 || alpha === (away < 0 ? 255 : 0), `${alpha} at ${away}`);
    }
  });

  it('differs between the pictures on as much of it as it does', () => {
    for (const radius of [8, 16]) {
      for (const color of [
        [40, 60, 200],
        [40, 250, 40],
      ] as const) {
        const found = share((layer) => disc(layer, [110, 70], radius, color));
        const expected = (radius / 60) ** 2;
        assert.ok(
          typeof found === 'number' && Math.abs(found - expected) < 0.5 * expected,
          `${found}, not ${expected}`,
        );
      }
    }
    assert.equal(
      share((layer) => disc(layer, [100, 80], 40, [40, 60, 200])),
      'subject',
    );
  });

  it('needs grounds that are clearly different in every channel', () => {
    const layer = new Layer(120, 90);
    disc(layer, [60, 45], 25, [210, 60, 30]);
    for (const [white, black, isEnough] of [
      [[255, 255, 255], [140, 140, 140], true],
      [[255, 255, 255], [180, 180, 180], false],
      [[255, 255, 255], [0, 0, 180], false],
      [[255, 255, 255], [0, 180, 0], false],
      [[90, 255, 255], [0, 0, 0], false],
    ] as const) {
      const outcome = alphaOfTwoBackgrounds(
        layer.on(() => white),
        layer.on(() => black),
      );
      assert.deepEqual(
        outcome.removed || outcome.why,
        isEnough || 'same_ground',
        `${white.join()}, ${black.join()}`,
      );
    }
  });

  it('agrees where its texture lies a pixel beside itself in the second picture, and no farther', () => {
    for (const [x, y, isBeside] of [
      [1, 0, true],
      [0, -1, true],
      [-1, 1, true],
      [2, 0, false],
      [0, -2, false],
    ] as const) {
      const [one, other] = textured(x, y);
      const outcome = alphaOfTwoBackgrounds(one.on(white), other.on(black));
      assert.ok(outcome.removed);
      assert.deepEqual(outcome.shift, { x: 0, y: 0 });
      assert.ok(isBeside ? outcome.disagreement === 0 : outcome.disagreement > 0.01, `by ${x}, ${y}`);
    }
  });
});
