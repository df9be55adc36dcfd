import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureGround } from '../../../../../src/images/codecs/matte/matte.ts';
import { Layer } from '../../../../support/images/cutouts/layer.ts';
import { disc, polygon } from '../../../../support/images/cutouts/shapes.ts';
import { paint } from '../../../../support/images/pictures.ts';
import { Random } from '../../../../support/random.ts';

type Levels = readonly [number, number, number];

const sizes = [
  [120, 90],
  [90, 161],
] as const;

/** Draws a subject in the middle. */
function subjectIn([width, height]: readonly [number, number]): Layer {
  const layer = new Layer(width, height);
  disc(layer, [width / 2, height / 2], layer.unit * 0.3, [240, 190, 150]);
  return layer;
}

const groundAt = (x: number, y: number): Levels => [20, 120 + x * 0.8 + 0.3 * y, 30];

describe('the ground of a picture', () => {
  it('is found as it was painted, behind the subject too, in every colour', () => {
    for (const size of sizes) {
      const [width, height] = size;
      for (const [index, colour] of (
        [
          [0, 255, 0],
          [200, 20, 60],
          [34, 31, 221],
          [128, 127, 15],
        ] as const
      ).entries()) {
        const tilt = index * 12;
        const groundAt = (x: number, y: number): Levels => {
          const change = tilt * (x / width - 0.5) + 0.5 * tilt * (y / height - 0.5) ** 2;
          return [colour[0] + change, colour[1] - change, colour[2] + change];
        };
        const ground = measureGround(subjectIn(size).on(groundAt));
        assert.ok(ground);
        assert.ok(ground.share > 0.99, String(ground.share));
        let [sums, count] = [[0, 0, 0], 0];
        for (let y = 0; y < height; y += 3) {
          for (let x = y % 5; x < width; x += 5) {
            const wanted = groundAt(x + 0.5, y + 0.5).map((level) => Math.max(0, Math.min(255, level)));
            count++;
            sums = sums.map((sum, channel) => sum + (wanted[channel] ?? 0));
            for (const [channel, level] of ground.surface.at(y * width + x).entries()) {
              const off = Math.abs(Math.max(0, Math.min(255, level)) - (wanted[channel] ?? 0));
              assert.ok(off < 1.6, `${off} off at ${x}, ${y} on ${colour.join()}`);
            }
          }
        }
        for (const [channel, level] of ground.colour.entries()) {
          assert.ok(
            Math.abs(level - (sums[channel] ?? 0) / count) < 1.6,
            `${ground.colour.join()}, not ${sums.join()}`,
          );
        }
      }
    }
  });

  it('may be darker by far on one side', () => {
    const ground = measureGround(subjectIn([120, 90]).on(groundAt));
    assert.ok(ground && ground.share > 0.95);
    for (const [x, y] of [
      [0, 0],
      [119, 0],
      [60, 45],
      [119, 89],
    ] as const) {
      assert.ok(Math.abs((ground.surface.at(y * 120 + x)[1] ?? 0) - groundAt(x, y)[1]) < 3);
    }
  });

  it('is as noisy as it is', () => {
    for (const spread of [0, 3, 8]) {
      const random = new Random(spread);
      const noise = (): number =>
        spread * (Array.from({ length: 12 }, () => random.below(1000) / 1000).reduce((a, b) => a + b) - 6);
      const groundAt = (): Levels => [60 + noise(), 190 + noise(), 70 + noise()];
      const ground = measureGround(subjectIn([160, 120]).on(groundAt));
      assert.ok(
        ground && Math.abs(ground.noise - spread) < 0.15 * spread + 0.4,
        `${ground?.noise} for ${spread}`,
      );
      assert.ok(ground.share > 0.95, `${ground.share} for ${spread}`);
    }
  });

  it('shows on the part of the border that no subject reaches, or is none', () => {
    const [width, height] = [200, 100];
    for (const [name, covered, isCovered] of [
      ['the lower edge', 200 / 600, (_: number, y: number) => y > 96],
      ['the upper edge', 200 / 600, (_: number, y: number) => y < 4],
      ['the left side', 100 / 600, (x: number) => x < 4],
      ['the right side', 100 / 600, (x: number) => x > 195],
      ['the lower half', 300 / 600, (_: number, y: number) => y >= 50],
      ['the left half', 300 / 600, (x: number) => x < 100],
      ['all but a quarter', 450 / 600, (x: number, y: number) => x >= 50 || y > 96],
    ] as const) {
      const random = new Random(1);
      const picture = paint(width, height, (x, y) =>
        isCovered(x, y) ? [random.below(256), random.below(256), random.below(256), 255] : [0, 230, 20, 255],
      );
      const ground = measureGround(picture);
      if (name === 'all but a quarter') {
        assert.equal(ground, undefined);
      } else {
        assert.ok(ground && Math.abs(ground.share - (1 - covered)) < 0.03, `${ground?.share} beside ${name}`);
        assert.ok(ground.colour.every((level, at) => Math.abs(level - ([0, 230, 20][at] ?? 0)) < 3));
      }
    }
  });

  it('is looked for along the border only', () => {
    const framed = paint(200, 150, (x, y) =>
      Math.min(x, y, 199 - x, 149 - y) < 2 ? [240, 20, 230, 255] : [10, 200, (x * 7 + y * 13) % 90, 255],
    );
    const ground = measureGround(framed);
    assert.ok(ground && ground.share === 1);
    assert.ok(
      ground.colour.every((level, at) => Math.abs(level - ([240, 20, 230][at] ?? 0)) < 2),
      ground.colour.join(),
    );
  });

  it('is found in the smallest pictures and in narrow ones', () => {
    for (const [width, height, slack] of [
      // So few pixels only tell what colour it is.
      [1, 1, 8],
      [2, 1, 8],
      [1, 20, 8],
      [9, 7, 8],
      [300, 2, 0.5],
      [1, 90, 0.5],
    ] as const) {
      const ground = measureGround(paint(width, height, () => [9, 200, 30, 255]));
      assert.ok(ground && ground.share === 1 && ground.noise <= slack, `${width} × ${height}`);
      assert.ok(ground.colour.every((level, at) => Math.abs(level - ([9, 200, 30][at] ?? 0)) <= slack));
    }
  });

  it('is found in large pictures, of which a sample is looked at', () => {
    const layer = new Layer(900, 540);
    polygon(
      layer,
      [
        [180, 540],
        [420, 120],
        [720, 540],
      ],
      [230, 160, 30],
    );
    const picture = layer.on((x, y) => [20 + x / 60, 60, 255 - y / 30]);
    const ground = measureGround(picture);
    assert.ok(ground && Math.abs(ground.share - (1 - 540 / 2880)) < 0.02, String(ground?.share));
    for (const pixel of [0, 899, 539 * 900, 485_999, 270 * 900 + 450]) {
      const [x, y] = [pixel % 900, Math.floor(pixel / 900)];
      const [red, , blue] = ground.surface.at(pixel);
      assert.ok(Math.abs(red - 20 - x / 60) < 1.5 && Math.abs(blue - 255 + y / 30) < 1.5, `${red}, ${blue}`);
    }
  });

  it('shows on just the share of the border that a subject in a corner leaves, and has just its colour', () => {
    const random = new Random(21);
    for (let turn = 0; turn < 30; turn++) {
      const [width, height] = [15 + random.below(50), 15 + random.below(45)];
      const colour = [40 + random.below(160), 40 + random.below(160), 40 + random.below(160)] as const;
      const [across, down] = [random.below(Math.floor(width * 0.8)), random.below(Math.floor(height * 0.8))];
      const [isRight, isLower] = [random.below(2) === 1, random.below(2) === 1];
      const isSubject = (x: number, y: number): boolean =>
        (isRight ? width - 1 - x : x) < across && (isLower ? height - 1 - y : y) < down;
      const subject = colour.map((level) => (level + 128) % 256);
      const picture = paint(width, height, (x, y) => {
        const [red = 0, green = 0, blue = 0] = isSubject(x, y) ? subject : colour;
        return [red, green, blue, 255];
      });
      // Its corners belong to two sides.
      const sides = [
        ...Array.from({ length: width }, (_, x) => [isSubject(x, 0), isSubject(x, height - 1)]),
        ...Array.from({ length: height }, (_, y) => [isSubject(0, y), isSubject(width - 1, y)]),
      ].flat();
      const share = sides.filter((isOne) => !isOne).length / sides.length;
      const ground = measureGround(picture);
      const title = `${across} × ${down} of ${width} × ${height}`;
      if (share < 0.3) {
        assert.equal(ground, undefined, title);
      } else if (share > 0.5) {
        assert.ok(
          ground && Math.abs(ground.share - share) < 1e-9,
          `${ground?.share}, not ${share}: ${title}`,
        );
        assert.ok(ground.noise < 0.6, `${ground.noise}: ${title}`);
        for (const [channel, level] of ground.colour.entries()) {
          assert.ok(Math.abs(level - (colour[channel] ?? 0)) < 1, `${ground.colour.join()}: ${title}`);
        }
      }
    }
  });

  it('is the colour that most of the border has, wherever it lies among the levels', () => {
    for (const colour of [
      [0, 0, 0],
      [255, 255, 255],
      [15, 16, 240],
      [240, 15, 16],
      [16, 240, 15],
    ] as const) {
      // A stripe along the left has another colour, of which some is seen on three sides.
      const picture = paint(53, 37, (x) =>
        x < 14 ? [200, 100, 50, 255] : [colour[0], colour[1], colour[2], 255],
      );
      const ground = measureGround(picture);
      assert.ok(ground && Math.abs(ground.share - (180 - 37 - 28) / 180) < 1e-9, String(ground?.share));
      assert.ok(
        ground.colour.every((level, at) => Math.abs(level - (colour[at] ?? 0)) < 1),
        `${ground.colour.join()}, not ${colour.join()}`,
      );
    }
  });
});
