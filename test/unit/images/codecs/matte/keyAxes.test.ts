import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { directionCount, KeyAxes } from '../../../../../src/images/codecs/matte/keyAxes.ts';
import type { Rgb } from '../../../../../src/images/codecs/matte/surface.ts';
import { Random } from '../../../../support/random.ts';

const keys: readonly Rgb[] = [
  [10, 240, 25],
  [245, 5, 230],
  [20, 35, 250],
  [250, 30, 12],
  [14, 235, 245],
  [240, 235, 3],
];

const greys: readonly Rgb[] = [
  [0, 0, 0],
  [128, 128, 128],
  [255, 255, 255],
];

/** A colour in front of the key, which shows through it. */
function mixed(colour: Rgb, key: Rgb, alpha: number): Uint8Array {
  return Uint8Array.from(
    [0, 1, 2].map((at) => Math.round((key[at] ?? 0) + ((colour[at] ?? 0) - (key[at] ?? 0)) * alpha)),
  );
}

function distance(axes: KeyAxes, colour: Iterable<number>, key: Rgb): number {
  return axes.distance(Uint8Array.from(colour), 0, Float32Array.from(key), 0);
}

function directionOf(axes: KeyAxes, colour: Iterable<number>, key: Rgb): number {
  return axes.direction(Uint8Array.from(colour), 0, Float32Array.from(key), 0);
}

/** By how many steps two directions differ, across or down. */
function steps(one: number, other: number): number {
  return Math.max(
    Math.abs(Math.floor(one / 16) - Math.floor(other / 16)),
    Math.abs((one % 16) - (other % 16)),
  );
}

describe('colours as seen from a key', () => {
  it('lie as far away as they are opaque, where they are grey', () => {
    for (const key of keys) {
      const axes = new KeyAxes(key);
      assert.ok(!axes.isGrey);
      for (const grey of greys) {
        for (const alpha of [0, 0.1, 0.5, 0.8, 1]) {
          const found = distance(axes, mixed(grey, key, alpha), key);
          assert.ok(
            Math.abs(found - alpha) < 0.012,
            `${grey.join()} in front of ${key.join()}: ${found}, not ${alpha}`,
          );
        }
      }
    }
  });

  it('are nearer in a shade of the key, and farther in what it is not', () => {
    for (const key of keys) {
      const axes = new KeyAxes(key);
      const [shade, tint] = [mixed([0, 0, 0], key, 0.4), mixed([255, 255, 255], key, 0.4)];
      const opposite = key.map((level) => 255 - level);
      assert.ok(distance(axes, shade, key) < 0.45 && distance(axes, tint, key) < 0.45);
      assert.ok(distance(axes, opposite, key) > 1.6, key.join());
    }
  });

  it('stay in one direction and get farther evenly, the more opaque they are', () => {
    const random = new Random(1);
    for (const key of keys) {
      const axes = new KeyAxes(key);
      for (let turn = 0; turn < 40; turn++) {
        const colour = [random.below(256), random.below(256), random.below(256)] as const;
        const whole = distance(axes, colour, key);
        const direction = directionOf(axes, colour, key);
        for (const alpha of [0.3, 0.6, 0.9]) {
          const seen = mixed(colour, key, alpha);
          assert.ok(Math.abs(distance(axes, seen, key) - alpha * whole) < 0.02);
          assert.ok(Math.abs(whole) < 0.3 || steps(directionOf(axes, seen, key), direction) <= 1);
        }
      }
    }
  });

  it('lie in many directions, of which those of like colours are beside each other', () => {
    const random = new Random(2);
    for (const key of keys) {
      const axes = new KeyAxes(key);
      const found = new Set<number>();
      for (let turn = 0; turn < 3000; turn++) {
        const colour = [random.below(250), random.below(250), random.below(250)];
        if (distance(axes, colour, key) > 0.5) {
          const direction = directionOf(axes, colour, key);
          found.add(direction);
          assert.ok(direction >= 0 && direction < directionCount);
          const like = colour.map((level) => level + random.below(5));
          assert.ok(steps(directionOf(axes, like, key), direction) <= 1);
        }
      }
      assert.ok(found.size > 60, `${found.size} for ${key.join()}`);
    }
  });

  it('lie in the direction of the channels in which they differ', () => {
    // From a grey key, each channel has its own corner.
    const key = [120, 120, 120] as const;
    const axes = new KeyAxes(key);
    const corners = [0, 1, 2].map((channel) => {
      const colour = [120, 120, 120];
      colour[channel] = 220;
      const dark = [120, 120, 120];
      dark[channel] = 20;
      assert.equal(directionOf(axes, colour, key), directionOf(axes, dark, key));
      return directionOf(axes, colour, key);
    });
    assert.deepEqual(
      corners.toSorted((one, other) => one - other),
      [0, 15, 240],
    );
  });

  it('are only so far from a grey key as they are from black to white', () => {
    for (const [key, isGrey] of [
      [[200, 200, 200], true],
      [[250, 255, 240], true],
      [[100, 150, 100], true],
      [[100, 170, 100], false],
      [[250, 250, 170], false],
    ] as const) {
      const axes = new KeyAxes(key);
      assert.equal(axes.isGrey, isGrey);
      assert.ok(isGrey ? axes.solid < 0.5 : axes.solid > 0.5 && axes.solid < 1);
      assert.equal(axes.levels, isGrey ? 765 : Math.max(...key) - Math.min(...key));
    }
    const white = [255, 255, 255] as const;
    const axes = new KeyAxes(white);
    for (const [colour, expected] of [
      [[0, 0, 0], 1],
      [[255, 0, 255], 1 / 3],
      [[0, 255, 255], 1 / 3],
      [[255, 255, 0], 1 / 3],
      [[204, 204, 204], 0.2],
    ] as const) {
      assert.ok(Math.abs(distance(axes, colour, white) - expected) < 1e-6);
    }
    const black = [0, 0, 0] as const;
    assert.ok(Math.abs(distance(new KeyAxes(black), [51, 51, 51], black) - 0.2) < 1e-6);
  });

  it('are the same read one by one or in a row, whose ground may change along it', () => {
    const random = new Random(4);
    for (const key of [...keys, [180, 180, 180] as const]) {
      const axes = new KeyAxes(key);
      const width = 31;
      const rgba = Uint8Array.from({ length: (width + 5) * 4 }, () => random.below(256));
      const ground = Float32Array.from({ length: width * 3 }, (_, at) => (key[at % 3] ?? 0) + (at % 7) - 3.5);
      const start = 5 * 4;
      // Some are the ground itself.
      for (let x = 0; x < width; x += 4) {
        for (let channel = 0; channel < 3; channel++) {
          rgba[start + x * 4 + channel] = ground[x * 3 + channel] ?? 0;
        }
      }
      const scales = new Float32Array(2 * width);
      axes.writeScales(ground, scales);
      const row = { distances: new Float32Array(width), directions: new Uint8Array(width).fill(99) };
      axes.measureRow(rgba, start, ground, scales, 0.06, row);
      for (let x = 0; x < width; x++) {
        const wanted = axes.distance(rgba, start + x * 4, ground, x * 3);
        assert.ok(Math.abs((row.distances[x] ?? 0) - wanted) < 1e-4 * Math.max(1, Math.abs(wanted)));
        // Of the ground's noise, nobody asks in which direction it is.
        const isFar = wanted > 0.06;
        assert.equal(row.directions[x], isFar ? axes.direction(rgba, start + x * 4, ground, x * 3) : 99);
      }
    }
  });
});
