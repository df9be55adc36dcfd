import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Ground } from '../../../../../src/images/codecs/matte/ground.ts';
import { type Pair, PairReader } from '../../../../../src/images/codecs/matte/pairReader.ts';
import { type Rgb, Surface } from '../../../../../src/images/codecs/matte/surface.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { paint } from '../../../../support/images/pictures.ts';

const [width, height] = [23, 17];

function groundOf(colour: Rgb, noise = 0, pixels?: Pixels): Ground {
  const surface = new Surface({ width, height }, colour);
  if (pixels) {
    surface.fit(
      pixels,
      Array.from({ length: width * height }, (_, pixel) => pixel),
    );
  }
  return { colour, share: 1, noise, surface };
}

/** Levels that change evenly, so that what lies between pixels is known. */
const onBlackAt = (x: number, y: number): Rgb => [3 * x + 2 * y, 100 - 2 * x - 3 * y, 20 + 4 * y];

const onWhiteAt = (x: number, y: number): Rgb => [200 - x, 150 + 2 * y, 180 + x];

function picture(at: (x: number, y: number) => Rgb): Pixels {
  return paint(width, height, (x, y) => [...at(x, y), 255]);
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value));

const whiteAt = (x: number, y: number): Rgb => [230 + x, 220 + 2 * y, 250 - x];
const blackAt = (x: number, y: number): Rgb => [x, 2 * y, 10];

describe('two pictures that are compared', () => {
  it('tell what shows through at every pixel, whatever the shift and the grounds', () => {
    const [white, black] = [
      [250, 245, 255],
      [10, 5, 0],
    ] as const;
    for (const [shiftX, shiftY] of [
      [0, 0],
      [2, 0],
      [0, -3],
      [-1, 2],
      [0.5, 0],
      [0, 0.25],
      [0, -0.5],
      [-1.75, 2.5],
      [3.25, -0.75],
      [1, 0.5],
      [-0.5, 1],
    ] as const) {
      const reader = new PairReader({
        onWhite: picture(onWhiteAt),
        onBlack: picture(onBlackAt),
        white: groundOf(white),
        black: groundOf(black),
        shift: { x: shiftX, y: shiftY },
      });
      for (let y = 0; y < height; y++) {
        reader.startRow(y);
        for (let x = 0; x < width; x++) {
          for (const aside of [0, 1, -1]) {
            reader.read(x, aside);
            // Beyond its sides, the second picture goes on as it ends.
            const other = onBlackAt(
              clamp(clamp(x + aside, width - 1) + shiftX, width - 1),
              clamp(y + shiftY, height - 1),
            );
            const shares = onWhiteAt(x, y).map(
              (level, channel) =>
                (level - (other[channel] ?? 0)) / ((white[channel] ?? 0) - (black[channel] ?? 0)),
            );
            const through = shares.reduce((sum, one) => sum + one, 0) / 3;
            const where = `${x} and ${aside}, ${y} by ${shiftX}, ${shiftY}`;
            assert.ok(
              Math.abs(reader.through - through) < 1e-4,
              `${reader.through}, not ${through} at ${where}`,
            );
            const spread = Math.max(...shares) - Math.min(...shares);
            assert.ok(Math.abs(reader.spread - spread) < 1e-4, `${reader.spread}, not ${spread} at ${where}`);
          }
        }
      }
    }
  });

  it('tell it of grounds that change from row to row and along them', () => {
    const [onWhite, onBlack] = [picture(whiteAt), picture(blackAt)];
    const half = picture((x, y) => {
      const [white, black] = [whiteAt(x, y), blackAt(x, y)];
      return [(white[0] + black[0]) / 2, (white[1] + black[1]) / 2, (white[2] + black[2]) / 2];
    });
    const reader = new PairReader({
      onWhite: half,
      onBlack,
      white: groundOf([240, 235, 240], 0, onWhite),
      black: groundOf([10, 15, 10], 0, onBlack),
      shift: { x: 0, y: 0 },
    });
    for (let y = 0; y < height; y++) {
      reader.startRow(y);
      for (let x = 0; x < width; x++) {
        reader.read(x);
        assert.ok(Math.abs(reader.through - 0.5) < 0.006, String(reader.through));
        assert.ok(reader.spread < 0.01);
        assert.ok(Math.abs((reader.white[x * 3 + 1] ?? 0) - 220 - 2 * y) < 0.7);
      }
    }
  });

  it('show only their ground where no channel is farther from it than its noise', () => {
    for (let channel = 0; channel < 3; channel++) {
      for (const noise of [0, 2]) {
        const reach = 2 + 4 * noise;
        const off =
          (base: number, sign: number) =>
          (x: number, y: number): Rgb => {
            const levels: [number, number, number] = [base, base, base];
            levels[channel] = base + sign * x * (y === 7 ? 1 : 0);
            return levels;
          };
        const pair: Pair = {
          onWhite: picture(off(240, -1)),
          onBlack: picture(off(20, 1)),
          white: groundOf([240, 240, 240], noise),
          black: groundOf([20, 20, 20], noise),
          shift: { x: 0, y: 0 },
        };
        const reader = new PairReader(pair);
        reader.startRow(7);
        const shifted = new PairReader({ ...pair, shift: { x: 3, y: -1 } });
        shifted.startRow(8);
        for (let x = 0; x < width; x++) {
          assert.equal(reader.isWhite(x), x <= reach);
          assert.equal(reader.isBlack(x), x <= reach);
          assert.equal(reader.isBlack(x, 1), Math.min(x + 1, width - 1) <= reach);
          assert.equal(reader.isBlack(x, -1), Math.max(x - 1, 0) <= reach);
          assert.equal(shifted.isBlack(x), Math.min(x + 3, width - 1) <= reach);
        }
        reader.startRow(6);
        assert.ok(reader.isWhite(width - 1) && reader.isBlack(width - 1));
      }
    }
  });
});
