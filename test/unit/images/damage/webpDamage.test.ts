import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findDamage } from '../../../../src/images/damage/findDamage.ts';
import {
  canvasData,
  losslessData,
  lossyData,
  riffChunk,
  webpFrame,
  webpOf,
} from '../../../support/images/webpFile.ts';

/** Kind, chunk and position of what is wrong with a file. */
async function found(bytes: Uint8Array): Promise<unknown[] | undefined> {
  const damage = await findDamage(bytes);
  return damage && [damage.what, damage.chunk, damage.offset];
}

/** What is found in a file of these chunks, with the number of the chunk for its position. */
async function foundIn(...chunks: readonly Buffer[]): Promise<unknown[] | undefined> {
  const damage = await findDamage(webpOf(...chunks));
  return damage && [damage.what, damage.chunk, offsetsOf(chunks).indexOf(damage.offset)];
}

/** Where chunks begin, and where the last one ends. */
function offsetsOf(chunks: readonly Buffer[]): number[] {
  return [0, ...chunks.keys()].map((_, count) =>
    chunks.slice(0, count).reduce((sum, { length }) => sum + length, 12),
  );
}

const [width, height] = [7, 5];
const animated = 0b10;
const canvas = (flags = 0): Buffer => riffChunk('VP8X', canvasData(width, height, flags));
const lossy = riffChunk('VP8 ', lossyData(width, height));
const lossless = riffChunk('VP8L', losslessData(width, height));
const alpha = riffChunk('ALPH', [1, 0]);
const animation = riffChunk('ANIM', 6);
const other = riffChunk('abcd', 3);
const place = { left: 0, top: 0, width, height };
const frame = webpFrame(place, lossless);

describe('in a WebP, findDamage', () => {
  it('takes the parts of a picture, a still one or one that moves, and what it does not know among them', async () => {
    for (const chunks of [
      [lossy],
      [lossless],
      [lossy, other],
      [canvas(), lossy],
      [canvas(), lossless],
      [canvas(0x10), alpha, lossy],
      [canvas(), other, alpha, other, lossy, other, other],
      [canvas(animated), animation, frame],
      [canvas(animated), other, animation, other, frame, other, frame, frame],
      [canvas(animated), animation, webpFrame(place, other, alpha, other, lossy, other), frame],
    ]) {
      assert.equal(await foundIn(...chunks), undefined);
    }
  });

  it('wants each part in its place', async () => {
    for (const [chunks, expected] of [
      [
        [other, lossy],
        ['order', 'abcd', 0],
      ],
      [
        [alpha, lossy],
        ['order', 'ALPH', 0],
      ],
      [
        [animation, lossy],
        ['order', 'ANIM', 0],
      ],
      [[frame], ['order', 'ANMF', 0]],
      [
        [lossy, canvas()],
        ['order', 'VP8X', 1],
      ],
      [
        [canvas(), canvas(), lossy],
        ['order', 'VP8X', 1],
      ],
      [
        [lossy, lossy],
        ['order', 'VP8 ', 1],
      ],
      [
        [lossless, lossy],
        ['order', 'VP8 ', 1],
      ],
      [
        [lossy, lossless],
        ['order', 'VP8L', 1],
      ],
      [
        [lossy, alpha],
        ['order', 'ALPH', 1],
      ],
      [
        [canvas(), lossy, alpha],
        ['order', 'ALPH', 2],
      ],
      [
        [canvas(), alpha, alpha, lossy],
        ['order', 'ALPH', 2],
      ],
      [
        [canvas(), alpha, lossy, lossy],
        ['order', 'VP8 ', 3],
      ],
      [
        [canvas(animated), animation, frame, lossy],
        ['order', 'VP8 ', 3],
      ],
      [
        [canvas(animated), alpha, animation, frame],
        ['order', 'ALPH', 1],
      ],
      [
        [canvas(), animation, frame, lossy],
        ['order', 'ANMF', 2],
      ],
      [
        [lossy, animation, frame],
        ['order', 'ANMF', 2],
      ],
      [
        [canvas(animated), frame],
        ['missing', 'ANIM', 1],
      ],
      [
        [canvas(animated), frame, animation],
        ['missing', 'ANIM', 1],
      ],
      [
        [canvas(animated), animation, other],
        ['missing', 'ANMF', 3],
      ],
      [
        [canvas(), other],
        ['missing', 'VP8', 2],
      ],
      [
        [canvas(), alpha],
        ['missing', 'VP8', 2],
      ],
      [[], ['missing', 'VP8', 0]],
    ] as const) {
      assert.deepEqual(await foundIn(...chunks), expected);
    }
  });

  it('names the chunk that a file breaks off in or behind, wherever that is', async () => {
    for (const chunks of [
      [canvas(), alpha, other, lossy, riffChunk('EXIF', 5)],
      [lossless],
      [canvas(animated), animation, frame, frame],
    ]) {
      const whole = webpOf(...chunks);
      const names = chunks.map((chunk) => chunk.toString('latin1', 0, 4));
      for (let length = 0; length < whole.length; length++) {
        const at = offsetsOf(chunks).findLastIndex((offset) => offset + 8 <= length);
        assert.deepEqual(
          await found(whole.subarray(0, length)),
          length < 12
            ? ['format', 'file', 0]
            : ['truncated', names[at] ?? 'RIFF', at < 0 ? 0 : offsetsOf(chunks)[at]],
          `${length} bytes`,
        );
      }
      for (const more of [1, 2, 100_000]) {
        const longer = Buffer.concat([whole, Buffer.alloc(more)]);
        assert.equal(await found(longer), undefined);
      }
    }
  });

  it('wants chunks that fill the file to its end', async () => {
    for (let length = 1; length < 8; length++) {
      assert.equal((await foundIn(lossy, Buffer.alloc(length)))?.[0], 'contents');
      assert.deepEqual((await foundIn(lossy, Buffer.alloc(length)))?.slice(1), ['RIFF', -1]);
    }
    for (const [states, isTaken] of [
      [0, false],
      [1, false],
      [2, false],
      [3, true],
      [4, true],
      [5, false],
      [6, false],
      [1000, false],
    ] as const) {
      const data = Buffer.from(riffChunk('abcd', 4));
      data.writeUInt32LE(states, 4);
      const damage = await foundIn(lossy, data);
      assert.equal(damage === undefined, isTaken, `${states}`);
      // One that is too short is followed by no chunk, one that is too long goes on behind the end.
      assert.deepEqual(damage?.slice(0, 2), isTaken ? undefined : ['contents', states < 3 ? 'RIFF' : 'abcd']);
    }
  });

  it('reads the head of the extended format to the bit', async () => {
    for (let flags = 0; flags < 256; flags++) {
      const isReserved = (flags & 0b1100_0001) !== 0;
      const isAnimated = (flags & animated) !== 0;
      assert.deepEqual(
        await foundIn(canvas(flags), ...(isAnimated ? [animation, frame] : [lossy])),
        isReserved ? ['contents', 'VP8X', 0] : undefined,
        flags.toString(2),
      );
    }
    for (const at of [1, 2, 3]) {
      const data = canvasData(width, height);
      data[at] = 1;
      assert.deepEqual(await foundIn(riffChunk('VP8X', data), lossy), ['contents', 'VP8X', 0]);
    }
    for (const length of [0, 4, 8, 9, 11, 12]) {
      const data = Buffer.concat([canvasData(width, height), Buffer.alloc(2)]).subarray(0, length);
      assert.deepEqual(await foundIn(riffChunk('VP8X', data), lossy), ['contents', 'VP8X', 0]);
    }
    for (const length of [0, 5, 7, 8]) {
      const damage = await foundIn(canvas(animated), riffChunk('ANIM', length), frame);
      assert.deepEqual(damage, ['contents', 'ANIM', 1]);
    }
  });

  it('wants pictures of the size of their canvas', async () => {
    for (const [across, down] of [
      [width, height],
      [width + 1, height],
      [width - 1, height],
      [width, height + 1],
      [height, width],
    ] as const) {
      for (const picture of [
        riffChunk('VP8 ', lossyData(across, down)),
        riffChunk('VP8L', losslessData(across, down)),
      ]) {
        const isRight = across === width && down === height;
        const name = picture.toString('latin1', 0, 4);
        assert.deepEqual(await foundIn(canvas(), picture), isRight ? undefined : ['contents', name, 1]);
        assert.equal(await foundIn(picture), undefined);
        const moving = await foundIn(canvas(animated), animation, webpFrame(place, picture));
        assert.deepEqual(moving?.slice(0, 2), isRight ? undefined : ['contents', name]);
      }
    }
  });

  it('reads the head of a lossy picture to the bit', async () => {
    for (let tag = 0; tag < 32; tag++) {
      // A picture that needs no other, of one of four versions, to be shown.
      const isPicture = (tag & 0b1_0000) !== 0 && (tag & 1) === 0 && (tag & 0b1110) >> 1 <= 3;
      assert.deepEqual(
        await foundIn(riffChunk('VP8 ', lossyData(width, height, { tag }))),
        isPicture ? undefined : ['contents', 'VP8 ', 0],
        tag.toString(2),
      );
    }
    for (const [length, firstPart, isTaken] of [
      [11, 1, true],
      [11, 0, false],
      [11, 2, false],
      [12, 2, true],
      [100, 90, true],
      [100, 91, false],
      [10, 0, false],
      [10, 1, false],
      [9, 1, false],
      [0, 1, false],
      [70_000, 69_990, true],
      [70_000, 69_991, false],
    ] as const) {
      const picture = riffChunk('VP8 ', lossyData(width, height, { length, firstPart }));
      const expected = isTaken ? undefined : ['contents', 'VP8 ', 0];
      assert.deepEqual(await foundIn(picture, other), expected, `${firstPart} of ${length}`);
    }
    for (const [across, down, isTaken] of [
      [1, 1, true],
      [0, 1, false],
      [1, 0, false],
      [0x3fff, 0x3fff, true],
      [0x4000, 1, false],
      [1, 0xc000, false],
    ] as const) {
      const picture = riffChunk('VP8 ', lossyData(across, down));
      assert.deepEqual(await foundIn(picture), isTaken ? undefined : ['contents', 'VP8 ', 0]);
    }
    for (const at of [3, 4, 5]) {
      const data = lossyData(width, height);
      data[at] = 0;
      assert.deepEqual(await foundIn(riffChunk('VP8 ', data)), ['contents', 'VP8 ', 0]);
    }
  });

  it('reads the head of a lossless picture to the bit', async () => {
    for (let version = 0; version < 8; version++) {
      for (const hasAlpha of [0, 1]) {
        assert.deepEqual(
          await foundIn(riffChunk('VP8L', losslessData(16_384, 16_384, { alpha: hasAlpha, version }))),
          version === 0 ? undefined : ['contents', 'VP8L', 0],
        );
      }
    }
    for (const length of [0, 1, 4, 5, 6]) {
      const picture = riffChunk('VP8L', losslessData(width, height, { length }));
      assert.deepEqual(await foundIn(picture, other), length === 6 ? undefined : ['contents', 'VP8L', 0]);
    }
    const data = losslessData(width, height);
    data[0] = 0x2e;
    assert.deepEqual(await foundIn(riffChunk('VP8L', data)), ['contents', 'VP8L', 0]);
  });

  it('wants transparency of a known kind, for every pixel where it is not compressed', async () => {
    for (let head = 0; head < 256; head++) {
      const [compression, preprocessing, reserved] = [head & 3, (head >> 4) & 3, head >> 6];
      const least = compression === 0 ? width * height : 1;
      for (const length of [0, 1, width * height - 1, width * height, 300]) {
        const isTaken = compression <= 1 && preprocessing <= 1 && reserved <= 1 && length >= least;
        const chunk = riffChunk('ALPH', [head, ...Buffer.alloc(length)]);
        assert.deepEqual(
          await foundIn(canvas(), chunk, lossy),
          isTaken ? undefined : ['contents', 'ALPH', 1],
          `${head.toString(2)} and ${length} bytes`,
        );
      }
    }
    assert.deepEqual(await foundIn(canvas(), riffChunk('ALPH'), lossy), ['contents', 'ALPH', 1]);
  });

  it('wants frames that lie within their canvas', async () => {
    for (const [left, top, across, down, isTaken] of [
      [0, 0, width, height, true],
      [2, 0, width - 2, height, true],
      [2, 0, width - 1, height, false],
      [0, 4, width, 1, true],
      [0, 4, width, 2, false],
      [6, 4, 1, 1, true],
      [8, 0, 1, 1, false],
      [0, 6, 1, 1, false],
      [0, 0, width + 1, 1, false],
      [0, 0, 1, height + 1, false],
      [0x1fffffe, 0, 1, 1, false],
      [0, 0x1fffffe, 1, 1, false],
    ] as const) {
      const picture = riffChunk('VP8L', losslessData(across, down));
      const part = webpFrame({ left, top, width: across, height: down }, picture);
      assert.deepEqual(
        await foundIn(canvas(animated), animation, part),
        isTaken ? undefined : ['contents', 'ANMF', 2],
        `${across} × ${down} at ${left}, ${top}`,
      );
    }
  });

  it('wants one picture in each frame, in chunks that do not go on behind it', async () => {
    const start = offsetsOf([canvas(), animation])[1] ?? 0;
    const at = start + animation.length;
    const inside = at + 24;
    for (const [chunks, expected] of [
      [[], ['missing', 'VP8', inside]],
      [[other], ['missing', 'VP8', inside + other.length]],
      [[alpha], ['missing', 'VP8', inside + alpha.length]],
      [
        [alpha, alpha, lossy],
        ['order', 'ALPH', inside + alpha.length],
      ],
      [
        [lossy, alpha],
        ['order', 'ALPH', inside + lossy.length],
      ],
      [
        [lossy, lossless],
        ['order', 'VP8L', inside + lossy.length],
      ],
      [[lossless, Buffer.alloc(7)], undefined],
      [
        [lossless, Buffer.from('abcd\x01\0\0\0', 'latin1')],
        ['contents', 'abcd', inside + lossless.length],
      ],
      [[lossless, Buffer.from('abcd\x01\0\0\0a\0', 'latin1')], undefined],
      [
        [lossless, Buffer.from('abcd\x04\0\0\0abc', 'latin1')],
        ['contents', 'abcd', inside + lossless.length],
      ],
    ] as const) {
      const file = webpOf(canvas(animated), animation, webpFrame(place, ...chunks), frame);
      assert.deepEqual(await found(file), expected);
    }
    for (const length of [0, 1, 15]) {
      const short = riffChunk('ANMF', frame.subarray(8, 8 + length));
      assert.deepEqual(await foundIn(canvas(animated), animation, short), ['contents', 'ANMF', 2]);
    }
    const empty = riffChunk('ANMF', frame.subarray(8, 24));
    assert.deepEqual(await found(webpOf(canvas(animated), animation, empty, frame)), [
      'missing',
      'VP8',
      inside,
    ]);
  });
});
