import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '../../../../../src/demo/random.ts';
import { findShift } from '../../../../../src/images/codecs/matte/registration.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { shifted } from '../../../../support/images/cutouts/cases.ts';
import { Layer } from '../../../../support/images/cutouts/layer.ts';
import { disc, polygon } from '../../../../support/images/cutouts/shapes.ts';
import { paint } from '../../../../support/images/pictures.ts';

const white = () => [255, 255, 255] as const;
const black = () => [0, 0, 0] as const;

/** Draws something with texture, which is nowhere alike. */
function drawn(width: number, height: number, seed: number): Layer {
  const random = seededRandom(seed);
  const layer = new Layer(width, height);
  for (let index = 0; index < 14; index++) {
    const place = [random.between(0.25, 0.75) * width, random.between(0.25, 0.75) * height] as const;
    disc(layer, place, random.between(0.04, 0.16) * layer.unit, [
      random.between(40, 220),
      random.between(40, 220),
      random.between(40, 220),
    ]);
  }
  return layer;
}

const sizes = [
  [150, 100],
  [97, 131],
] as const;

const flat = (level: number): Pixels => paint(80, 60, () => [level, level, level, 255]);

// Where one place is as good as another, the subject stays.
const stripes = (level: number): Pixels =>
  paint(120, 80, (x, y) =>
    y > 20 && y < 60 && x % 3 === 0 ? [128, 128, 128, 255] : [level, level, level, 255],
  );

describe('the shift between two pictures of a subject', () => {
  it('is found to the pixel, in every direction and on other grounds', () => {
    for (const [index, [width, height]] of sizes.entries()) {
      const layer = drawn(width, height, index);
      for (const [x, y] of [
        [0, 0],
        [1, 0],
        [-2, 2],
        [3, 1],
        [-3, -3],
      ] as const) {
        const found = findShift(layer.on(white), shifted(layer.on(black), x, y));
        assert.deepEqual(
          { x: (found?.x ?? 9) + 0, y: (found?.y ?? 9) + 0 },
          { x, y },
          `${width} × ${height}`,
        );
      }
    }
  });

  it('is found to a third of a pixel', () => {
    for (const [index, [width, height]] of sizes.entries()) {
      const layer = drawn(width, height, 10 + index);
      for (const [x, y] of [
        [0.5, 0],
        [0, 0.5],
        [-0.4, 0.6],
        [2.35, 1],
      ] as const) {
        const found = findShift(layer.on(white), shifted(layer.on(black), x, y));
        assert.ok(
          found && Math.abs(found.x - x) < 0.34 && Math.abs(found.y - y) < 0.34,
          `${JSON.stringify(found)}, not ${x}, ${y}`,
        );
        // Whole pixels are not read between pixels.
        assert.ok(x % 1 !== 0 || found.x === x, JSON.stringify(found));
        assert.ok(y % 1 !== 0 || found.y === y, JSON.stringify(found));
      }
    }
  });

  it('goes as far as a subject drifts, and no subject that moved is taken for one that drifted', () => {
    const layer = drawn(300, 240, 3);
    const onWhite = layer.on(white);
    for (const [x, y] of [
      [7, -6],
      [-7, 0],
      [0, 7],
    ] as const) {
      const found = findShift(onWhite, shifted(layer.on(black), x, y));
      assert.deepEqual(found, { x, y });
    }
    for (const [x, y] of [
      [16, 0],
      [0, 18],
      [-22, 22],
      [0, -50],
      [50, 15],
    ] as const) {
      assert.equal(findShift(onWhite, shifted(layer.on(black), x, y)), undefined, `${x}, ${y}`);
    }
  });

  it('is the same the other way round', () => {
    const layer = drawn(200, 150, 5);
    const moved = shifted(layer.on(black), 3, -2);
    assert.deepEqual(findShift(layer.on(white), moved), { x: 3, y: -2 });
    assert.deepEqual(findShift(moved, layer.on(white)), { x: -3, y: 2 });
  });

  it('is told by each of the channels, and by outlines that are lighter in one picture and darker in the other', () => {
    const layer = drawn(130, 90, 6);
    for (let channel = 0; channel < 3; channel++) {
      const alone = ({ rgba, ...size }: Pixels): Pixels => ({
        ...size,
        rgba: rgba.map((level, at) => (at % 4 === channel || at % 4 === 3 ? level : 90)),
      });
      const found = findShift(alone(layer.on(black)), alone(shifted(layer.on(black), 2, 1)));
      assert.deepEqual(found, { x: 2, y: 1 }, String(channel));
    }
    const grey = new Layer(160, 120);
    polygon(
      grey,
      [
        [30, 30],
        [120, 40],
        [90, 100],
      ],
      [128, 128, 128],
    );
    assert.deepEqual(findShift(grey.on(white), shifted(grey.on(black), 2, 1)), { x: 2, y: 1 });
  });

  it('is none where nothing tells of one', () => {
    assert.deepEqual(findShift(flat(255), flat(0)), { x: 0, y: 0 });
    assert.deepEqual(findShift(stripes(255), stripes(0)), { x: 0, y: 0 });
    for (const [width, height] of [
      [1, 1],
      [2, 9],
      [5, 3],
    ] as const) {
      const small = paint(width, height, (x) => [x * 9, 0, 0, 255]);
      assert.deepEqual(findShift(small, small), { x: 0, y: 0 });
    }
  });

  it('is found in large pictures, of which only a part is looked at', () => {
    const layer = drawn(500, 410, 8);
    assert.deepEqual(findShift(layer.on(white), shifted(layer.on(black), -7, 5)), { x: -7, y: 5 });
  });

  it('goes by the shorter side, and no farther than a thirtieth or so', () => {
    for (const [width, height, most] of [
      [360, 110, 4],
      [110, 360, 4],
    ] as const) {
      const layer = drawn(width, height, 7);
      const onWhite = layer.on(white);
      for (const [x, y] of [
        [1, 0],
        [0, 1],
        [-1, 0],
        [0, -1],
        [1, -1],
      ] as const) {
        const shift = { x: x * most, y: y * most };
        assert.deepEqual(findShift(onWhite, shifted(layer.on(black), shift.x, shift.y)), shift);
        const far = { x: x * (most + 2), y: y * (most + 2) };
        assert.equal(findShift(onWhite, shifted(layer.on(black), far.x, far.y)), undefined);
      }
    }
  });

  it('is none where a bar moved along itself', () => {
    for (const isDown of [true, false]) {
      const bars = [0, 24].map((moved) => {
        const bar = new Layer(300, 300);
        const [from, to] = [40 + moved, 230 + moved];
        const box = isDown
          ? { left: 140, top: from, right: 165, bottom: to }
          : { left: from, top: 140, right: to, bottom: 165 };
        bar.cover(box, [120, 120, 120], () => 1);
        return bar;
      });
      const [bar, moved] = bars.map((layer, index) => layer.on(index === 0 ? white : black));
      assert.ok(bar && moved);
      assert.equal(findShift(bar, moved), undefined, isDown ? 'down' : 'across');
    }
  });
});
