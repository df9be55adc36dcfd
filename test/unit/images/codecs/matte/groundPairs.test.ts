import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alphaOfTwoGrounds, isWhiteEnough } from '../../../../../src/images/codecs/matte/matte.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { Surface } from '../../../../../src/images/codecs/matte/surface.ts';
import { alphaError, shifted } from '../../../../support/images/cutouts/cases.ts';
import { Layer } from '../../../../support/images/cutouts/layer.ts';
import { disc, polygon } from '../../../../support/images/cutouts/shapes.ts';
import { Random } from '../../../../support/random.ts';

const flat = (level: number) => () => [level, level, level] as const;

/** Draws something opaque of several colours, beside glass of every opacity. */
function drawn(width: number, height: number): Layer {
  const layer = new Layer(width, height);
  disc(layer, [width * 0.3, height * 0.35], layer.unit * 0.18, [210, 60, 30]);
  polygon(
    layer,
    [
      [width * 0.2, height * 0.8],
      [width * 0.45, height * 0.45],
      [width * 0.5, height * 0.85],
    ],
    [20, 90, 170],
  );
  const box = { left: width * 0.55, top: height * 0.2, right: width * 0.85, bottom: height * 0.8 };
  layer.cover(box, [150, 200, 90], (x) => (x - box.left) / (box.right - box.left));
  return layer;
}

/** Asserts that a cut-out has the alpha and the colours of a drawing. */
function assertCutOut(pixels: Pixels, layer: Layer, slack: number): void {
  const perfect = layer.cutOut().rgba;
  for (let at = 0; at < perfect.length; at += 4) {
    const [alpha, wanted] = [pixels.rgba[at + 3] ?? 0, perfect[at + 3] ?? 0];
    // The faintest is taken for noise.
    assert.ok(Math.abs(alpha - wanted) <= (wanted < 12 ? 10 : slack), `${alpha}, not ${wanted} at ${at / 4}`);
    for (let channel = 0; channel < 3; channel++) {
      const [level, other] = [pixels.rgba[at + channel] ?? 0, perfect[at + channel] ?? 0];
      assert.ok(
        wanted === 0 ? level === 0 : wanted < 80 || Math.abs(level - other) <= slack + 6,
        `${level}, not ${other} at ${at / 4}`,
      );
    }
  }
}

/** Returns on how much of a disc two pictures differ, or why it is not cut out. */
const share = (other: (layer: Layer) => void): number | string => {
  const [one, two] = [new Layer(200, 160), new Layer(200, 160)];
  for (const layer of [one, two]) {
    disc(layer, [100, 80], 60, [200, 60, 40]);
  }
  other(two);
  const outcome = alphaOfTwoGrounds(one.on(flat(255)), two.on(flat(0)));
  return outcome.removed ? outcome.disagreement : outcome.why;
};

const outcomeOf = (first: readonly number[], second: readonly number[]): number | string => {
  const pictures = [first, second].map((places) => {
    const layer = new Layer(220, 160);
    disc(layer, [110, 80], 50, [200, 60, 40]);
    for (const place of places) {
      disc(layer, [place, 20], 9, [120, 130, 125]);
    }
    return layer;
  });
  const outcome = alphaOfTwoGrounds(
    (pictures[0] ?? new Layer(1, 1)).on(flat(255)),
    (pictures[1] ?? new Layer(1, 1)).on(flat(0)),
  );
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
      const colour = [0, 1, 2].map(() => random.pick([90, 140, 190]));
      for (const [index, layer] of both.entries()) {
        const [left, top] = [50 + across + index * x, 30 + down + index * y];
        const box = { left, top, right: left + 1, bottom: top + 1 };
        layer.cover(box, [colour[0] ?? 0, colour[1] ?? 0, colour[2] ?? 0], () => 1);
      }
    }
  }
  return both;
};

/** Draws a pair of something white, black and grey, of which the second picture may show a patch of another colour. */
const parted = (patch?: readonly [number, number, number]): [Pixels, Pixels] => {
  const both = [new Layer(140, 90), new Layer(140, 90)] as const;
  for (const layer of both) {
    layer.cover({ left: 10, top: 10, right: 60, bottom: 80 }, [255, 255, 255], () => 1);
    layer.cover({ left: 60, top: 10, right: 110, bottom: 80 }, [0, 0, 0], () => 1);
    layer.cover({ left: 110, top: 10, right: 130, bottom: 80 }, [150, 150, 150], () => 1);
  }
  if (patch) {
    both[1].cover({ left: 112, top: 20, right: 128, bottom: 70 }, patch, () => 1);
  }
  return [both[0].on(flat(255)), both[1].on(flat(0))];
};

describe('a subject on two grounds', () => {
  it('is cut out to a level or two, in its colours, and the rest is nothing', () => {
    for (const [width, height] of [
      [151, 90],
      [88, 133],
    ] as const) {
      const layer = drawn(width, height);
      const picture = layer.on(flat(255));
      const outcome = alphaOfTwoGrounds(picture, layer.on(flat(0)));
      assert.deepEqual(outcome, { removed: true, shift: { x: 0, y: 0 }, disagreement: 0 });
      assertCutOut(picture, layer, 2);
    }
  });

  it('may be shifted in the second picture by whole pixels, which is evened out exactly', () => {
    for (const [x, y] of [
      [1, 0],
      [0, -2],
      [-2, 1],
    ] as const) {
      const layer = drawn(151, 120);
      const picture = layer.on(flat(250));
      const outcome = alphaOfTwoGrounds(picture, shifted(layer.on(flat(8)), x, y));
      assert.ok(outcome.removed);
      assert.deepEqual(outcome.shift, { x, y });
      assert.equal(outcome.disagreement, 0);
      assertCutOut(picture, layer, 3);
    }
  });

  it('may be lighter or darker in the second picture, where it is solid', () => {
    for (const factor of [0.95, 1.05]) {
      const layer = new Layer(140, 100);
      disc(layer, [70, 50], 34, [180, 160, 200]);
      const second = layer.on(flat(0));
      second.rgba.forEach((level, at) => {
        second.rgba[at] = at % 4 < 3 ? Math.round(level * factor) : level;
      });
      const picture = layer.on(flat(255));
      assert.ok(alphaOfTwoGrounds(picture, second).removed);
      assert.ok(alphaError(picture, layer) < 0.002, String(alphaError(picture, layer)));
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
    const picture = noisy(layer.on(flat(248)));
    assert.ok(alphaOfTwoGrounds(picture, noisy(layer.on(flat(7)))).removed);
    for (let pixel = 0; pixel < layer.alpha.length; pixel++) {
      const away = Math.hypot((pixel % 150) + 0.5 - 75, Math.floor(pixel / 150) + 0.5 - 55) - 36;
      const alpha = picture.rgba[pixel * 4 + 3] ?? 0;
      assert.ok(Math.abs(away) < 1.5 || alpha === (away < 0 ? 255 : 0), `${alpha} at ${away}`);
    }
  });

  it('differs between the pictures on as much of it as it does', () => {
    for (const radius of [8, 16]) {
      for (const colour of [
        [40, 60, 200],
        [40, 250, 40],
      ] as const) {
        const found = share((layer) => disc(layer, [110, 70], radius, colour));
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

  it('has moved where a part of it is seen in one place on each ground, and may have grown', () => {
    const [part, whole] = [9 ** 2, 50 ** 2];
    const moved = outcomeOf([40], [180]);
    const expected = (2 * part) / (whole + 2 * part);
    assert.ok(
      typeof moved === 'number' && Math.abs(moved - expected) < 0.4 * expected,
      `${moved}, not ${expected}`,
    );
    const grown = outcomeOf([40], []);
    assert.ok(typeof grown === 'number' && grown < 0.01, String(grown));
    const shrunk = outcomeOf([], [40]);
    assert.ok(typeof shrunk === 'number' && shrunk < 0.01, String(shrunk));
    assert.equal(outcomeOf([20, 45, 150, 175, 200], [32, 57, 138, 163, 188]), 'subject');
  });

  it('needs grounds that are clearly different in every channel', () => {
    const layer = drawn(120, 90);
    for (const [white, black, isEnough] of [
      [[255, 255, 255], [140, 140, 140], true],
      [[255, 255, 255], [180, 180, 180], false],
      [[255, 255, 255], [0, 0, 180], false],
      [[255, 255, 255], [0, 180, 0], false],
      [[90, 255, 255], [0, 0, 0], false],
    ] as const) {
      const outcome = alphaOfTwoGrounds(
        layer.on(() => white),
        layer.on(() => black),
      );
      assert.deepEqual(
        outcome.removed || outcome.why,
        isEnough || 'same_ground',
        `${white.join()}, ${black.join()}`,
      );
    }
    for (const [colour, isEnough] of [
      [[170, 170, 170], true],
      [[255, 255, 140], false],
      [[140, 255, 255], false],
    ] as const) {
      const surface = new Surface({ width: 1, height: 1 }, colour);
      assert.equal(isWhiteEnough({ colour, share: 1, noise: 0, surface }), isEnough);
    }
  });

  it('is told from other sizes', () => {
    const layer = drawn(60, 40);
    for (const [width, height] of [
      [61, 40],
      [60, 41],
    ] as const) {
      const outcome = alphaOfTwoGrounds(layer.on(flat(255)), new Layer(width, height).on(flat(0)));
      assert.deepEqual(outcome, { removed: false, why: 'size' });
    }
  });

  it('needs a ground in each picture, and the same place in both', () => {
    const layer = drawn(120, 90);
    const random = new Random(2);
    const busy = layer.on(() => [random.below(256), random.below(256), random.below(256)]);
    const [onWhite, onBlack] = [layer.on(flat(255)), layer.on(flat(0))];
    for (const [first, second, why] of [
      [busy, onBlack, 'no_ground'],
      [onWhite, busy, 'no_ground'],
      [onWhite, shifted(onBlack, 20, 0), 'subject'],
    ] as const) {
      const before = first.rgba.slice();
      assert.deepEqual(alphaOfTwoGrounds(first, second), { removed: false, why });
      assert.deepEqual(first.rgba, before);
    }
  });

  it('shows through as much as it does at every opacity, in the colours of what is seen', () => {
    const colours = [
      [250, 20, 128],
      [0, 128, 255],
      [60, 200, 30],
    ] as const;
    for (const [width, height] of [
      [97, 41],
      [45, 103],
    ] as const) {
      for (const [index, colour] of colours.entries()) {
        const layer = new Layer(width, height);
        const box = { left: 5, top: 7, right: width - 6, bottom: height - 9 };
        layer.cover(box, colour, (x, y) => (index === 1 ? y / height : x / width));
        const picture = layer.on((x, y) => [250 - x / 20, 252, 240 + y / 20]);
        const outcome = alphaOfTwoGrounds(
          picture,
          layer.on((x) => [5, 4 + x / 20, 12]),
        );
        assert.ok(outcome.removed && outcome.disagreement === 0, JSON.stringify(outcome));
        for (const [pixel, share] of layer.alpha.entries()) {
          const [red = 0, green = 0, blue = 0, alpha = 0] = picture.rgba.subarray(pixel * 4, pixel * 4 + 4);
          const where = `${share} at ${pixel % width}, ${Math.floor(pixel / width)}`;
          if (share === 0) {
            assert.deepEqual([red, green, blue, alpha], [0, 0, 0, 0], where);
          } else if (share > 0.1) {
            assert.ok(Math.abs(alpha - share * 255) < 4, `${alpha}, not ${share * 255}: ${where}`);
            const found = [red, green, blue];
            const slack = 1.5 + 1.5 / share;
            assert.ok(
              found.every((level, channel) => Math.abs(level - (colour[channel] ?? 0)) <= slack),
              `${found.join()}, not ${colour.join()}: ${where}`,
            );
          }
        }
      }
    }
  });

  it('is as clear in the second picture as in the first one, however much lighter or darker it is there', () => {
    for (const factor of [0.94, 0.97, 1, 1.03, 1.06]) {
      const layer = new Layer(121, 83);
      disc(layer, [50, 40], 30, [170, 150, 190]);
      layer.cover({ left: 85, top: 20, right: 110, bottom: 60 }, [170, 150, 190], () => 0.5);
      const second = layer.on(flat(0));
      second.rgba.forEach((level, at) => {
        second.rgba[at] = at % 4 < 3 ? Math.round(level * factor) : level;
      });
      const picture = layer.on(flat(255));
      assert.ok(alphaOfTwoGrounds(picture, second).removed);
      for (const [pixel, share] of layer.alpha.entries()) {
        const alpha = picture.rgba[pixel * 4 + 3] ?? 0;
        assert.ok(
          share === 1 || share === 0 ? alpha === share * 255 : share !== 0.5 || Math.abs(alpha - 127.5) < 6,
          `${alpha}, not ${share * 255}, at ${factor}`,
        );
      }
    }
  });

  it('agrees where its texture lies a pixel beside itself in the second picture, in any direction, and no farther', () => {
    for (let y = -2; y <= 2; y++) {
      for (let x = -2; x <= 2; x++) {
        const [one, other] = textured(x, y);
        const outcome = alphaOfTwoGrounds(one.on(flat(255)), other.on(flat(0)));
        assert.ok(outcome.removed);
        assert.deepEqual(outcome.shift, { x: 0, y: 0 });
        const isBeside = Math.max(Math.abs(x), Math.abs(y)) <= 1;
        assert.ok(
          isBeside ? outcome.disagreement === 0 : outcome.disagreement > 0.01,
          `${outcome.disagreement} by ${x}, ${y}`,
        );
      }
    }
  });

  it('may be white in one part and black in another, of which both count', () => {
    const [same, second] = parted();
    assert.deepEqual(alphaOfTwoGrounds(same, second), {
      removed: true,
      shift: { x: 0, y: 0 },
      disagreement: 0,
    });
    for (let pixel = 0; pixel < 140 * 90; pixel++) {
      const [x, y] = [pixel % 140, Math.floor(pixel / 140)];
      const isSubject = x >= 10 && x < 130 && y >= 10 && y < 80;
      assert.equal(same.rgba[pixel * 4 + 3], isSubject ? 255 : 0);
    }
    // Grey, and lighter on the dark ground than on the light one, or of another colour.
    for (const patch of [
      [230, 230, 230],
      [40, 200, 210],
    ] as const) {
      const [first, changed] = parted(patch);
      const outcome = alphaOfTwoGrounds(first, changed);
      const expected = (14 * 48) / (120 * 70);
      assert.ok(
        outcome.removed && Math.abs(outcome.disagreement - expected) < 0.15 * expected,
        JSON.stringify(outcome),
      );
      // What is of another colour there is no ground that shows through.
      assert.equal(first.rgba[(45 * 140 + 120) * 4 + 3], 255);
    }
  });

  it('differs where the second picture is darker than its ground', () => {
    const [one, two] = [new Layer(140, 90), new Layer(140, 90)];
    for (const layer of [one, two]) {
      disc(layer, [50, 45], 35, [180, 120, 60]);
    }
    disc(two, [115, 45], 9, [0, 0, 0]);
    const outcome = alphaOfTwoGrounds(one.on(flat(255)), two.on(flat(110)));
    const expected = 9 ** 2 / (35 ** 2 + 9 ** 2);
    assert.ok(
      outcome.removed && Math.abs(outcome.disagreement - expected) < 0.35 * expected,
      JSON.stringify(outcome),
    );
  });

  it('has not moved where only something faint is seen in one place on each ground', () => {
    const [one, two] = [new Layer(140, 90), new Layer(140, 90)];
    for (const layer of [one, two]) {
      disc(layer, [70, 45], 25, [180, 120, 60]);
    }
    disc(one, [22, 45], 14, [120, 120, 120], { opacity: 0.1 });
    disc(two, [118, 45], 14, [240, 240, 240], { opacity: 0.1 });
    const outcome = alphaOfTwoGrounds(one.on(flat(255)), two.on(flat(0)));
    assert.deepEqual(outcome, { removed: true, shift: { x: 0, y: 0 }, disagreement: 0 });
  });

  it('is opaque where it is solid, although the pictures were a little transparent', () => {
    const layer = new Layer(110, 80);
    disc(layer, [55, 40], 30, [90, 160, 130]);
    const [picture, second] = [layer.on(flat(255)), layer.on(flat(0))];
    for (const { rgba } of [picture, second]) {
      rgba.forEach((level, index) => (rgba[index] = index % 4 === 3 ? 253 : level));
    }
    assert.ok(alphaOfTwoGrounds(picture, second).removed);
    assert.equal(picture.rgba[(40 * 110 + 55) * 4 + 3], 255);
  });

  it('may be glass everywhere', () => {
    for (const opacity of [0.3, 0.7, 0.8]) {
      const layer = new Layer(110, 80);
      disc(layer, [55, 40], 30, [90, 160, 130], { opacity });
      const picture = layer.on(flat(255));
      assert.ok(alphaOfTwoGrounds(picture, layer.on(flat(0))).removed);
      assert.ok(Math.abs((picture.rgba[(40 * 110 + 55) * 4 + 3] ?? 0) - 255 * opacity) <= 2);
    }
  });

  it('begins without a step, and is as light and as opaque as it is on average', () => {
    const layer = new Layer(300, 40);
    layer.cover({ left: 10, top: 5, right: 290, bottom: 35 }, [100, 130, 90], (x) => (x - 10) / 1500);
    const faint = layer.on(flat(255));
    assert.ok(alphaOfTwoGrounds(faint, layer.on(flat(0))).removed);
    for (let x = 10; x < 289; x++) {
      const [alpha = 0, next = 0] = [0, 1].map((more) => faint.rgba[(20 * 300 + x + more) * 4 + 3] ?? 0);
      assert.ok(Math.abs(next - alpha) <= 2, `${alpha} and ${next} at ${x}`);
    }
    const random = new Random(9);
    const grain = new Layer(150, 100);
    const sums = [0, 0];
    let count = 0;
    grain.cover(
      { left: 5, top: 5, right: 145, bottom: 95 },
      [100, 130, 90],
      () => 0.3 + random.below(600) / 1000,
    );
    const picture = grain.on(flat(255));
    assert.ok(alphaOfTwoGrounds(picture, grain.on(flat(0))).removed);
    for (const [pixel, alpha] of grain.alpha.entries()) {
      if (alpha > 0) {
        const [red = 0, green = 0, blue = 0, found = 0] = picture.rgba.subarray(pixel * 4, pixel * 4 + 4);
        sums[0] = (sums[0] ?? 0) + red + green + blue - 320;
        sums[1] = (sums[1] ?? 0) + found - 255 * alpha;
        count++;
      }
    }
    const [light = 0, opaque = 0] = sums.map((sum) => sum / count);
    assert.ok(Math.abs(light) < 1 && Math.abs(opaque) < 0.3, `${light}, ${opaque}`);
  });
});
