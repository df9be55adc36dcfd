import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { findDamage } from '../../../../src/images/damage/findDamage.ts';
import { kinds, patched, type piecesOf, pngOf, rowsOf } from '../../../support/images/damagedFiles.ts';
import type { PngFile } from '../../../support/images/pngFile.ts';
import { Random } from '../../../support/random.ts';

type Pieces = ReturnType<typeof piecesOf>;

/** Kind, chunk and position of what is wrong with a file. */
async function found(bytes: Uint8Array): Promise<unknown[] | undefined> {
  const damage = await findDamage(bytes);
  return damage && [damage.what, damage.chunk, damage.offset];
}

/** What is found in a file of these chunks, with the number of the chunk for its position. */
async function foundIn(pieces: Pieces): Promise<unknown[] | undefined> {
  const damage = await findDamage(pngOf(pieces));
  return damage && [damage.what, damage.chunk, offsetsOf(pieces).indexOf(damage.offset)];
}

/** Where chunks begin, and where the last one ends. */
function offsetsOf(pieces: Pieces): number[] {
  return [0, ...pieces.keys()].map((_, count) =>
    pieces.slice(0, count).reduce((sum, { data }) => sum + data.length + 12, 8),
  );
}

const piece = (type: string, data: Uint8Array | readonly number[] | number = 0): Pieces[number] => ({
  type,
  data: typeof data === 'number' ? Buffer.alloc(data) : Buffer.from(data),
});

const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const end = piece('IEND');

/** The header of a picture with so many bits and of such a colour type. */
function header(
  bitDepth: number,
  colourType: number,
  width = 4,
  height = 4,
  rest = [0, 0, 0],
): Pieces[number] {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([bitDepth, colourType, ...rest], 8);
  return piece('IHDR', data);
}

/** The pixels of a picture of four by four. */
function pixels(bitDepth: number, colourType: PngFile['colourType']): Pieces[number] {
  const row = 1 + Math.ceil((4 * bitDepth * channels[colourType]) / 8);
  return piece('IDAT', deflateSync(Buffer.alloc(4 * row)));
}

const text = piece('tEXt', Buffer.from('a\0b'));
const rgb = [header(8, 2), pixels(8, 2), end] as const;
const indexed = { header: header(2, 3), pixels: pixels(2, 3) };

describe('in a PNG, findDamage', () => {
  it('names the chunk that a file breaks off in or behind, wherever that is', async () => {
    const pieces = [header(2, 3), text, piece('PLTE', 6), piece('tRNS', 1), indexed.pixels, end];
    const whole = pngOf(pieces);
    assert.equal(await found(whole), undefined);
    for (let length = 0; length < whole.length; length++) {
      const at = offsetsOf(pieces).findLastIndex((offset) => offset + 8 <= length);
      const chunk = pieces[at];
      assert.deepEqual(
        await found(whole.subarray(0, length)),
        length < 8
          ? ['format', 'file', 0]
          : ['truncated', chunk?.type ?? 'signature', chunk ? offsetsOf(pieces)[at] : 0],
        `${length} bytes`,
      );
    }
  });

  it('takes the names that a later version could give to chunks, and no others', async () => {
    for (const [name, isTaken] of [
      ['abCd', true],
      ['aZZz', true],
      ['zAAZ', true],
      ['abcd', false],
      ['ABCD', false],
      ['AbCd', false],
      ['ZzZz', false],
      ['a1Cd', false],
      ['1bCd', false],
      ['ab1d', false],
      ['abC1', false],
      ['ab[d', false],
      ['ab@d', false],
    ] as const) {
      const shown = /^\w+$/u.test(name) ? name : Buffer.from(name).toString('hex');
      const expected = isTaken ? undefined : ['unknown', shown, 1];
      assert.deepEqual(await foundIn([rgb[0], piece(name, 3), rgb[1], end]), expected, name);
    }
  });

  it('takes lengths of up to 2³¹ - 1', async () => {
    const whole = pngOf([...rgb]);
    const at = offsetsOf([...rgb])[1] ?? 0;
    assert.deepEqual(await found(patched(whole, at, 0x7f, 0xff, 0xff, 0xff)), ['truncated', 'IDAT', at]);
    assert.deepEqual(await found(patched(whole, at, 0x80, 0, 0, 0)), ['contents', 'IDAT', at]);
  });

  it('takes the headers of the standard', async () => {
    for (let bitDepth = 0; bitDepth <= 32; bitDepth++) {
      for (let colourType = 0; colourType <= 7; colourType++) {
        const isKind = kinds.some((kind) => kind.bitDepth === bitDepth && kind.colourType === colourType);
        const damage = await foundIn([header(bitDepth, colourType), piece('PLTE', 3), pixels(1, 3), end]);
        const isRefused = damage?.[0] === 'contents' && damage[1] === 'IHDR';
        assert.equal(isRefused, !isKind, `${bitDepth} bits, colour type ${colourType}`);
      }
    }
    const longest = 2 ** 31 - 1;
    for (const [width, height, isValid] of [
      [longest, 1, true],
      [1, longest, true],
      [longest + 1, 1, false],
      [1, longest + 1, false],
      [2 ** 32 - 1, 2 ** 32 - 1, false],
      [0, 4, false],
      [4, 0, false],
      [0, 0, false],
    ] as const) {
      assert.deepEqual(
        // That many pixels are not read.
        await foundIn([header(8, 2, width, height), piece('IDAT', width + height > 99 ? [1] : []), end]),
        isValid ? undefined : ['contents', 'IHDR', 0],
        `${width} × ${height}`,
      );
    }
    for (let method = 0; method <= 255; method += 1 + Math.floor(method / 4)) {
      for (const rest of [
        [method, 0, 0],
        [0, method, 0],
        [0, 0, method],
      ]) {
        const isKnown = method === 0 || (method === 1 && rest[2] === 1);
        const damage = await foundIn([header(8, 2, 4, 4, rest), rgb[1], end]);
        assert.equal(damage?.[1] === 'IHDR', !isKnown, rest.join());
      }
    }
    for (const length of [0, 1, 12, 14, 200]) {
      const data = Buffer.concat([rgb[0].data, Buffer.alloc(200)]).subarray(0, length);
      assert.deepEqual(await foundIn([piece('IHDR', data), rgb[1], end]), ['contents', 'IHDR', 0]);
    }
  });

  it('takes palettes with as many colours as the pixels can name', async () => {
    for (const { bitDepth, colourType } of kinds) {
      const most = colourType === 3 ? 2 ** bitDepth : 256;
      const lengths = new Set([
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        3 * most - 1,
        3 * most,
        3 * most + 1,
        3 * most + 3,
        771,
        1023,
      ]);
      for (const length of lengths) {
        const isValid =
          colourType !== 0 && colourType !== 4 && length > 0 && length % 3 === 0 && length / 3 <= most;
        assert.deepEqual(
          await foundIn([
            header(bitDepth, colourType),
            piece('PLTE', length),
            pixels(bitDepth, colourType),
            end,
          ]),
          isValid ? undefined : ['contents', 'PLTE', 1],
          `${length} bytes, ${bitDepth} bits, colour type ${colourType}`,
        );
      }
    }
  });

  it('takes transparency of the length that its colour type has', async () => {
    for (const { bitDepth, colourType } of kinds) {
      for (const length of [0, 1, 2, 3, 4, 5, 6, 7, 8]) {
        // A palette has two colours here.
        const isValid = { 0: [2], 2: [6], 3: [1, 2], 4: [], 6: [] }[colourType].some(
          (valid) => valid === length,
        );
        const pieces = [
          header(bitDepth, colourType),
          ...(colourType === 3 ? [piece('PLTE', 6)] : []),
          piece('tRNS', length),
          pixels(bitDepth, colourType),
          end,
        ];
        assert.deepEqual(
          await foundIn(pieces),
          isValid ? undefined : ['contents', 'tRNS', pieces.length - 3],
          `${length} bytes, ${bitDepth} bits, colour type ${colourType}`,
        );
      }
    }
  });

  it('wants each chunk in its place', async () => {
    const [palette, transparency] = [piece('PLTE', 6), piece('tRNS', 2)];
    const [head, data] = [rgb[0], rgb[1]];
    const trns = piece('tRNS', 6);
    for (const [pieces, expected] of [
      [[indexed.header, palette, transparency, indexed.pixels, end], undefined],
      [[head, palette, trns, data, end], undefined],
      [[head, trns, data, end], undefined],
      [[head, text, data, text, end], undefined],
      [
        [data, end],
        ['order', 'IDAT', 0],
      ],
      [
        [text, head, data, end],
        ['order', 'tEXt', 0],
      ],
      [
        [head, head, data, end],
        ['order', 'IHDR', 1],
      ],
      [
        [head, data, head, end],
        ['order', 'IHDR', 2],
      ],
      [
        [head, end],
        ['missing', 'IDAT', 1],
      ],
      [
        [indexed.header, indexed.pixels, end],
        ['missing', 'PLTE', 1],
      ],
      [
        [indexed.header, transparency, palette, indexed.pixels, end],
        ['order', 'tRNS', 1],
      ],
      [
        [indexed.header, palette, transparency, transparency, indexed.pixels, end],
        ['order', 'tRNS', 3],
      ],
      [
        [indexed.header, palette, indexed.pixels, transparency, end],
        ['order', 'tRNS', 3],
      ],
      [
        [indexed.header, palette, palette, indexed.pixels, end],
        ['order', 'PLTE', 2],
      ],
      [
        [head, trns, palette, data, end],
        ['order', 'PLTE', 2],
      ],
      [
        [head, data, palette, end],
        ['order', 'PLTE', 2],
      ],
      [
        [head, data, trns, end],
        ['order', 'tRNS', 2],
      ],
      [
        [head, data, text, data, end],
        ['order', 'IDAT', 3],
      ],
      [
        [head, data, piece('IEND', 1)],
        ['contents', 'IEND', 2],
      ],
      [[head, data, end, end], undefined],
      [
        [head, data],
        ['truncated', 'IDAT', 1],
      ],
      [[], ['truncated', 'signature', -1]],
    ] as const) {
      assert.deepEqual(await foundIn([...pieces]), expected, pieces.map(({ type }) => type).join());
    }
  });

  it('wants as many bytes of pixels as the size asks for, and filters that there are', async () => {
    const random = new Random(5);
    for (let run = 0; run < 80; run++) {
      const { bitDepth, colourType } = random.pick(kinds);
      const [width, height] = [1 + random.below(21), 1 + random.below(21)];
      const isInterlaced = random.below(2) === 1;
      const rows = rowsOf(width, height, bitDepth * channels[colourType], isInterlaced);
      const starts = rows.map((_, index) => rows.slice(0, index).reduce((sum, length) => sum + length, 0));
      const lines = Buffer.from(
        Array.from({ length: rows.reduce((sum, length) => sum + length, 0) }, () => random.below(256)),
      );
      for (const start of starts) {
        lines[start] = random.below(5);
      }
      const what = async (data: Buffer): Promise<unknown> => {
        const compressed = deflateSync(data);
        const cuts = [random.below(compressed.length), random.below(compressed.length)].toSorted(
          (a, b) => a - b,
        );
        const damage = await foundIn([
          header(bitDepth, colourType, width, height, [0, 0, Number(isInterlaced)]),
          ...(colourType === 3 ? [piece('PLTE', 3)] : [text]),
          piece('IDAT', compressed.subarray(0, cuts[0])),
          piece('IDAT', compressed.subarray(cuts[0], cuts[1])),
          piece('IDAT', compressed.subarray(cuts[1])),
          end,
        ]);
        assert.ok(damage === undefined || (damage[1] === 'IDAT' && damage[2] === 2));
        return damage?.[0];
      };
      const shape = `${width} × ${height}, ${bitDepth} bits, colour type ${colourType}, ${isInterlaced}`;
      assert.equal(await what(lines), undefined, shape);
      assert.equal(await what(lines.subarray(0, -1)), 'tooFewPixels', shape);
      assert.equal(await what(lines.subarray(0, starts.at(-1))), 'tooFewPixels', shape);
      assert.equal(await what(Buffer.concat([lines, Buffer.of(0)])), 'tooManyPixels', shape);
      assert.equal(await what(patched(lines, random.pick(starts), 5 + random.below(251))), 'pixels', shape);
    }
  });

  it('walks through rows of many bytes and through many rows', async () => {
    // Decompressed pixels come in pieces of some powers of two, which rows are to begin and end in, and at.
    for (const [width, height] of [
      [2 ** 17 - 1, 3],
      [2 ** 16 - 1, 5],
      [200_000, 3],
      [3, 100_000],
    ] as const) {
      const lines = Buffer.alloc((width + 1) * height);
      const what = async (data: Uint8Array): Promise<unknown> =>
        (
          await foundIn([header(8, 0, width, height), piece('IDAT', deflateSync(data, { level: 1 })), end])
        )?.[0];
      assert.equal(await what(lines), undefined);
      assert.equal(await what(lines.subarray(1)), 'tooFewPixels');
      assert.equal(await what(Buffer.concat([lines, Buffer.of(0)])), 'tooManyPixels');
      assert.equal(await what(patched(lines, (width + 1) * (height - 1), 5)), 'pixels');
      assert.equal(await what(patched(lines, (width + 1) * (height - 1) - 1, 5)), undefined);
    }
  });

  it('finds what is wrong with the chunks before what is wrong with the pixels', async () => {
    const [head] = rgb;
    // Too few, too many, not compressed, of a wrong filter, cut off: with more behind them, a lot or nothing.
    for (const [data, what] of [
      [deflateSync(Buffer.alloc(51)), 'tooFewPixels'],
      [deflateSync(Buffer.alloc(53)), 'tooManyPixels'],
      [deflateSync(Buffer.alloc(52, 5)), 'pixels'],
      [Buffer.from('no pixels'), 'pixels'],
      [rgb[1].data.subarray(0, -1), 'tooFewPixels'],
      [patched(rgb[1].data, rgb[1].data.length - 1, 7), 'pixels'],
      [Buffer.alloc(0), 'tooFewPixels'],
    ] as const) {
      const first = piece('IDAT', data);
      assert.deepEqual(await foundIn([head, first, end]), [what, 'IDAT', 1]);
      assert.deepEqual(await foundIn([head, first, end, text]), [what, 'IDAT', 1]);
      assert.deepEqual(await foundIn([head, first, piece('ABCD'), end]), ['unknown', 'ABCD', 2]);
      assert.deepEqual(await foundIn([head, first]), ['truncated', 'IDAT', 1]);
      const wrong = pngOf([head, first, end]);
      assert.deepEqual(await found(patched(wrong, wrong.length - 1, 1)), [
        'checksum',
        'IEND',
        wrong.length - 12,
      ]);
      const more = [head, first, piece('IDAT', 200_000), piece('IDAT', 3), end];
      assert.equal((await foundIn(more))?.[2], 1);
    }
  });

  it('wants nothing behind the pixels among the compressed ones', async () => {
    const [head, { data }] = rgb;
    for (const length of [1, 2, 300, 200_000]) {
      const expected = ['tooManyPixels', 'IDAT', 1];
      const extra = Buffer.alloc(length);
      assert.deepEqual(await foundIn([head, piece('IDAT', Buffer.concat([data, extra])), end]), expected);
      assert.deepEqual(await foundIn([head, rgb[1], piece('IDAT', extra), end]), expected);
      assert.deepEqual(await foundIn([head, rgb[1], piece('IDAT'), piece('IDAT', extra), end]), expected);
    }
    assert.equal(await foundIn([head, piece('IDAT'), rgb[1], piece('IDAT'), piece('IDAT'), end]), undefined);
  });
});
