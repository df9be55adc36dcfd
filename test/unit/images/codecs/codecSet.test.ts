import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { decodeImage, encodeImage } from '../../../../src/images/codecs/codecSet.ts';
import { CodecError } from '../../../../src/images/codecs/pixels.ts';
import { readBySharp } from '../../../readers/images.ts';
import { paint } from '../../../support/images/pictures.ts';
import { pngChunk, pngFile } from '../../../support/images/pngFile.ts';
import { cmykJpeg, twelveBitJpeg } from '../../../support/images/specialFiles.ts';

const formats = ['png', 'jpeg', 'webp'] as const;

async function fileOf(format: (typeof formats)[number], width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .toFormat(format)
    .toBuffer();
}

const noise = paint(61, 47, (x, y) => [(x * x + y * 31) & 255, (x * y) & 255, (x * 77) & 255, 255]);

/** How far a file of it is from the noise. */
async function errorOf(file: Uint8Array): Promise<number> {
  const { rgba } = await readBySharp(file);
  return rgba.reduce((sum, level, at) => sum + (level - (noise.rgba[at] ?? 0)) ** 2, 0) / rgba.length;
}

async function assertRefused(work: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof CodecError, String(error));
    assert.match(error.message, message);
    return true;
  });
}

describe('a file', () => {
  it('is transparent where the bits of its depth say so, whatever the others are', async () => {
    for (const [colourType, bitDepth, transparent] of [
      [0, 1, [0x00, 0xfe]],
      [0, 4, [0x12, 0x30]],
      [0, 8, [0xff, 0x00]],
      [2, 8, [0x10, 0x00, 0x20, 0x00, 0xff, 0x00]],
    ] as const) {
      const lines = new Uint8Array(2 * (1 + Math.ceil((2 * bitDepth * (colourType === 2 ? 3 : 1)) / 8)));
      const png = pngFile({ width: 2, height: 2, bitDepth, colourType, lines });
      const chunk = pngChunk('tRNS', Uint8Array.from(transparent));
      const { rgba } = await decodeImage(Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]));
      assert.ok(
        rgba.every((level) => level === 0),
        `${colourType}, ${bitDepth} bits`,
      );
    }
  });

  it('is decoded after one that broke the decoder', async () => {
    const jpeg = await sharp(noise.rgba, { raw: { width: 61, height: 47, channels: 4 } })
      .jpeg()
      .toBuffer();
    const torn = Buffer.from(jpeg);
    torn.set([0xff, 0x13], jpeg.length >> 1);
    for (let run = 0; run < 3; run++) {
      await assertRefused(decodeImage(torn), /Corrupt JPEG data/u);
      assert.equal((await decodeImage(jpeg)).width, 61);
    }
  });

  it('that cannot be read is refused in words that say why', async (context) => {
    context.mock.method(console, 'error', () => {});
    await assertRefused(decodeImage(Buffer.from('<svg/>')), /isn't a PNG, JPEG, or WebP image/u);
    await assertRefused(decodeImage(await cmykJpeg(8, 8)), /the colors of printing \(CMYK\), which Limner/u);
    await assertRefused(
      decodeImage(twelveBitJpeg(await fileOf('jpeg', 8, 8))),
      /12 bits per channel, which/u,
    );
    for (const [format, start] of [
      ['png', 40],
      ['jpeg', (await fileOf('jpeg', 64, 64)).indexOf(Buffer.from([0xff, 0xc4])) + 4],
      ['webp', 30],
    ] as const) {
      const file = (await fileOf(format, 64, 64)).fill(0xff, start);
      await assertRefused(decodeImage(file), new RegExp(`${format} image is damaged`, 'u'));
    }
    for (const [width, height] of [
      [10_001, 10_000],
      [10_000, 10_001],
      [100_000_001, 1],
    ] as const) {
      await assertRefused(
        decodeImage(pngFile({ width, height, bitDepth: 8, colourType: 6, lines: [0] })),
        new RegExp(`${width} × ${height} pixels, more than 100 megapixels`, 'u'),
      );
    }
  });
});

describe('pixels', () => {
  it('are written as well as they are wanted, and very well where nobody said', async () => {
    for (const format of ['jpeg', 'webp'] as const) {
      const files = await Promise.all(
        [5, 30, 70, undefined, 95].map(async (quality) =>
          encodeImage(noise, quality === undefined ? { format } : { format, quality }),
        ),
      );
      const lengths = files.map(({ length }) => length);
      assert.deepEqual(
        lengths.toSorted((one, other) => one - other),
        lengths,
      );
      const errors = await Promise.all(files.map(errorOf));
      assert.deepEqual(
        errors.toSorted((one, other) => other - one),
        errors,
      );
    }
  });

  it('that lie among others are written alone', async () => {
    const around = new Uint8Array(noise.rgba.length + 9).fill(7);
    around.set(noise.rgba, 5);
    const among = { ...noise, rgba: around.subarray(5, 5 + noise.rgba.length) };
    for (const encoding of [
      { format: 'png' },
      { format: 'jpeg' },
      { format: 'webp' },
      { format: 'webp', lossless: true },
    ] as const) {
      assert.deepEqual(await encodeImage(among, encoding), await encodeImage(noise, encoding));
    }
  });
});
