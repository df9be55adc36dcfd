import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCheckerboard, pixelsOfBoard } from '../../../../../src/images/codecs/matte/matte.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { paint } from '../../../../support/images/pictures.ts';
import { Random } from '../../../../support/random.ts';

interface BoardLook {
  size: readonly [number, number];
  square: number;
  greys: readonly [number, number];
  /** Where the first square begins. */
  start?: readonly [number, number];
  /** What is painted on the board. */
  subject?: (x: number, y: number) => readonly [number, number, number] | undefined;
  /** By how much each channel of a pixel may be off. */
  noise?: number;
  tint?: readonly [number, number, number];
  alpha?: number;
}

function drawn({
  size: [width, height],
  square,
  greys,
  start = [0, 0],
  subject = () => undefined,
  noise = 0,
  tint = [0, 0, 0],
  alpha = 255,
}: BoardLook): Pixels {
  const random = new Random(square);
  const off = (): number => (noise === 0 ? 0 : random.below(2 * noise + 1) - noise);
  return paint(width, height, (x, y) => {
    const parity = Math.floor((x + start[0]) / square) + Math.floor((y + start[1]) / square);
    const grey = greys[parity & 1] ?? 0;
    const [red, green, blue] = subject(x, y) ?? [grey + tint[0], grey + tint[1], grey + tint[2]];
    return [red + off(), green + off(), blue + off(), alpha];
  });
}

const ordinary: BoardLook = { size: [240, 170], square: 9, greys: [190, 250], start: [4, 7] };

/** A disc in the middle. */
const disc =
  (radius: number): NonNullable<BoardLook['subject']> =>
  (x, y) =>
    Math.hypot(x - 120, y - 85) < radius ? [180, 40, 60] : undefined;

// A subject over the upper part, to the sides.
const covering = (share: number): Pixels =>
  drawn({ ...ordinary, subject: (_, y) => (y < share * 170 ? [20, 90, 60] : undefined) });

const at = (pixel: number): [number, number] => [pixel % 240, Math.floor(pixel / 240)];

const small: BoardLook = { size: [101, 67], square: 7, greys: [120, 180], start: [3, 5] };

/** A board of which some squares of either grey have a strong colour instead. */
function coloured(shares: readonly [number, number]): Pixels {
  const random = new Random(12);
  const dice = Array.from({ length: 200 }, () => random.below(1000) / 1000);
  return paint(101, 67, (x, y) => {
    const [column, row] = [Math.floor(x / 7), Math.floor(y / 7)];
    const parity = (column + row) & 1;
    const grey = parity === 0 ? 120 : 180;
    return (dice[column + 15 * row] ?? 0) < (shares[parity] ?? 0)
      ? [200, 30, 40, 255]
      : [grey, grey, grey, 255];
  });
}

describe('a painted checkerboard', () => {
  it('is found with the side of its squares and its greys, whatever they are', () => {
    for (const [index, square] of [3, 5, 8, 11, 20].entries()) {
      const greys = (
        [
          [204, 255],
          [153, 102],
          [0, 140],
          [90, 99],
          [250, 240],
        ] as const
      )[index % 5] ?? [0, 0];
      const size = index % 2 === 0 ? ([240, 170] as const) : ([170, 200] as const);
      const start = [index % square, (2 * index) % square] as const;
      assert.deepEqual(findCheckerboard(drawn({ size, square, greys, start })), {
        square,
        greys: [Math.min(...greys), Math.max(...greys)],
      });
    }
  });

  it('is found behind a subject, through noise, and where a channel is a little off', () => {
    for (const look of [
      { subject: disc(70) },
      { noise: 6 },
      { subject: disc(80), noise: 3, tint: [4, 0, -6] as const },
      // The subject covers a side, or reaches into it from below.
      { subject: (x: number) => (x < 40 ? ([20, 90, 60] as const) : undefined) },
      { subject: (x: number, y: number) => (y > 70 && x > 60 ? ([20, 90, 60] as const) : undefined) },
    ]) {
      const found = findCheckerboard(drawn({ ...ordinary, ...look }));
      assert.equal(found?.square, 9, JSON.stringify(look));
      for (const [index, grey] of (found?.greys ?? []).entries()) {
        assert.ok(Math.abs(grey - (ordinary.greys[index] ?? 0)) <= 5, String(found?.greys));
      }
    }
  });

  it('is none where it has colours, or shows through', () => {
    for (const look of [
      { tint: [40, 0, 0] },
      { tint: [0, 40, 0] },
      { tint: [0, 0, 40] },
      { tint: [-40, 0, 0] },
      { alpha: 200 },
    ] as const) {
      assert.equal(findCheckerboard(drawn({ ...ordinary, greys: [120, 180], ...look })), undefined);
    }
    assert.ok(findCheckerboard(drawn({ ...ordinary, greys: [120, 180], alpha: 251 })));
  });

  it('has greys that differ a little, and is no chessboard', () => {
    for (const [greys, isFound] of [
      [[200, 203], false],
      [[200, 212], true],
      [[60, 200], true],
      [[20, 220], false],
    ] as const) {
      assert.equal(findCheckerboard(drawn({ ...ordinary, greys })) !== undefined, isFound, greys.join());
    }
  });

  it('has squares of which some are seen on each side', () => {
    for (const [square, isFound] of [
      [3, true],
      [21, true],
      [40, false],
      [80, false],
    ] as const) {
      const found = findCheckerboard(drawn({ ...ordinary, square, start: [1, 1] }));
      assert.equal(found?.square, isFound ? square : undefined, String(square));
    }
    // By the shorter side, however long the other one is.
    for (const size of [
      [400, 90],
      [90, 400],
    ] as const) {
      assert.equal(findCheckerboard(drawn({ ...ordinary, size, square: 24 })), undefined);
      assert.equal(findCheckerboard(drawn({ ...ordinary, size, square: 11 }))?.square, 11);
    }
  });

  it('has to fill enough of the border', () => {
    assert.equal(findCheckerboard(covering(0.3))?.square, 9);
    assert.equal(findCheckerboard(covering(0.9)), undefined);
    // Mostly of one grey.
    const sparse = paint(240, 170, (x, y) => {
      const grey = x % 24 < 6 && y % 24 < 6 ? 190 : 250;
      return [grey, grey, grey, 255];
    });
    assert.equal(findCheckerboard(sparse), undefined);
  });

  it('is none where only a part of what makes one is there', () => {
    const greyAt: Record<string, (x: number, y: number) => number> = {
      'stripes across': (_, y) => Math.floor(y / 9) & 1,
      'stripes down': (x) => Math.floor(x / 9) & 1,
      'diagonal stripes': (x, y) => Math.floor((x + y) / 9) & 1,
      'diagonal stripes the other way': (x, y) => Math.floor((x + 500 - y) / 9) & 1,
      'one step': (x) => Number(x > 120),
      'four parts': (x, y) => Number(x > 120) ^ Number(y > 85),
      'squares that grow': (x, y) => (Math.floor(Math.sqrt(x * 40)) + Math.floor(Math.sqrt(y * 40))) & 1,
    };
    for (const [name, parity] of Object.entries(greyAt)) {
      const picture = paint(240, 170, (x, y) => {
        const grey = parity(x, y) === 1 ? 250 : 190;
        return [grey, grey, grey, 255];
      });
      if (name !== 'squares that grow') {
        assert.equal(findCheckerboard(picture), undefined, name);
      }
    }
    const random = new Random(3);
    const dice = Array.from({ length: 600 }, () => random.below(2));
    const mixed = paint(240, 170, (x, y) => {
      const grey = dice[Math.floor(x / 9) + 27 * Math.floor(y / 9)] === 1 ? 250 : 190;
      return [grey, grey, grey, 255];
    });
    assert.equal(findCheckerboard(mixed), undefined);
  });

  it('is found in images of any size', () => {
    for (const [size, square] of [
      [[60, 45], 5],
      [[45, 61], 4],
      [[801, 500], 31],
      [[440, 800], 54],
    ] as const) {
      assert.deepEqual(findCheckerboard(drawn({ size, square, greys: [204, 255], start: [2, 1] })), {
        square,
        greys: [204, 255],
      });
    }
    for (const [width, height] of [
      [1, 1],
      [9, 1],
      [1, 9],
      [20, 3],
    ] as const) {
      assert.equal(findCheckerboard(drawn({ ...ordinary, size: [width, height], square: 3 })), undefined);
    }
  });

  it('has the pixels along the border that are of its greys, from all four sides', () => {
    const board = drawn({ ...ordinary, subject: (x, y) => (x > 100 && y > 60 ? [250, 190, 60] : undefined) });
    const greys = [190, 250] as const;
    const found = new Set(pixelsOfBoard(board, { square: 9, greys }));
    assert.ok([...found].every((pixel) => at(pixel)[0] <= 100 || at(pixel)[1] <= 60));
    // No farther from the border than a seventh, and all of what is nearer.
    const depth = [...found].map((pixel) => {
      const [x, y] = at(pixel);
      return Math.min(x, y, 239 - x, 169 - y);
    });
    const deepest = Math.max(...depth);
    assert.ok(deepest > 18 && deepest < 30, String(deepest));
    let missing = 0;
    for (let pixel = 0; pixel < 240 * 170; pixel++) {
      const [x, y] = at(pixel);
      missing += Number(
        (x <= 100 || y <= 60) && Math.min(x, y, 239 - x, 169 - y) <= deepest && !found.has(pixel),
      );
    }
    assert.equal(missing, 0);
    const other = pixelsOfBoard(board, { square: 9, greys: [190, 220] });
    assert.ok(other.length > 0 && other.every((pixel) => board.rgba[pixel * 4] === 190));
    for (const off of [3, 8]) {
      const { length } = pixelsOfBoard(board, { square: 9, greys: [190 + off, 20] });
      assert.equal(length, off === 3 ? other.length : 0);
    }
  });

  it('has some of the pixels along the border in large images, from everywhere', () => {
    const board = drawn({ size: [900, 700], square: 20, greys: [204, 255] });
    const found = pixelsOfBoard(board, { square: 20, greys: [204, 255] });
    assert.ok(found.length > 5000 && found.length < 30_000, String(found.length));
    assert.equal(new Set(found).size, found.length);
    const parts = new Set(found.map((pixel) => `${(pixel % 900) % 20},${Math.floor(pixel / 900) % 20}`));
    assert.equal(parts.size, 400);
    const corners = found.map((pixel) => Number(pixel % 900 > 450) + 2 * Number(pixel > 450 * 700));
    for (let corner = 0; corner < 4; corner++) {
      const share = corners.filter((one) => one === corner).length / found.length;
      assert.ok(share > 0.2 && share < 0.3, String(share));
    }
  });

  it('is found beside a subject of another grey, which is none of its squares', () => {
    for (const isLight of [true, false]) {
      const look = (x: number, y: number): readonly [number, number, number] => {
        const depth = (x * 37 + y * 91) % 50;
        const level = isLight ? 255 - depth : depth;
        return [level, level, level];
      };
      for (const isSubject of [(_: number, y: number) => y < 33, (x: number) => x > 56]) {
        const subject = (x: number, y: number) => (isSubject(x, y) ? look(x, y) : undefined);
        assert.equal(findCheckerboard(drawn({ ...small, subject }))?.square, 7, isLight ? 'light' : 'dark');
      }
    }
  });

  it('is found where some squares have the wrong grey, and beside a subject with finer ones', () => {
    for (const square of [7, 8, 22]) {
      const random = new Random(8);
      const isWrong = Array.from({ length: 2000 }, () => random.below(100) < 14);
      const wrong = paint(240, 170, (x, y) => {
        const [column, row] = [Math.floor(x / square), Math.floor(y / square)];
        const grey = (column + row + Number(isWrong[column + 35 * row])) & 1 ? 120 : 180;
        return [grey, grey, grey, 255];
      });
      assert.equal(findCheckerboard(wrong)?.square, square);
    }
    const finer = drawn({
      ...small,
      size: [151, 91],
      square: 9,
      subject: (x, y) => {
        const level = (Math.floor(x / 3) + Math.floor(y / 3)) & 1 ? 120 : 180;
        return x > 95 ? [level, level, level] : undefined;
      },
    });
    assert.equal(findCheckerboard(finer)?.square, 9);
  });

  it('is found behind a coloured subject where its dark squares are black', () => {
    for (const isSubject of [(x: number) => x < 100, (_: number, y: number) => y > 100]) {
      const subject = (x: number, y: number) => (isSubject(x, y) ? ([200, 40, 60] as const) : undefined);
      assert.equal(findCheckerboard(drawn({ ...ordinary, greys: [0, 140], subject }))?.square, 9);
    }
  });

  it('is found beside a surface that has the very grey of its squares', () => {
    for (const level of [190, 250]) {
      for (const isSurface of [(x: number) => x < 66, (_: number, y: number) => y > 130]) {
        const subject = (x: number, y: number) =>
          isSurface(x, y) ? ([level, level, level] as const) : undefined;
        assert.equal(findCheckerboard(drawn({ ...ordinary, subject }))?.square, 9, String(level));
      }
    }
  });

  it('is none where squares do not go on as they began, or most of them are stripes', () => {
    const parities: Record<string, (column: number, row: number) => number> = {
      'strips of columns that begin with either grey': (column, row) => column + row + ((column + 1) >> 2),
      'strips of rows that begin with either grey': (column, row) => column + row + ((row + 1) >> 2),
      'stripes to the left and to the right, and a board in between': (column, row) =>
        column < 8 ? column : column > 17 ? row : column + row,
    };
    for (const [name, parity] of Object.entries(parities)) {
      const picture = paint(240, 170, (x, y) => {
        const grey = parity(Math.floor(x / 9), Math.floor(y / 9)) & 1 ? 250 : 190;
        return [grey, grey, grey, 255];
      });
      assert.equal(findCheckerboard(picture), undefined, name);
    }
  });

  it('is found in narrow images, whose rows say nothing about the next ones', () => {
    for (let width = 39; width < 49; width++) {
      const look = { ...small, square: 5, start: [width % 3, 1] } as const;
      assert.equal(findCheckerboard(drawn({ ...look, size: [width, 120] }))?.square, 5, `${width} wide`);
      assert.equal(findCheckerboard(drawn({ ...look, size: [120, width] }))?.square, 5, `${width} high`);
      const random = new Random(width);
      const isWrong = Array.from({ length: 1000 }, () => random.below(100) < 14);
      const wrong = paint(width, 400, (x, y) => {
        const [column, row] = [Math.floor(x / 5), Math.floor(y / 5)];
        const grey = (column + row + Number(isWrong[column + 10 * row])) & 1 ? 120 : 180;
        return [grey, grey, grey, 255];
      });
      assert.equal(findCheckerboard(wrong)?.square, 5, `${width} wide, with wrong squares`);
    }
  });

  it('is none where a third of the border shows it, or where hardly any squares of one grey are left', () => {
    assert.equal(findCheckerboard(coloured([0.4, 0.4]))?.square, 7);
    assert.equal(findCheckerboard(coloured([0.67, 0.67])), undefined);
    for (const [share, isFound] of [
      [0.55, true],
      [0.64, false],
    ] as const) {
      const random = new Random(31);
      const subject = () => (random.below(1000) < 1000 * share ? ([200, 30, 40] as const) : undefined);
      assert.equal(findCheckerboard(drawn({ ...ordinary, subject })) !== undefined, isFound, String(share));
    }
    // A tablecloth, of whose greys one is rare.
    assert.equal(findCheckerboard(coloured([0.87, 0])), undefined);
    assert.equal(findCheckerboard(coloured([0, 0.87])), undefined);
  });

  it('has the greys that most of its pixels have, or the middle of those', () => {
    for (const [offsets, middle] of [
      [[0, 0, 0, 1, 1], 0],
      [[-1, -1, 0, 0, 0], 0],
      [[-3, -2, -1, -1, -1, 0, 1, 2, 3], 0],
      [[-3, -2, -2, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3], 0],
    ] as const) {
      const random = new Random(4);
      const board = paint(101, 67, (x, y) => {
        const grey = ((Math.floor(x / 7) + Math.floor(y / 7)) & 1 ? 120 : 180) + random.pick(offsets);
        return [grey, grey, grey, 255];
      });
      assert.deepEqual(findCheckerboard(board)?.greys, [120 + middle, 180 + middle], offsets.join());
    }
    // A tinge belongs to the level that it is nearest to.
    assert.deepEqual(findCheckerboard(drawn({ ...small, tint: [0, 1, 1] }))?.greys, [121, 181]);
    assert.deepEqual(findCheckerboard(drawn({ ...small, tint: [1, 0, 0] }))?.greys, [120, 180]);
  });

  it('has each pixel of a frame along the border of small images, just once', () => {
    const random = new Random(11);
    for (let turn = 0; turn < 24; turn++) {
      const [width, height] = [5 + random.below(60), 5 + random.below(60)];
      const greys = random.pick([
        [0, 140],
        [9, 255],
      ] as const);
      const [left, top] = [random.below(width), random.below(height)];
      const kind = random.pick(['coloured', 'clear'] as const);
      const isOther = (x: number, y: number): boolean => x >= left && y >= top;
      const picture = paint(width, height, (x, y) => {
        const grey = greys[(x + y) & 1] ?? 0;
        return isOther(x, y) && kind === 'coloured'
          ? [255, 0, 0, 255]
          : [grey, grey, grey, isOther(x, y) ? 0 : 255];
      });
      const found = pixelsOfBoard(picture, { square: 3, greys });
      const border = (pixel: number): number => {
        const [x, y] = [pixel % width, Math.floor(pixel / width)];
        return Math.min(x, y, width - 1 - x, height - 1 - y);
      };
      const deepest = Math.max(1, ...found.map(border));
      const expected = Array.from({ length: width * height }, (_, pixel) => pixel).filter(
        (pixel) => border(pixel) <= deepest && !isOther(pixel % width, Math.floor(pixel / width)),
      );
      assert.deepEqual(found, expected, `${width} x ${height}, ${kind} from ${left}, ${top}`);
      assert.ok(deepest < Math.max(2, Math.min(width, height) / 6), String(deepest));
    }
  });
});
