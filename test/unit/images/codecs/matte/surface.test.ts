import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Surface, SurfaceRows } from '../../../../../src/images/codecs/matte/surface.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { paint } from '../../../../support/images/pictures.ts';
import { Random } from '../../../../support/random.ts';

type Levels = readonly [number, number, number];
type LevelsAt = (x: number, y: number) => Levels;

/** Draws a colour that changes as smoothly as light does: across, down, along the diagonal, and to the corners. */
function lightOf(random: Random, { width, height }: { width: number; height: number }): LevelsAt {
  const weights = Array.from({ length: 3 }, () => [
    110 + random.below(40),
    ...Array.from({ length: 5 }, () => random.below(37) - 18),
  ]);
  return (x, y) => {
    const [across, down] = [(2 * x + 1) / width - 1, (2 * y + 1) / height - 1];
    const level = ([one = 0, a = 0, b = 0, c = 0, d = 0, e = 0]: number[]): number =>
      one + a * across + b * down + c * across ** 2 + d * across * down + e * down ** 2;
    return [level(weights[0] ?? []), level(weights[1] ?? []), level(weights[2] ?? [])];
  };
}

function painted(width: number, height: number, levelsAt: LevelsAt): Pixels {
  return paint(width, height, (x, y) => {
    const [red, green, blue] = levelsAt(x, y).map(Math.round);
    return [red ?? 0, green ?? 0, blue ?? 0, 255];
  });
}

const all = ({ width, height }: Pixels): number[] =>
  Array.from({ length: width * height }, (_, pixel) => pixel);

const sizes = [
  [41, 23],
  [17, 52],
  [9, 9],
] as const;

describe('a colour that changes smoothly over an image', () => {
  it('is one colour at first', () => {
    const surface = new Surface({ width: 7, height: 5 }, [10.5, 20, 250]);
    for (let pixel = 0; pixel < 35; pixel++) {
      assert.deepEqual(surface.at(pixel), [10.5, 20, 250]);
    }
    const row = new Float32Array(21);
    surface.readRow(3, row);
    assert.deepEqual(Array.from(row.subarray(0, 6)), [10.5, 20, 250, 10.5, 20, 250]);
    assert.equal(surface.steepness, 0);
  });

  it('is found from a sample of its pixels, also where none of them was', () => {
    for (const [index, [width, height]] of sizes.entries()) {
      for (let seed = 0; seed < 4; seed++) {
        const random = new Random(100 * index + seed);
        const levelsAt = lightOf(random, { width, height });
        const pixels = painted(width, height, levelsAt);
        const surface = new Surface(pixels, [128, 128, 128]);
        surface.fit(
          pixels,
          all(pixels).filter((_, at) => at % 3 !== 1),
        );
        for (const pixel of all(pixels)) {
          const wanted = levelsAt(pixel % width, Math.floor(pixel / width));
          for (const [channel, level] of surface.at(pixel).entries()) {
            assert.ok(
              Math.abs(level - (wanted[channel] ?? 0)) < 0.8,
              `${level} at ${pixel}, ${wanted.join()}`,
            );
          }
        }
        const row = new Float32Array(width * 3);
        for (let y = 0; y < height; y++) {
          surface.readRow(y, row);
          for (let x = 0; x < width; x++) {
            for (const [channel, level] of surface.at(y * width + x).entries()) {
              assert.ok(Math.abs((row[x * 3 + channel] ?? 0) - level) < 1e-3);
            }
          }
        }
      }
    }
  });

  it('stays as it was where a sample is too small to tell', () => {
    const pixels = painted(20, 20, (x) => [x, x, x]);
    const surface = new Surface(pixels, [90, 90, 90]);
    surface.fit(pixels, all(pixels).slice(0, 12));
    assert.deepEqual(surface.at(399), [90, 90, 90]);
    surface.fit(pixels, all(pixels).slice(0, 60));
    assert.ok((surface.at(59)[0] ?? 0) > 15);
  });

  it('does not grow without bounds where a sample is on one side only', () => {
    const random = new Random(5);
    const pixels = painted(60, 60, () => {
      const level = 198 + random.below(5);
      return [level, level, level];
    });
    const surface = new Surface(pixels, [200, 200, 200]);
    surface.fit(pixels, all(pixels).slice(0, 240));
    for (const pixel of [0, 59, 1800, 3540, 3599]) {
      assert.ok(
        surface.at(pixel).every((level) => Math.abs(level - 200) < 30),
        surface.at(pixel).join(),
      );
    }
  });

  it('follows what its sample shows, also in a corner, or in a row or column of it', () => {
    const [width, height] = [50, 40];
    const light = lightOf(new Random(3), { width, height });
    const pixels = painted(width, height, light);
    for (const isIn of [
      (x: number, y: number) => x + 2 * y < 50,
      (x: number, y: number) => x > 30 || y < 4,
      (_: number, y: number) => y === 7,
      (x: number) => x === 31,
    ]) {
      const sample = all(pixels).filter((pixel) => isIn(pixel % width, Math.floor(pixel / width)));
      const surface = new Surface(pixels, [128, 128, 128]);
      // A column of forty pixels alone is too few.
      surface.fit(pixels, sample.length < 50 ? [...sample, ...sample] : sample);
      for (const pixel of sample) {
        const wanted = light(pixel % width, Math.floor(pixel / width));
        for (const [channel, level] of surface.at(pixel).entries()) {
          assert.ok(Math.abs(level - (wanted[channel] ?? 0)) < 1.5, `${level}, ${wanted.join()}`);
        }
      }
    }
  });

  it('does not turn where a sample hardly tells how it goes on', () => {
    for (const isDown of [true, false]) {
      const pixels = painted(60, 60, (x, y) => {
        const level = Math.min(255, 100 + 10 * (isDown ? y : x));
        return [level, level, level];
      });
      const surface = new Surface(pixels, [100, 100, 100]);
      surface.fit(
        pixels,
        all(pixels).filter((pixel) => (isDown ? pixel < 120 : pixel % 60 < 2)),
      );
      const [first] = surface.at(isDown ? 30 : 1800);
      const [second] = surface.at(isDown ? 90 : 1801);
      assert.ok(second > first && second < first + 10, `${first}, ${second}`);
    }
  });

  it('is written in levels that exist', () => {
    for (let turn = 0; turn < 3; turn++) {
      const turned = (levels: Levels): Levels => [
        levels[turn] ?? 0,
        levels[(turn + 1) % 3] ?? 0,
        levels[(turn + 2) % 3] ?? 0,
      ];
      // Goes on beyond black and white.
      const steep = painted(40, 30, (x) => turned([Math.min(255, 12 * x), Math.max(0, 255 - 12 * x), 100]));
      const surface = new Surface(steep, [0, 0, 0]);
      surface.fit(
        steep,
        all(steep).filter((pixel) => pixel % 40 < 20),
      );
      const last = surface.at(15 * 40 + 39);
      assert.ok(Math.max(...last) > 300 && Math.min(...last) < -50);
      const row = new Float32Array(120);
      surface.readRow(15, row);
      for (let x = 0; x < 40; x++) {
        for (const [channel, level] of surface.at(15 * 40 + x).entries()) {
          const written = row[x * 3 + channel] ?? -1;
          assert.ok(Math.abs(written - Math.max(0, Math.min(255, level))) < 1e-3, `${written}, ${level}`);
        }
      }
    }
  });

  it('is as dark as it is where it is nearly black', () => {
    for (let channel = 0; channel < 3; channel++) {
      const dark = painted(60, 20, (x) => {
        const levels: [number, number, number] = [120, 120, 120];
        levels[channel] = x / 12;
        return levels;
      });
      const surface = new Surface(dark, [0, 0, 0]);
      surface.fit(dark, all(dark));
      const row = new Float32Array(180);
      surface.readRow(9, row);
      for (let x = 0; x < 60; x++) {
        const level = Math.max(0, surface.at(9 * 60 + x)[channel] ?? 0);
        assert.ok(Math.abs((row[x * 3 + channel] ?? 0) - level) < 1e-3, `${row[x * 3 + channel]}, ${level}`);
      }
    }
  });

  it('knows how steep it is from row to row', () => {
    const [width, height] = [30, 50];
    const terms: Record<string, (x: number, y: number) => number> = {
      'down alone': (_, y) => 40 * y,
      'up, in the corners': (x, y) => 40 * x * y,
      'in the middle': (_, y) => 40 * y * y,
      'both down and in the corners': (x, y) => 25 * y - 15 * x * y,
    };
    for (const [name, term] of Object.entries(terms)) {
      for (let channel = 0; channel < 3; channel++) {
        const pixels = painted(width, height, (x, y) => {
          const levels: [number, number, number] = [120, 120, 120];
          levels[channel] = 120 + term((2 * x + 1) / width - 1, (2 * y + 1) / height - 1);
          return levels;
        });
        const surface = new Surface(pixels, [120, 120, 120]);
        surface.fit(pixels, all(pixels));
        const most = Math.max(
          ...all(pixels)
            .slice(width)
            .map((pixel) =>
              Math.abs((surface.at(pixel)[channel] ?? 0) - (surface.at(pixel - width)[channel] ?? 0)),
            ),
        );
        assert.ok(
          surface.steepness > 0.99 * most && surface.steepness < 1.2 * most,
          `${name}: ${surface.steepness}`,
        );
      }
    }
  });

  it('tells what is near it in all channels', () => {
    for (let channel = 0; channel < 3; channel++) {
      const pixels = paint(13, 7, (x) => {
        const colour: [number, number, number, number] = [100, 100, 100, 255];
        colour[channel] = 94 + x;
        return colour;
      });
      const near = new Surface(pixels, [100, 100, 100]).near(pixels, all(pixels), 4);
      assert.deepEqual(
        near,
        all(pixels).filter((pixel) => Math.abs((pixel % 13) - 6) <= 4),
      );
    }
  });

  it('knows how noisy a sample is, whatever a few pixels of something else look like', () => {
    for (const spread of [0, 2, 6, 12]) {
      for (const stray of [0, 5]) {
        const random = new Random(spread);
        const pixels = painted(60, 40, () => {
          // The sum of twelve even draws is nearly normal.
          const noise = (): number =>
            spread *
            (Array.from({ length: 12 }, () => random.below(1000) / 1000).reduce((a, b) => a + b) - 6);
          return random.below(100) < stray ? [0, 255, 0] : [128 + noise(), 100 + noise(), 150 + noise()];
        });
        const noise = new Surface(pixels, [128.25, 100.25, 150.25]).noise(pixels, all(pixels));
        const slack = stray === 0 ? 0.06 * spread + 0.4 : 0.2 * spread + 0.4;
        assert.ok(Math.abs(noise - spread) <= slack, `${noise} for ${spread}`);
      }
    }
    assert.equal(
      new Surface({ width: 1, height: 1 }, [1, 2, 3]).noise(
        painted(1, 1, () => [0, 0, 0]),
        [],
      ),
      0,
    );
  });

  it('knows how noisy a sample is by all of its pixels and channels, however few', () => {
    const surface = new Surface({ width: 10, height: 10 }, [100, 100, 100]);
    for (let channel = 0; channel < 3; channel++) {
      const colour: [number, number, number] = [100, 100, 100];
      colour[channel] = 109;
      const one = painted(10, 10, () => colour);
      assert.equal(surface.noise(one, [37]), 9);
    }
    for (const [exact, noise] of [
      [3, 3],
      [6, 3],
      [8, 0],
    ] as const) {
      for (const isFirst of [true, false]) {
        const part = painted(10, 10, (_, y) =>
          (isFirst ? y : 9 - y) < exact ? [100, 100, 100] : [103, 97, 103],
        );
        assert.equal(surface.noise(part, all(part)), noise);
      }
    }
  });

  it('may be read row by row, to less than anybody could see', () => {
    for (const [index, [width, height]] of [...sizes, [5, 900] as const, [900, 5] as const].entries()) {
      for (const strength of [1, 0.03]) {
        const random = new Random(index);
        const light = lightOf(random, { width, height });
        const pixels = painted(width, height, light);
        const surface = new Surface(pixels, [128, 128, 128]);
        surface.fit(pixels, all(pixels));
        const gentle = new Surface(pixels, [128, 128, 128]);
        const weaker = painted(width, height, (x, y) => {
          const [red, green, blue] = light(x, y).map((level) => 128 + strength * (level - 128));
          return [red ?? 0, green ?? 0, blue ?? 0];
        });
        gentle.fit(weaker, all(weaker));
        const rows = new SurfaceRows(gentle, width);
        const exact = new Float32Array(width * 3);
        let [read, before] = [0, rows.levels.slice()];
        for (let y = 0; y < height; y++) {
          const isAnother = rows.goTo(y);
          read += Number(isAnother);
          assert.ok(isAnother || rows.levels.every((level, at) => level === before[at]));
          before = rows.levels.slice();
          gentle.readRow(y, exact);
          assert.ok(exact.every((level, at) => Math.abs(level - (rows.levels[at] ?? 0)) <= 1 / 31));
          assert.equal(rows.goTo(y), false);
        }
        // Where hardly anything changes from row to row, few of them are read.
        assert.ok(height < 900 || strength === 1 || read < 0.5 * height, `${read} rows of ${height}`);
      }
    }
    const flat = new SurfaceRows(new Surface({ width: 3, height: 100 }, [1, 2, 3]), 3);
    assert.deepEqual([flat.goTo(7), flat.goTo(99), flat.goTo(0)], [true, false, false]);
    assert.deepEqual(Array.from(flat.levels), [1, 2, 3, 1, 2, 3, 1, 2, 3]);
  });
});
