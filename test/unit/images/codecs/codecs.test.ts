import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { markAsUntransferable } from 'node:worker_threads';
import sharp from 'sharp';
import { CodecError, Codecs, type Pixels } from '../../../../src/images/finish/codecs.ts';
import { sniffImage } from '../../../../src/images/formats/sniff.ts';
import { paint, pictureOf } from '../../../support/images/pictures.ts';
import { pngChunk, pngFile } from '../../../support/images/pngFile.ts';
import { decodeImage, encodeImage } from '../../../../src/images/codecs/codecSet.ts';
import { readBySharp } from '../../../readers/images.ts';
import { cmykJpeg, twelveBitJpeg } from '../../../support/images/specialFiles.ts';

describe('codecs', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  it('writes the format that it was asked for', async () => {
    for (const [encoding, mediaType] of [
      [{ format: 'png' }, 'image/png'],
      [{ format: 'jpeg' }, 'image/jpeg'],
      [{ format: 'webp' }, 'image/webp'],
    ] as const) {
      assert.equal(sniffImage(await codecs.encode(testPixels(8, 8), encoding))?.mediaType, mediaType);
    }
  });

  it('reads a PNG with palette, partly transparent, of two bits a pixel', async () => {
    const bytes = pngFile({
      width: 4,
      height: 1,
      bitDepth: 2,
      colourType: 3,
      palette: [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 8, 7],
      transparency: [255, 128, 0],
      lines: [0, 0b00_01_10_11],
    });
    const { rgba } = await codecs.decode(bytes);
    assert.deepEqual([...rgba], [255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 0, 9, 8, 7, 255]);
  });

  it('reads a grey PNG of one bit a pixel', async () => {
    const bytes = pngFile({ width: 2, height: 1, bitDepth: 1, colourType: 0, lines: [0, 0b0100_0000] });
    assert.deepEqual([...(await codecs.decode(bytes)).rgba], [0, 0, 0, 255, 255, 255, 255, 255]);
  });

  it('reads a PNG of sixteen bits a channel', async () => {
    const bytes = pngFile({
      width: 1,
      height: 1,
      bitDepth: 16,
      colourType: 2,
      lines: [0, 0x80, 0x00, 0x40, 0x00, 0xff, 0xff],
    });
    const [red = 0, green = 0, blue, alpha] = (await codecs.decode(bytes)).rgba;
    assert.ok(Math.abs(red - 128) <= 1 && Math.abs(green - 64) <= 1);
    assert.deepEqual([blue, alpha], [255, 255]);
  });

  it('reads an interlaced grey PNG with alpha', async () => {
    // Two by two pixels: the first pass holds the corner, the sixth its neighbor, the seventh the second row.
    const lines = [0, 10, 255, 0, 20, 200, 0, 30, 100, 40, 50];
    const bytes = pngFile({ width: 2, height: 2, bitDepth: 8, colourType: 4, interlaced: true, lines });
    const { rgba } = await codecs.decode(bytes);
    assert.deepEqual([...rgba], [10, 10, 10, 255, 20, 20, 20, 200, 30, 30, 30, 100, 40, 40, 40, 50]);
  });

  it('refuses what is no picture, what is damaged, and what has more than 100 megapixels', async () => {
    const whole = await codecs.encode(testPixels(64, 64), { format: 'png' });
    const damaged = Uint8Array.from(whole).fill(7, 100, 400);
    const huge = pngFile({ width: 10_001, height: 10_000, bitDepth: 8, colourType: 6, lines: [0] });
    for (const bytes of [Buffer.from('<svg/>'), damaged, whole.subarray(0, 20), whole.subarray(0, 1000)]) {
      await assert.rejects(codecs.decode(bytes), CodecError);
    }
    // By its header, before anything of it is decoded.
    await assert.rejects(codecs.decode(huge), { message: /more than 100 megapixels/u });
    assert.equal((await codecs.decode(whole)).width, 64, 'the codecs go on after a failure');
  });

  it('refuses to encode pixels that do not fit their size', async () => {
    const rgba = new Uint8Array(4 * 3);
    await assert.rejects(codecs.encode({ width: 2, height: 2, rgba }, { format: 'png' }), CodecError);
  });

  it('answers many requests at once, each its own', async () => {
    const sizes = [3, 17, 5, 29, 11];
    const decoded = await Promise.all(
      sizes.map(async (size) => codecs.decode(await codecs.encode(testPixels(size, 2), { format: 'png' }))),
    );
    assert.deepEqual(
      decoded.map(({ width }) => width),
      sizes,
    );
  });

  it('takes over large files that are to be finished, and leaves small ones, and the memory of others', async () => {
    const noise = pictureOf({ content: 'opaque noise', size: { width: 701, height: 603 }, seed: 3 });
    const wishes = { size: { width: 7, height: 6 } };
    const file = Buffer.from(await codecs.encode(noise, { format: 'png' }));
    assert.ok(file.length > 1_000_000);
    const own = Uint8Array.from(file);
    const among = new Uint8Array(file.length + 1).subarray(0, file.length);
    among.set(file);
    const lent = Uint8Array.from(file);
    markAsUntransferable(lent.buffer);
    const small = Uint8Array.from(await codecs.encode(testPixels(300, 300), { format: 'png' }));
    const made = await Promise.all(
      [own, among, lent, small].map(async (bytes) => codecs.finish(bytes, wishes)),
    );
    assert.ok(made.every(({ size }) => size.width === 7 && size.height === 6));
    assert.deepEqual(
      [own, among, lent].map(({ length }) => length),
      [0, file.length, file.length],
    );
    assert.ok(small.length > 0 && small.length < 1_000_000);
    // Twice the same file is handed over once.
    const [onBlack, onWhite] = [Uint8Array.from(file), Uint8Array.from(file)];
    await codecs.finish(onBlack, wishes, { onWhite });
    assert.deepEqual([onBlack.length, onWhite.length], [0, 0]);
    const both = Uint8Array.from(file);
    await codecs.finish(both, wishes, { onWhite: both });
    assert.equal(both.length, 0);
  });

  it('rejects what is still open when it is closed, and starts again when asked again', async () => {
    const own = new Codecs();
    const open = own.encode(testPixels(600, 600), { format: 'png' });
    const rejected = assert.rejects(open, CodecError);
    await own.dispose();
    await rejected;
    assert.ok((await own.encode(testPixels(2, 2), { format: 'png' })).length > 0);
    await own.dispose();
  });
});

/** Every channel, alpha too, differs from pixel to pixel. */
function testPixels(width: number, height: number): Pixels {
  const rgba = Uint8Array.from(
    { length: width * height * 4 },
    (_, index) => (index * 37 + (index >> 3) * 11) & 255,
  );
  return { width, height, rgba };
}

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
