import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AlphaMap } from '../../../../../src/images/codecs/verdict/alphaMap.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { paint } from '../../../../support/images/pictures.ts';
import { Random } from '../../../../support/random.ts';

type AlphaAt = (x: number, y: number) => number;

/** Draws alpha alone, in one colour that is no shadow's. */
function alphas(width: number, height: number, alphaAt: AlphaAt): Pixels {
  return paint(width, height, (x, y) => [30, 60, 90, alphaAt(x, y)]);
}

/** Whether a pixel is in a box that begins at a place and has a size. */
const within =
  (left: number, top: number, width: number, height = width): ((x: number, y: number) => boolean) =>
  (x, y) =>
    x >= left && x < left + width && y >= top && y < top + height;

const dotted = (each: number): number =>
  new AlphaMap(
    alphas(300, 200, (x, y) => {
      const isOpaque = x > 200 || (x & 1) + 2 * (y & 1) < each;
      return isOpaque ? 255 : 128;
    }),
  ).half;

/** Returns the regions of what belongs, by flooding, and whether each is away from the border. */
function regionsOf({ width, height, rgba }: Pixels, belongs: (alpha: number) => boolean): boolean[] {
  const left = new Set(
    Array.from({ length: width * height }, (_, pixel) => pixel).filter((pixel) =>
      belongs(rgba[pixel * 4 + 3] ?? 0),
    ),
  );
  const regions: boolean[] = [];
  for (const start of left) {
    const region = [start];
    left.delete(start);
    for (const pixel of region) {
      const x = pixel % width;
      const near = [x > 0 ? pixel - 1 : -1, x < width - 1 ? pixel + 1 : -1, pixel - width, pixel + width];
      region.push(...near.filter((one) => left.delete(one)));
    }
    const isInner = (pixel: number): boolean =>
      within(1, 1, width - 2, height - 2)(pixel % width, Math.floor(pixel / width));
    regions.push(region.every(isInner));
  }
  return regions;
}

const isPiece = (x: number, y: number): boolean => x % 100 >= 40 && y % 100 >= 40;

describe('the map of alpha', () => {
  it('knows how much is clear and how much is not, whatever the size', () => {
    for (const [width, height] of [
      [30, 20],
      [301, 171],
      [100, 611],
      [769, 3],
      [1, 1],
    ] as const) {
      const random = new Random(width);
      const pixels = alphas(width, height, () => random.pick([0, 0, 8, 12, 13, 20, 128, 250, 255]));
      const map = new AlphaMap(pixels);
      const share = pixels.rgba.filter((alpha, at) => at % 4 === 3 && alpha <= 12).length / (width * height);
      assert.ok(Math.abs(map.clear - share) < 1e-9);
      assert.ok(Math.abs(map.subject - (1 - share)) < 1e-9);
    }
  });

  it('counts the small pits in something opaque', () => {
    const [width, height] = [291, 47];
    for (const [pit, opaque] of [
      [30, 255],
      [200, 243],
      [235, 250],
    ] as const) {
      // One in each block of five by five, up to the border: the outermost two rows and columns are an edge.
      const map = new AlphaMap(alphas(width, height, (x, y) => (x % 5 === 1 && y % 5 === 1 ? pit : opaque)));
      const inner = (Math.floor(width / 5) - 1) * (Math.floor(height / 5) - 1);
      assert.ok(
        Math.abs(map.pits - inner / (width * height)) < 1e-9,
        `${map.pits * width * height}, ${inner}`,
      );
    }
    for (let y = 0; y < 7; y++) {
      for (let x = 0; x < 8; x++) {
        const isInside = within(2, 2, 4, 3)(x, y);
        const { pits } = new AlphaMap(alphas(8, 7, (px, py) => (px === x && py === y ? 50 : 255)));
        assert.equal(Math.round(pits * 56), Number(isInside), `${x}, ${y}`);
      }
    }
    for (const [dx, dy] of [
      [-2, 0],
      [2, 0],
      [0, -2],
      [0, 2],
    ] as const) {
      const gap = alphas(15, 12, (x, y) =>
        (x === 7 && y === 5) || (x === 7 + dx && y === 5 + dy) ? 99 : 255,
      );
      assert.equal(new AlphaMap(gap).pits, 0);
    }
    assert.equal(new AlphaMap(alphas(9, 9, () => 0)).pits, 0);
    assert.equal(new AlphaMap(alphas(9, 9, () => 180)).pits, 0);
  });

  it('knows how much of the inside is half-transparent, wherever it is', () => {
    // At the edge of what is half-transparent, a cell tells nothing, but for the image's own edge.
    for (const [left, top, width, height, cells] of [
      [5, 4, 10, 7, 8 * 5],
      [0, 4, 10, 7, 9 * 5],
      [140, 4, 10, 7, 9 * 5],
      [5, 0, 10, 7, 8 * 6],
      [5, 83, 10, 7, 8 * 6],
      [140, 83, 10, 7, 9 * 6],
      [0, 0, 3, 3, 2 * 2],
      [20, 20, 2, 30, 0],
    ] as const) {
      const isHalf = within(left, top, width, height);
      const small = new AlphaMap(alphas(150, 90, (x, y) => (isHalf(x, y) ? 128 : 255)));
      const large = new AlphaMap(alphas(299, 180, (x, y) => (isHalf(x >> 1, y >> 1) ? 128 : 255)));
      for (const { half } of [small, large]) {
        assert.ok(Math.abs(half * 150 * 90 - cells) < 1e-6, `${half * 150 * 90}, not ${cells}`);
      }
    }
  });

  it('looks for that only inside the subject', () => {
    const [isSubject, isHalf] = [within(20, 10, 60, 40), within(20, 10, 30, 40)];
    const { half } = new AlphaMap(
      alphas(101, 63, (x, y) => (isSubject(x, y) ? (isHalf(x, y) ? 100 : 255) : 0)),
    );
    assert.ok(Math.abs(half - (28 * 38) / (58 * 38)) < 1e-9);
    // A haze that nobody sees is no subject.
    const { half: inHaze } = new AlphaMap(
      alphas(101, 63, (x, y) => (isSubject(x, y) ? (isHalf(x, y) ? 100 : 255) : 10)),
    );
    assert.equal(inHaze, half);
    const { half: ofThin } = new AlphaMap(alphas(50, 40, (x) => (x % 4 < 2 ? 255 : 0)));
    assert.equal(ofThin, 0);
  });

  it('takes no shadow for half-transparent, and nothing else for a shadow', () => {
    for (const [colour, alpha, isShadow] of [
      [[0, 0, 0], 100, true],
      [[40, 40, 40], 190, true],
      [[0, 0, 0], 220, false],
      [[70, 0, 0], 100, false],
      [[0, 70, 0], 100, false],
      [[0, 0, 70], 100, false],
    ] as const) {
      const pixels = paint(60, 50, (x) => [...colour, x < 30 ? alpha : 255]);
      assert.equal(new AlphaMap(pixels).half, isShadow ? 0 : 29 / 60, `${colour.join()} of ${alpha}`);
    }
  });

  it('takes a subject that is nowhere opaque for half-transparent as a whole', () => {
    const veil = (share: number): AlphaMap => new AlphaMap(alphas(100, 40, (x) => (x < share ? 255 : 200)));
    assert.equal(veil(5).half, 1);
    assert.ok(veil(12).half < 0.9);
    const dust = alphas(100, 40, (x, y) => (within(30, 10, 40, 20)(x, y) ? (x < 32 ? 255 : 90) : 0));
    assert.equal(new AlphaMap(dust).half, 1);
  });

  it('counts a cell as half-transparent where most of its pixels are', () => {
    // Of the four pixels of a cell.
    assert.ok(dotted(1) > 0.6 && dotted(2) === 0);
  });

  it('counts pieces and holes of any shape', () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = new Random(seed);
      const [width, height] = [1 + random.below(25), 1 + random.below(17)];
      const density = random.pick([3, 5, 8]);
      const pixels = alphas(width, height, () =>
        random.below(10) < density ? random.pick([13, 30, 128, 255]) : random.pick([0, 0, 11]),
      );
      const map = new AlphaMap(pixels);
      assert.equal(map.pieces, regionsOf(pixels, (alpha) => alpha > 12).length, `seed ${seed}`);
      const holes = regionsOf(pixels, (alpha) => alpha < 12).filter(Boolean);
      assert.equal(map.countHoles().holes, holes.length, `seed ${seed}`);
    }
  });

  it('counts them in large images too, where they have some size', () => {
    const [width, height] = [1021, 517];
    const [columns, rows] = [10, 5];
    assert.equal(
      new AlphaMap(alphas(width, height, (x, y) => (isPiece(x, y) ? 255 : 0))).pieces,
      columns * rows,
    );
    const net = new AlphaMap(alphas(width, height, (x, y) => (isPiece(x, y) ? 0 : 255)));
    assert.deepEqual(net.countHoles(), { holes: columns * rows, inSolid: columns * rows });
  });

  it('tells holes in something solid from those of a net', () => {
    const hole = within(20, 15, 5);
    const inSolid = (isSolid: (x: number, y: number) => boolean): number => {
      const { holes, inSolid } = new AlphaMap(
        alphas(45, 38, (x, y) => (hole(x, y) ? 0 : isSolid(x, y) ? 250 : within(19, 14, 7)(x, y) ? 90 : 0)),
      ).countHoles();
      assert.equal(holes, 1);
      return inSolid;
    };
    assert.equal(
      inSolid(() => true),
      1,
    );
    assert.equal(inSolid(within(17, 12, 11)), 1);
    assert.equal(inSolid(within(18, 13, 9)), 0);
    assert.equal(inSolid(within(19, 14, 7)), 0);
    // Thin on one side, and on two.
    assert.equal(inSolid(within(17, 12, 9, 11)), 1);
    assert.equal(inSolid(within(19, 12, 9, 11)), 1);
    assert.equal(inSolid(within(17, 14, 11, 9)), 1);
    assert.equal(inSolid(within(17, 12, 11, 9)), 1);
    assert.equal(inSolid(within(17, 12, 8, 8)), 0);
    assert.equal(inSolid(within(20, 15, 8, 8)), 0);
    // Around holes in a row, others are no less solid than a net.
    const grid = alphas(45, 38, (x, y) => (x % 4 === 2 && y % 4 === 2 && x < 40 && y < 36 ? 0 : 255));
    const lace = alphas(45, 38, (x, y) => (x % 4 > 0 && y % 4 > 0 && x < 44 && y < 36 ? 0 : 255));
    assert.deepEqual(new AlphaMap(grid).countHoles(), { holes: 90, inSolid: 90 });
    assert.deepEqual(new AlphaMap(lace).countHoles(), { holes: 99, inSolid: 0 });
  });

  it('finds holes in something solid up to its edges', () => {
    for (const [left, top] of [
      [1, 1],
      [42, 35],
      [1, 35],
      [42, 1],
      [20, 1],
      [1, 20],
    ] as const) {
      const isHole = within(left, top, 2, 2);
      const { holes, inSolid } = new AlphaMap(
        alphas(45, 38, (x, y) => (isHole(x, y) ? 0 : 255)),
      ).countHoles();
      assert.deepEqual([holes, inSolid], [1, 1], `${left}, ${top}`);
    }
  });

  it('reads pixels that begin anywhere in a buffer', () => {
    const { rgba } = alphas(9, 7, (x) => (x === 4 ? 255 : 0));
    const buffer = new Uint8Array(rgba.length + 2);
    buffer.set(rgba, 2);
    const map = new AlphaMap({ width: 9, height: 7, rgba: buffer.subarray(2) });
    assert.deepEqual([map.pieces, Math.round(map.subject * 63)], [1, 7]);
  });
});
