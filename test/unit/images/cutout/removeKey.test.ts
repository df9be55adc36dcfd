import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Codecs } from '../../../../src/images/finish/codecs.ts';
import { removeKey } from '../../../../src/images/cutout/matte.ts';
import type { Pixels } from '../../../../src/images/codecs/pixels.ts';
import { alphaError, colorError, Errors, keyedCases } from '../../../support/images/cutouts/cases.ts';
import { heldOutSubjects } from '../../../support/images/cutouts/heldOutSubjects.ts';
import { Layer } from '../../../support/images/cutouts/layer.ts';
import { disc, polygon, ring } from '../../../support/images/cutouts/shapes.ts';
import { type Subject, subjects } from '../../../support/images/cutouts/subjects.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { assertPixels, colorAt, paint } from '../../../support/images/pictures.ts';
import { Random } from '../../../support/random.ts';
import { fillPinholes, removeSpecks } from '../../../../src/images/cutout/cleanAlpha.ts';

const green = [0, 255, 0] as const;

function uncertainOnBlue(draw: (layer: Layer) => void): number {
  const layer = new Layer(200, 200);
  draw(layer);
  const outcome = removeKey(layer.on(() => [0, 0, 255]));
  return outcome.removed ? outcome.uncertain : Number.NaN;
}

/** Returns what becomes of a square of one color in front of a key. */
const squareOf = (key: readonly [number, number, number], color: readonly [number, number, number]) => {
  const picture = paint(110, 80, (x, y) => [...(x > 30 && x < 80 && y > 20 && y < 60 ? color : key), 255]);
  assert.ok(removeKey(picture).removed);
  return colorAt(picture, 55, 40);
};

/** Shows alpha alone: colors of what is nearly clear are only known to some levels. */
const alphaOf = ({ rgba, ...size }: Pixels): Pixels => ({
  ...size,
  rgba: rgba.map((level, at) => (at % 4 === 3 ? level : 0)),
});

/** Turns a picture by a quarter. */
const turned = ({ width, height, rgba }: Pixels): Pixels =>
  paint(height, width, (x, y) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = colorAt({ width, height, rgba }, y, height - 1 - x);
    return [red, green, blue, alpha];
  });

describe('removing a key color', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  const each = fuzzRuns(1, 5);
  const sets = fuzzRuns<Record<string, Readonly<Record<string, Subject>>>>(
    { subjects },
    { subjects, 'held-out subjects': heldOutSubjects },
  );
  for (const [name, drawn] of Object.entries(sets)) {
    it(`finds the alpha of ${name} to 2 % on average`, async (t) => {
      const [alphas, fine, colors] = [new Errors(), new Errors(), new Errors()];
      for await (const one of keyedCases(codecs, drawn, { each, seed: 1000 })) {
        const outcome = removeKey(one.picture);
        assert.ok(outcome.removed, one.title);
        const error = alphaError(one.picture, one.layer);
        alphas.add(one, error);
        if (!one.isCoarse) {
          fine.add(one, error);
          assert.ok(error <= 0.02 || outcome.uncertain > 0.05, `${error} of ${one.title}`);
        }
        colors.add(one, colorError(one.picture, one.layer));
      }
      t.diagnostic([alphas, 'Colors in full resolution:', fine, 'Errors of colors:', colors].join('\n'));
      assert.ok(alphas.count >= 12 * each);
      assert.ok(alphas.mean <= 0.01 && colors.mean <= 0.01, String(alphas));
      // Where colors have half the resolution, lines of a pixel or two have none of their own.
      assert.ok(alphas.worst <= 0.08, String(alphas));
    });
  }

  it('measures the ground instead of believing that it is what was asked for', () => {
    const layer = new Layer(160, 120);
    disc(layer, [80, 60], 40, [230, 60, 40]);
    const picture = layer.on((x, y) => [30 + x * 0.1, 190 + y * 0.2, 60]);
    const outcome = removeKey(picture);
    assert.ok(outcome.removed);
    for (const [channel, level] of [38, 202, 60].entries()) {
      assert.ok(Math.abs((outcome.key[channel] ?? 0) - level) < 3, String(outcome.key));
    }
    assert.ok(alphaError(picture, layer) < 0.002);
  });

  it('removes a wall and a floor in two shades of the key, and keeps the shadow on the floor', () => {
    for (const [floor, slope, softness] of [
      [0.7, 0, 1],
      [0.86, 0.05, 1],
      [1.2, -0.03, 1],
      [0.75, 0.02, 12],
    ] as const) {
      const layer = new Layer(300, 240);
      const shadow = { left: 80, top: 170, right: 220, bottom: 214 };
      layer.cover(shadow, [0, 0, 0], (x, y) => 0.4 - 0.4 * Math.hypot((x - 150) / 70, (y - 192) / 22));
      disc(layer, [150, 120], 70, [226, 70, 50]);
      const picture = layer.on((x, y) => {
        const share = Math.max(0, Math.min(1, (y - 140 - slope * x) / softness + 0.5));
        const light = (1 + 0.03 * Math.sin(x / 90)) * (1 + (floor - 1) * share);
        return [20 * light, 200 * light, 30 * light];
      });
      const outcome = removeKey(picture);
      assert.ok(outcome.removed && outcome.uncertain < 0.02);
      const error = alphaError(picture, layer);
      assert.ok(error < 0.006, `${error} with ${floor}, ${slope}, ${softness}`);
    }
  });

  it('keeps the middle of a ring clear and fills pinholes', () => {
    const layer = new Layer(300, 300);
    ring(layer, [150, 150], [60, 110], [200, 40, 60]);
    const picture = layer.on((x, y) =>
      Math.abs(x - 60.5) + Math.abs(y - 150.5) < 1.5 ? [10, 250, 5] : green,
    );
    removeKey(picture);
    assert.equal(colorAt(picture, 150, 150)[3], 0);
    assert.deepEqual(colorAt(picture, 60, 150), [200, 40, 60, 255]);
  });

  it('takes the ground out of the edges: nothing is greener than what it is made of', () => {
    const layer = new Layer(200, 200);
    disc(layer, [100, 100], 60, [120, 90, 200], { softness: 12 });
    const picture = layer.on(() => green);
    removeKey(picture);
    for (let at = 0; at < picture.rgba.length; at += 4) {
      const [red = 0, level = 0, blue = 0, alpha = 0] = picture.rgba.subarray(at, at + 4);
      // Nearly clear pixels say their color only to a few levels.
      assert.ok(alpha < 16 || level <= Math.max(red, blue) + 4, `${red}, ${level}, ${blue}, ${alpha}`);
    }
  });

  it('leaves opaque pixels as they were painted', () => {
    const layer = new Layer(120, 120);
    polygon(
      layer,
      [
        [20, 20],
        [100, 20],
        [100, 100],
        [20, 100],
      ],
      [90, 30, 160],
    );
    const picture = layer.on(() => green);
    removeKey(picture);
    assert.deepEqual(colorAt(picture, 60, 60), [90, 30, 160, 255]);
    assert.deepEqual(colorAt(picture, 22, 97), [90, 30, 160, 255]);
  });

  it('removes the ground around a subject that stands on the lower edge', () => {
    const layer = new Layer(200, 260);
    disc(layer, [100, 110], 50, [220, 170, 140]);
    polygon(
      layer,
      [
        [20, 260],
        [50, 150],
        [150, 150],
        [180, 260],
      ],
      [60, 60, 90],
    );
    const picture = layer.on(() => [250, 10, 245]);
    assert.ok(removeKey(picture).removed);
    assert.ok(alphaError(picture, layer) < 0.002);
  });

  it('says how much of a subject may be glass of another color, or opaque', () => {
    assert.equal(
      uncertainOnBlue((layer) => disc(layer, [100, 100], 60, [220, 30, 40])),
      0,
    );
    assert.ok(
      uncertainOnBlue((layer) => disc(layer, [100, 100], 60, [255, 170, 30], { opacity: 0.45 })) > 0.5,
    );
  });

  it('works on pixels that begin anywhere in a buffer, and on the smallest images', () => {
    for (const [width, height] of [
      [1, 1],
      [2, 1],
      [1, 7],
      [3, 3],
      [9, 2],
    ] as const) {
      const flat = paint(width, height, () => [...green, 255]);
      const buffer = new Uint8Array(flat.rgba.length + 3);
      buffer.set(flat.rgba, 3);
      const pixels: Pixels = { width, height, rgba: buffer.subarray(3) };
      assert.ok(removeKey(pixels).removed);
      assert.ok(pixels.rgba.every((level) => level === 0));
    }
  });

  it('leaves an image without a flat ground as it is', () => {
    const busy = paint(90, 70, (x, y) => [
      (x * 37 + y * 91) & 255,
      (x * 11 + y * 53) & 255,
      (x * y) & 255,
      255,
    ]);
    const before = busy.rgba.slice();
    assert.deepEqual(removeKey(busy), { removed: false, why: 'no_ground' });
    assert.deepEqual(busy.rgba, before);
  });

  it('finds solid parts, soft edges and their colors wherever the subject stands, in images of any shape', () => {
    const random = new Random(17);
    for (const [key, color] of [
      [
        [0, 250, 10],
        [220, 40, 90],
      ],
      [
        [250, 5, 245],
        [40, 120, 60],
      ],
      [
        [10, 10, 240],
        [230, 150, 30],
      ],
    ] as const) {
      for (const [width, height] of [
        [131, 67],
        [59, 120],
      ] as const) {
        const layer = new Layer(width, height);
        const [x, y] = [random.pick([0.4, 0.5, 0.6]) * width, random.pick([0.4, 0.5, 0.6]) * height];
        disc(layer, [x, y], layer.unit * 0.3, color, { softness: 3 });
        const picture = layer.on((column, row) => [key[0], key[1] + (column + row) / 60, key[2]]);
        const outcome = removeKey(picture);
        const title = `${color.join()} on ${key.join()}, ${width} × ${height}`;
        assert.ok(outcome.removed && !outcome.isGray, title);
        assert.ok(outcome.uncertain < 0.01, `${outcome.uncertain}: ${title}`);
        for (const [pixel, share] of layer.alpha.entries()) {
          const [red = 0, green = 0, blue = 0, alpha = 0] = picture.rgba.subarray(pixel * 4, pixel * 4 + 4);
          const where = `${share} at ${pixel % width}, ${Math.floor(pixel / width)}: ${title}`;
          if (share === 0) {
            assert.deepEqual([red, green, blue, alpha], [0, 0, 0, 0], where);
          } else if (share === 1) {
            assert.deepEqual([red, green, blue, alpha], [...color, 255], where);
          }
        }
        const errors = [alphaError(picture, layer), colorError(picture, layer)];
        assert.ok(Math.max(...errors) < 0.008, `${errors.join()}: ${title}`);
      }
    }
  });

  it('leaves nothing of an image that shows only the ground, nor of a faint speck on it', () => {
    for (const speck of [undefined, [13, 242, 13]] as const) {
      const picture = paint(70, 50, (x, y) => [...(speck && x === 30 && y === 20 ? speck : green), 255]);
      const outcome = removeKey(picture);
      assert.ok(outcome.removed);
      assert.ok(speck || outcome.uncertain === 0, String(outcome.uncertain));
      assert.ok(picture.rgba.every((level) => level === 0));
    }
  });

  it('lets a subject fade in evenly, and is neither too strong nor too light on average', () => {
    const faint = new Layer(300, 30);
    faint.cover({ left: 10, top: 5, right: 290, bottom: 25 }, [128, 128, 128], (x) => (x - 10) / 1500);
    const faded = faint.on(() => green);
    assert.ok(removeKey(faded).removed);
    for (let x = 10; x < 289; x++) {
      const [alpha = 0, next = 0] = [0, 1].map((more) => colorAt(faded, x + more, 15)[3]);
      assert.ok(next >= alpha - 1 && next <= alpha + 3, `${alpha}, then ${next} at ${x}`);
    }
    const random = new Random(3);
    const grain = new Layer(120, 90);
    grain.cover(
      { left: 5, top: 5, right: 115, bottom: 85 },
      [128, 128, 128],
      () => 0.4 + random.below(500) / 1000,
    );
    const picture = grain.on(() => green);
    assert.ok(removeKey(picture).removed);
    const sums = { alpha: 0, levels: 0, count: 0 };
    for (const [pixel, share] of grain.alpha.entries()) {
      if (share > 0) {
        const [red = 0, level = 0, blue = 0, alpha = 0] = picture.rgba.subarray(pixel * 4, pixel * 4 + 4);
        sums.alpha += alpha - 255 * share;
        sums.levels += (red + level + blue) / 3 - 128;
        sums.count++;
      }
    }
    const [alpha, levels] = [sums.alpha / sums.count, sums.levels / sums.count];
    assert.ok(Math.abs(alpha) < 0.6 && Math.abs(levels) < 0.4, `${alpha}, ${levels}`);
  });

  it('keeps opaque colors that are near the key, and all in front of a gray one, and makes tinged ones gray', () => {
    const wide = paint(90, 70, (_, y) => [...(y > 40 ? ([90, 60, 200] as const) : green), 255]);
    assert.ok(removeKey(wide).removed);
    // From side to side.
    for (let x = 0; x < 90; x++) {
      assert.deepEqual(colorAt(wide, x, 55), [90, 60, 200, 255]);
    }
    assert.deepEqual(squareOf(green, [60, 160, 70]), [60, 160, 70, 255]);
    assert.deepEqual(squareOf([128, 128, 128], [90, 150, 70]), [90, 150, 70, 255]);
    assert.deepEqual(squareOf([250, 250, 250], [120, 130, 140]), [120, 130, 140, 255]);
    const tinged = squareOf(green, [200, 208, 200]);
    assert.ok(
      tinged.every((level, at) => Math.abs(level - (at < 3 ? 206 : 255)) <= 1),
      tinged.join(),
    );
  });

  it('leaves smoke, glass and hair of gray, on keys of any hue', () => {
    for (const key of [
      [14, 235, 245],
      [250, 30, 12],
    ] as const) {
      const layer = new Layer(170, 121);
      layer.cover({ left: 12, top: 12, right: 158, bottom: 50 }, [120, 120, 120], (x) => (x - 12) / 146);
      layer.cover({ left: 12, top: 60, right: 60, bottom: 110 }, [0, 0, 0], (_, y) => (y - 60) / 50);
      disc(layer, [110, 85], 24, [255, 255, 255], { softness: 8 });
      const picture = layer.on(() => key);
      const outcome = removeKey(picture);
      assert.ok(outcome.removed && !outcome.isGray);
      assert.ok(outcome.key.every((level, at) => Math.abs(level - (key[at] ?? 0)) < 1));
      const perfect = layer.cutOut();
      for (let at = 0; at < perfect.rgba.length; at += 4) {
        const [alpha, wanted] = [picture.rgba[at + 3] ?? 0, perfect.rgba[at + 3] ?? 0];
        assert.ok(
          Math.abs(alpha - wanted) <= (wanted < 12 || wanted > 235 ? 20 : 5),
          `${alpha}, not ${wanted}`,
        );
        for (let channel = 0; channel < 3; channel++) {
          const level = picture.rgba[at + channel] ?? 0;
          const off = Math.abs(level - (perfect.rgba[at + channel] ?? 0));
          assert.ok(wanted < 70 || off <= 12, `${off} off at alpha ${wanted}`);
        }
        assert.ok(wanted > 0 || picture.rgba.subarray(at, at + 4).every((level) => level === 0));
      }
    }
  });

  it('has a key without a hue where that is gray, which is told, and keeps everything else', () => {
    for (const level of [20, 128, 245]) {
      const layer = new Layer(120, 91);
      disc(layer, [60, 45], 28, [210, 60, 90]);
      disc(layer, [60, 45], 12, [(level + 128) % 256, (level + 128) % 256, (level + 128) % 256]);
      const picture = layer.on(() => [level, level, level]);
      const outcome = removeKey(picture);
      assert.ok(outcome.removed && outcome.isGray);
      assert.ok(outcome.uncertain < 0.02);
      for (let pixel = 0; pixel < layer.alpha.length; pixel++) {
        const [alpha, wanted] = [picture.rgba[pixel * 4 + 3] ?? 0, layer.alpha[pixel] ?? 0];
        assert.ok(wanted > 0 || alpha === 0);
        assert.ok(wanted < 1 || alpha === 255);
      }
    }
  });

  it('leaves nothing of a noisy ground, and fades in from it', () => {
    let seed = 1;
    const noise = (): number => {
      seed = (seed * 16_807) % 2_147_483_647;
      return (seed % 9) - 4;
    };
    const layer = new Layer(160, 111);
    disc(layer, [80, 55], 30, [220, 210, 230], { softness: 20 });
    const picture = layer.on(() => [20 + noise(), 220 + noise(), 30 + noise()]);
    assert.ok(removeKey(picture).removed);
    for (let pixel = 0; pixel < layer.alpha.length; pixel++) {
      const [alpha, wanted] = [(picture.rgba[pixel * 4 + 3] ?? 0) / 255, layer.alpha[pixel] ?? 0];
      assert.ok(wanted > 0 || alpha === 0);
      assert.ok(Math.abs(alpha - wanted) < 0.12, `${alpha}, not ${wanted}`);
    }
  });

  it('makes the same of a picture that is turned', () => {
    const layer = new Layer(121, 90);
    disc(layer, [50, 40], 24, [230, 20, 200], { softness: 14 });
    disc(layer, [96, 60], 14, [240, 240, 240], { softness: 8 });
    let picture = layer.on(() => green);
    let expected: Pixels = { ...picture, rgba: picture.rgba.slice() };
    removeKey(expected);
    for (let turn = 1; turn < 4; turn++) {
      picture = turned(picture);
      expected = turned(expected);
      const found = { ...picture, rgba: picture.rgba.slice() };
      removeKey(found);
      assertPixels(alphaOf(found), alphaOf(expected), 3);
    }
    assert.ok(alphaError(turned(expected), layer) < 0.005);
  });
});

/** Draws alpha alone, in one color. */
function alphas(width: number, height: number, alphaAt: (x: number, y: number) => number): Pixels {
  return paint(width, height, (x, y) => [90, 50, 200, alphaAt(x, y)]);
}

function without(pixels: Pixels): Pixels {
  const cleaned = { ...pixels, rgba: pixels.rgba.slice() };
  removeSpecks(cleaned);
  return cleaned;
}

function filled(pixels: Pixels): Pixels {
  const whole = { ...pixels, rgba: pixels.rgba.slice() };
  fillPinholes(whole);
  return whole;
}

/** The four ways of holding a picture: what holds for one of them holds for all. */
const turns: readonly ((x: number, y: number, width: number, height: number) => [number, number])[] = [
  (x, y) => [x, y],
  (x, y, width) => [width - 1 - x, y],
  (x, y, _, height) => [x, height - 1 - y],
  (x, y) => [y, x],
];

/** Draws what is described in one direction from all sides, in a picture that is not square. */
function fromAllSides(
  [width, height]: readonly [number, number],
  alphaAt: (x: number, y: number, width: number, height: number) => number,
): Pixels[] {
  return turns.map((turn) =>
    alphas(width, height, (x, y) => {
      const isTurned = turn(0, 1, width, height)[0] === 1;
      const [w, h] = isTurned ? [height, width] : [width, height];
      return alphaAt(...turn(x, y, width, height), w, h);
    }),
  );
}

describe('specks around a cut-out', () => {
  it('are cleared wherever they are, to the last corner', () => {
    for (const alpha of [1, 20, 40]) {
      const strewn = alphas(23, 17, (x, y) => (x % 11 === 0 && y % 8 === 0 ? alpha : 0));
      const left = without(strewn);
      assert.ok(left.rgba.every((level, at) => at % 4 < 3 || level === 0));
      assert.ok(left.rgba.every((level, at) => at % 4 === 3 || level === strewn.rgba[at]));
    }
  });

  it('are no dots that can be seen, such as stars', () => {
    for (const alpha of [60, 80, 255]) {
      const stars = alphas(23, 17, (x, y) => (x % 11 === 0 && y % 8 === 0 ? alpha : 0));
      assertPixels(without(stars), stars);
    }
  });

  it('are no faint pixels beside something firm, also at a corner', () => {
    // In the middle of each block of nine is something firm, or at the side of the picture.
    for (const firm of [64, 100, 255]) {
      for (const pixels of fromAllSides([27, 18], (x, y) => {
        const [dx, dy] = [Math.abs((x % 12) - 1), Math.abs((y % 8) - 1)];
        return dx > 1 || dy > 1 ? 0 : dx + dy === 0 ? firm : 30;
      })) {
        assertPixels(without(pixels), pixels);
      }
    }
    for (const [x, y] of [
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      for (const pixels of fromAllSides([14, 9], (px, py) =>
        px === 0 && py === 0 ? 200 : px === x && py === y ? 9 : 0,
      )) {
        assertPixels(without(pixels), pixels);
      }
    }
  });

  it('are lines of one or two pixels, and not what is wider or smoke', () => {
    for (const width of [1, 2, 5]) {
      for (const at of [0, 5, 13 - width]) {
        for (const pixels of fromAllSides([29, 13], (_x, y, _width, height) => {
          const place = at === 13 - width ? height - width : at;
          return y >= place && y < place + width ? 30 : 0;
        })) {
          // At the border and at the ends of a line, less is around a pixel.
          const kept = without(pixels).rgba.filter((level, index) => index % 4 === 3 && level > 0).length;
          const all = pixels.rgba.filter((level, index) => index % 4 === 3 && level > 0).length;
          assert.ok(width < 5 ? kept === 0 : kept >= all - 12, `${width} at ${at}: ${kept} of ${all}`);
        }
      }
    }
    const smoke = alphas(31, 22, (x, y) => 3 + ((x * 7 + y * 5) % 36));
    const left = without(smoke);
    assert.ok(left.rgba.filter((level, at) => level !== smoke.rgba[at]).length <= 4);
  });
});

function neighboursOf(pixel: number, width: number, height: number): number[] {
  const [x, y] = [pixel % width, Math.floor(pixel / width)];
  return [
    ...(x > 0 ? [pixel - 1] : []),
    ...(x < width - 1 ? [pixel + 1] : []),
    ...(y > 0 ? [pixel - width] : []),
    ...(y < height - 1 ? [pixel + width] : []),
  ];
}

const seamAt =
  (x: number, y: number, alpha: number) =>
  (px: number, py: number): [number, number, number, number] =>
    px === x && py === y ? [10, 20, 30, alpha] : [200, 100, 50, 255];

/** Returns the pixels of each hole, by flooding. */
function holesOf({ width, height, rgba }: Pixels): number[][] {
  const left = new Set(
    Array.from({ length: width * height }, (_, pixel) => pixel).filter(
      (pixel) => (rgba[pixel * 4 + 3] ?? 0) < 200,
    ),
  );
  const holes: number[][] = [];
  for (const start of left) {
    const hole = [start];
    left.delete(start);
    for (const pixel of hole) {
      const near = neighboursOf(pixel, width, height).filter((one) => left.delete(one));
      hole.push(...near);
    }
    holes.push(hole);
  }
  return holes;
}

describe('pinholes in a cut-out', () => {
  it('get the color around them; larger ones stay, and what is open to the outside', () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = new Random(seed);
      const [width, height] = [3 + random.below(20), 3 + random.below(14)];
      const density = random.pick([6, 12, 30]);
      const pixels = paint(width, height, () => [
        random.below(256),
        random.below(256),
        random.below(256),
        random.below(density) === 0 ? random.pick([0, 0, 1, 60, 120]) : 255,
      ]);
      for (let at = 0; at < pixels.rgba.length; at += 4) {
        if (pixels.rgba[at + 3] === 0) {
          pixels.rgba.fill(0, at, at + 3);
        }
      }
      const whole = filled(pixels);
      const expected = pixels.rgba.slice();
      for (const hole of holesOf(pixels)) {
        const around = hole.map((pixel) => neighboursOf(pixel, width, height));
        if (hole.length <= 2 && around.every((near) => near.length === 4)) {
          const edge = around.flat().filter((near) => !hole.includes(near));
          for (const pixel of hole) {
            for (const channel of [0, 1, 2]) {
              expected[pixel * 4 + channel] =
                edge.reduce((sum, near) => sum + (pixels.rgba[near * 4 + channel] ?? 0), 0) / edge.length;
            }
            expected[pixel * 4 + 3] = 255;
          }
        }
      }
      assertPixels(whole, { width, height, rgba: expected });
    }
  });

  it('may have more pixels in a larger picture', () => {
    // A pinhole of two by two, and something that was meant.
    const pixels = alphas(500, 400, (x, y) =>
      (x >= 100 && x < 102 && y >= 70 && y < 72) || (x >= 200 && x < 203 && y >= 70 && y < 73) ? 0 : 255,
    );
    const whole = filled(pixels);
    assert.equal(whole.rgba.filter((level, at) => at % 4 === 3 && level < 255).length, 9);
  });

  it('are none of the half-transparent places in something half-transparent', () => {
    const glass = alphas(19, 16, (x, y) => (x % 4 === 2 && y % 4 === 2 ? 20 : 150));
    assertPixels(filled(glass), glass);
  });

  it('are no seams of two colors, which keep theirs', () => {
    for (const alpha of [128, 200, 250]) {
      for (let y = 2; y < 6; y++) {
        for (let x = 2; x < 7; x++) {
          const seam = paint(9, 8, seamAt(x, y, alpha));
          assertPixels(filled(seam), paint(9, 8, seamAt(x, y, 255)));
        }
      }
    }
    const diagonal = alphas(30, 20, (x, y) => (x - y === 5 && y > 1 && y < 18 ? 180 : 255));
    assertPixels(
      filled(diagonal),
      alphas(30, 20, () => 255),
    );
  });
});
