import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DistanceRows } from '../../../../../src/images/codecs/matte/distanceRows.ts';
import { KeyAxes } from '../../../../../src/images/codecs/matte/keyAxes.ts';
import { Surface } from '../../../../../src/images/codecs/matte/surface.ts';
import { type Colour, paint } from '../../../../support/images/pictures.ts';

const key = [0, 240, 0] as const;
const noise = 0.04;

const axes = new KeyAxes(key);
const whiteDirection = axes.direction(Uint8Array.of(255, 255, 255), 0, Float32Array.of(...key), 0);

const isBeside = (one: number, other: number): boolean =>
  Math.abs((one >> 4) - (other >> 4)) <= 1 && Math.abs((one & 15) - (other & 15)) <= 1;

type AlphaAt = (x: number, y: number) => number;

/** Returns the pixels of a white subject that belong to an edge, as `x,y`. */
function fading([width, height]: readonly [number, number], alphaAt: AlphaAt): Set<string> {
  const pixels = paint(width, height, (x, y): Colour => {
    const alpha = Math.max(0, Math.min(1, alphaAt(x, y)));
    return [255 * alpha, 240 + 15 * alpha, 255 * alpha, 255];
  });
  const rows = new DistanceRows(pixels, new Surface(pixels, key), axes, 0.05);
  const found = new Set<string>();
  for (let y = 0; y < height; y++) {
    const { distances, directions } = rows.around(y);
    assert.deepEqual([distances.length, directions.length], [width, width]);
    for (let x = 0; x < width; x++) {
      const alpha = Math.max(0, Math.min(1, alphaAt(x, y)));
      assert.ok(Math.abs((distances[x] ?? 0) - alpha) < 0.01);
      // Of a faint colour, rounding turns the direction a little.
      assert.ok(alpha < 0.2 || isBeside(directions[x] ?? 0, whiteDirection), `${directions[x]}`);
      if (rows.isFading(x, y, noise)) {
        found.add(`${x},${y}`);
      }
    }
  }
  return found;
}

/** The four sides to which something may fade. */
const sides: Record<string, (alphaOf: (way: number, aside: number) => number) => AlphaAt> = {
  right: (alphaOf) => (x, y) => alphaOf(x, y),
  left: (alphaOf) => (x, y) => alphaOf(89 - x, y),
  down: (alphaOf) => (x, y) => alphaOf(y, x),
  up: (alphaOf) => (x, y) => alphaOf(79 - y, x),
};

/** Whether what is so far on the way to a side fades, in the middle of a picture. */
function isFadingOn(side: string, alphaOf: (way: number, aside: number) => number): (way: number) => boolean {
  const found = fading([90, 80], (sides[side] ?? (() => () => 0))(alphaOf));
  return (way) =>
    found.has(
      { right: `${way},40`, left: `${89 - way},40`, down: `45,${way}`, up: `45,${79 - way}` }[side] ?? '',
    );
}

describe('colours that fade into the ground', () => {
  for (const side of Object.keys(sides)) {
    it(`belong to an edge, if it is not too wide: ${side}`, () => {
      for (const width of [3, 8, 14, 22]) {
        const isFading = isFadingOn(side, (way) => 1 - (way - 30) / width);
        const middle = 30 + Math.round(width / 2);
        assert.ok(isFading(middle), `${width}`);
        assert.ok(isFading(30 + Math.ceil(0.4 * width)), `${width}`);
        // What is opaque in front of it does not.
        assert.ok(!isFading(20) && !isFading(5), `${width}`);
        // Nor does the ground.
        assert.ok(!isFading(32 + width) && !isFading(70), `${width}`);
      }
    });

    it(`are no edge where they are even, get stronger again, or have nothing stronger behind: ${side}`, () => {
      const glass = isFadingOn(side, (way) => (way < 40 ? 0.95 : way < 44 ? 0.95 - (way - 40) / 4 : 0));
      assert.ok(![10, 25, 36].some(glass));
      const plateau = isFadingOn(side, (way) => (way < 20 ? 1 : way < 60 ? 0.8 : 0));
      assert.ok(![25, 40, 55].some(plateau));
      const dip = isFadingOn(side, (way) =>
        way < 30 ? 1 : way < 34 ? 0.85 : way < 38 ? 1 : way < 44 ? (44 - way) / 6 : 0,
      );
      assert.ok(!dip(31) && !dip(33));
      const alone = isFadingOn(side, (way) => (way < 30 || way > 46 ? 0 : 0.9 - 0.9 * ((way - 30) / 16)));
      assert.ok(!alone(30));
      const wide = isFadingOn(side, (way) => 1 - (way - 10) / 60);
      assert.ok(![12, 16, 20].some(wide));
    });

    it(`are no edge where they stop fading, or fade hardly more than noise does: ${side}`, () => {
      const again = [0.95, 0.88, 0.8, 0.72, 0.9, 0.6, 0.3];
      const rising = isFadingOn(side, (way) => (way < 30 ? 1 : (again[way - 30] ?? 0)));
      assert.ok(!rising(32));
      const gentle = isFadingOn(side, (way) => (way < 20 ? 1 : way < 40 ? 1 - (way - 20) * 0.015 : 0.2));
      assert.ok(![28, 32, 34, 36].some(gentle));
      const toGlass = isFadingOn(side, (way) => Math.max(0.7, Math.min(1, 1 - (way - 30) * 0.05)));
      assert.ok(![31, 32, 33, 34].some(toGlass));
      // The surface of glass does not belong to its edge.
      const glass = isFadingOn(side, (way) => Math.min(0.9, 0.9 - (way - 29) * 0.05));
      assert.ok(![25, 28, 29].some(glass) && glass(31));
    });

    it(`are no edge where a line crosses them, where they go on gently, or in front of even glass: ${side}`, () => {
      const line = isFadingOn(side, (way) => (way === 34 ? 1 : 1 - (way - 30) / 12));
      assert.ok(!line(31) && !line(33) && line(36));
      const gentler = isFadingOn(side, (way) =>
        way < 29 ? 1 : way < 30 ? 0.9 : way < 50 ? 0.86 - (way - 30) * 0.015 : 0.2,
      );
      assert.ok(!gentler(29));
      const shortGlass = isFadingOn(side, (way) =>
        way < 26 ? 1 : way < 30 ? 0.9 : Math.max(0, 0.9 - (way - 29) * 0.15),
      );
      assert.ok(!shortGlass(29) && shortGlass(30));
      const steps = [0.85, 0.85, 0.8, 0.72, 0.6, 0.3];
      const stepped = isFadingOn(side, (way) => (way < 30 ? 1 : (steps[way - 30] ?? 0)));
      assert.ok(stepped(31));
      // Between the teeth of a comb.
      const comb = isFadingOn(side, (way, aside) => (aside % 5 < 2 ? 1 - (way - 30) / 12 : 1));
      assert.ok(comb(32) && comb(35));
    });

    it(`are no edge at the side of the picture, where nobody knows how it goes on: ${side}`, () => {
      const room = side === 'left' || side === 'right' ? 90 : 80;
      const cut = isFadingOn(side, (way) => 1 - (way - (room - 12)) / 40);
      assert.ok(![room - 1, room - 3, room - 6].some(cut));
      const cutBar = isFadingOn(side, (way) => (way < 20 ? 0 : Math.min(1, 1 - (way - (room - 12)) / 40)));
      assert.ok(![1, 2, 3, 4, 6].some((away) => cutBar(room - away)));
      const atStart = isFadingOn(side, (way) => 0.9 - way / 12);
      assert.ok(!atStart(0));
      assert.ok(atStart(2));
    });
  }

  it('fade around a disc in all directions, and nowhere inside of it', () => {
    for (const [left, top, radius] of [
      [75, 65, 50],
      [62, 34, 30],
    ] as const) {
      const softness = 10;
      const found = fading([150, 130], (x, y) => (radius - Math.hypot(x - left, y - top)) / softness);
      for (let turn = 0; turn < 24; turn++) {
        const angle = (turn / 24) * 2 * Math.PI;
        const at = (away: number): string =>
          `${Math.round(left + away * Math.cos(angle))},${Math.round(top + away * Math.sin(angle))}`;
        assert.ok(found.has(at(radius - 5)), `${turn}`);
        assert.ok(!found.has(at(radius - 15)) && !found.has(at(radius + 6)), `${turn}`);
      }
    }
  });

  it('have steps that the ground’s noise explains', () => {
    // A little noise on the way does not end an edge.
    const rough = isFadingOn('right', (way) => 1 - (way - 30) / 16 + (way % 2 === 0 ? 0.005 : -0.005));
    assert.ok([33, 34, 35].every(rough));
  });
});
