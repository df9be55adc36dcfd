import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasPngColours } from '../../../../src/images/formats/pngColours.ts';
import { pngChunk, pngFile } from '../../../support/images/pngFile.ts';

const plain = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 2, lines: [0, 1, 2, 3] });

function having(...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([plain.subarray(0, 33), ...chunks, plain.subarray(33)]);
}

function whole(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) {
    bytes.writeUInt32BE(number, index * 4);
  }
  return bytes;
}

const gamma = (value: number): Buffer => pngChunk('gAMA', whole(value));
const primaries = (...values: readonly number[]): Buffer => pngChunk('cHRM', whole(...values));
const code = (...values: readonly number[]): Buffer => pngChunk('cICP', Buffer.from(values));
const displayP3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000];
const ordinary = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000];
const profile = pngChunk('iCCP', Buffer.from('ICC\0\0'));

describe('hasPngColours', () => {
  for (const [what, file, expected] of [
    ['nothing', plain, false],
    ['no PNG', Buffer.from('gAMA'), false],
    ['the gamma of sRGB', having(gamma(45_455)), false],
    ['another gamma', having(gamma(100_000)), true],
    ['the primaries of sRGB', having(gamma(45_455), primaries(...ordinary)), false],
    ['other primaries', having(gamma(45_455), primaries(...displayP3)), true],
    [
      'sRGB itself, which a gamma beside it does not change',
      having(pngChunk('sRGB', Buffer.of(0)), gamma(1)),
      false,
    ],
    ['a profile, which other formats can hold, too', having(profile, gamma(1)), false],
    ['the code of sRGB', having(code(1, 13, 0, 1)), false],
    ['another code', having(code(9, 16, 0, 1)), true],
    ['the code of sRGB, which another gamma does not change', having(code(1, 13, 0, 1), gamma(1)), false],
    ['another code beside a profile', having(code(12, 13, 0, 1), profile), true],
  ] as const) {
    it(`is ${expected} for ${what}`, async () => {
      assert.equal(await hasPngColours(file), expected);
    });
  }
});
