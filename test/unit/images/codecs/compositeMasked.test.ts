import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Codecs, type Encoding, type Pixels } from '../../../../src/images/finish/codecs.ts';
import {
  compositeMasked,
  type CompositeOutcome,
  type MaskedEdit,
} from '../../../../src/images/codecs/masks.ts';
import sharp from 'sharp';
import { sniffImage } from '../../../../src/images/formats/sniff.ts';
import { readByPngjs, readBySharp, toSharp } from '../../../readers/images.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';
import { assertPixels, type Color, colorAt, differing, paint } from '../../../support/images/pictures.ts';
import { pngChunk, pngFile } from '../../../support/images/pngFile.ts';
import { Random } from '../../../support/random.ts';

const png: Encoding = { format: 'png' };
const [width, height] = [96, 64];

/** The edited area: a disc, cut off by the right border. */
const isInside = (x: number, y: number): boolean => Math.hypot(x - 75, y - 30) < 25;
const isOutside = (x: number, y: number): boolean => !isInside(x, y);
/** Further inside than the soft edge is wide. */
const isDeep = (x: number, y: number): boolean => Math.hypot(x - 75, y - 30) < 25 - 7;

/** How far in pixels a mask of levels is edited around a pixel, up to five: a diagonal step is a third longer. */
function depthAt(levels: readonly number[][], x: number, y: number): number {
  let depth = 5;
  for (const [row, inRow] of levels.entries()) {
    for (const [column, level] of inRow.entries()) {
      if (level === 0) {
        const [aside, down] = [Math.abs(column - x), Math.abs(row - y)];
        depth = Math.min(depth, Math.max(aside, down) + Math.min(aside, down) / 3);
      }
    }
  }
  return depth;
}

/** So many 255ths of one color over the rest of another, each weighted by its opacity. */
function mixed(one: readonly number[], other: readonly number[], share: number): Color {
  const [over, under] = [share * (one[3] ?? 0), (255 - share) * (other[3] ?? 0)];
  if (over + under === 0) {
    const [red = 0, green = 0, blue = 0] = share === 255 ? one : other;
    return [red, green, blue, 0];
  }
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((channel) =>
    Math.round(((one[channel] ?? 0) * over + (other[channel] ?? 0) * under) / (over + under)),
  );
  return [red, green, blue, Math.round((over + under) / 255)];
}

async function clearPng(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: '#12345600' } })
    .png()
    .toBuffer();
}

describe('the edge of a masked edit', () => {
  it('has as much of the output as the mask says, and less where the mask ends within five pixels', async () => {
    const random = new Random(83);
    for (let run = 0; run < 12; run++) {
      const [width, height] = [1 + random.below(26), 1 + random.below(26)];
      const colors = (): Pixels =>
        paint(width, height, () => [
          random.below(256),
          random.below(256),
          random.below(256),
          random.pick([0, 255, random.below(256)]),
        ]);
      const [original, output] = [colors(), colors()];
      const holes = Array.from({ length: random.below(5) }, () => ({
        x: random.below(width),
        y: random.below(height),
        radius: random.below(8),
      }));
      const level = random.pick([255, 255, 160, 40]);
      const levels = Array.from({ length: height }, (_, y) =>
        Array.from({ length: width }, (_, x) =>
          holes.some((hole) => Math.hypot(hole.x - x, hole.y - y) <= hole.radius) ? 0 : level,
        ),
      );
      const mask = paint(width, height, (x, y) => [9, 9, 9, 255 - (levels[y]?.[x] ?? 0)]);
      const files = [output, original, mask].map(async (pixels) => toSharp(pixels).png().toBuffer());
      const [made, given, marked] = await Promise.all(files);
      assert.ok(made && given && marked);
      const composed = await compositeMasked({ output: made, original: given, mask: marked });
      assert.ok(composed.kept);
      const isByAlpha = levels.some((row) => row.some((one) => one > 0));
      const expected = paint(width, height, (x, y) => {
        const own = isByAlpha ? (levels[y]?.[x] ?? 0) : 0;
        const share = Math.min(own, Math.round((depthAt(levels, x, y) * 255) / 5));
        return mixed(colorAt(output, x, y), colorAt(original, x, y), share);
      });
      assertPixels(readByPngjs(composed.bytes), expected);
    }
  });

  it('is drawn only where all three files have the same width and the same height', async () => {
    const [own, wider, higher] = [await clearPng(7, 5), await clearPng(8, 5), await clearPng(7, 6)];
    for (const other of [wider, higher]) {
      assert.deepEqual(await compositeMasked({ output: own, original: other, mask: own }), {
        kept: false,
        why: 'size',
      });
      assert.deepEqual(await compositeMasked({ output: own, original: own, mask: other }), {
        kept: false,
        why: 'mask',
      });
    }
    assert.equal((await compositeMasked({ output: own, original: own, mask: own })).kept, true);
  });
});

describe('keepOutside', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  /** Every pixel has another color, some are partly or fully transparent. */
  const original = paint(width, height, (x, y) => [
    x * 2,
    y * 3,
    (x * y) & 255,
    y < 20 ? (x * 5) & 255 : 255,
  ]);
  const output = paint(width, height, (x, y) => [255 - x, (x + y) & 255, 40, x % 2 === 0 ? 255 : 180]);
  const mask = paint(width, height, (x, y) => [0, 0, 0, isInside(x, y) ? 0 : 255]);

  async function outcome(changes: Partial<MaskedEdit>): Promise<CompositeOutcome> {
    return codecs.compositeMasked({
      output: await codecs.encode(output, png),
      original: await codecs.encode(original, png),
      mask: await codecs.encode(mask, png),
      ...changes,
    });
  }

  async function compose(changes: Partial<MaskedEdit> = {}): Promise<{ pixels: Pixels; mediaType: string }> {
    const composed = await outcome(changes);
    assert.ok(composed.kept);
    assert.equal(sniffImage(composed.bytes)?.mediaType, composed.mediaType);
    return { pixels: await codecs.decode(composed.bytes), mediaType: composed.mediaType };
  }

  for (const encoding of [{ format: 'jpeg' }, { format: 'webp' }] as const) {
    it(`takes an output that is a ${JSON.stringify(encoding)}`, async () => {
      const file = await codecs.encode(output, encoding);
      const { pixels } = await compose({ output: file });
      assert.equal(differing(pixels, original, isOutside), 0);
      assert.equal(differing(pixels, await codecs.decode(file), isDeep), 0);
    });
  }

  it('reads a mask that is white on black', async () => {
    const white = paint(width, height, (x, y) => (isInside(x, y) ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    const { pixels } = await compose({ mask: await codecs.encode(white, png) });
    assert.equal(differing(pixels, original, isOutside), 0);
    assert.equal(differing(pixels, output, isDeep), 0);
  });

  it('turns an original by its EXIF orientation, as it is seen', async () => {
    // Stored lying on its side: what is seen at (x, y) is stored at (y, width of what is seen less x).
    const stored = paint(height, width, (x, y) => {
      const [red = 0, green = 0, blue = 0, alpha = 0] = colorAt(original, y, height - 1 - x);
      return [red, green, blue, alpha];
    });
    for (const encoding of [png, { format: 'webp', lossless: true }] as const) {
      const file = withExif(await codecs.encode(stored, encoding), exifBlock(8));
      const { pixels } = await compose({ original: file });
      assert.equal(differing(pixels, await codecs.decode(await codecs.upright(file)), isOutside), 0);
      assert.equal(differing(pixels, output, isDeep), 0);
    }
  });

  it('says so where it rounds the pixels of an original of 16 bits', async () => {
    for (const [bitDepth, isExact] of [
      [16, false],
      [8, true],
    ] as const) {
      const bytes = bitDepth / 8;
      const line = [0, ...Array.from({ length: width * 3 * bytes }, (_, at) => (at * 31) & 255)];
      const lines = Array.from({ length: height }, () => line).flat();
      const file = pngFile({ width, height, bitDepth, colourType: 2, lines });
      const composed = await outcome({ original: file });
      assert.ok(composed.kept);
      assert.equal(composed.isExact, isExact);
    }
  });

  it('leaves an output alone that holds more than could be written, and says so', async () => {
    const lines = Array.from({ length: height }, () => [0, ...Array.from({ length: width * 6 }, () => 99)]);
    const deep = pngFile({ width, height, bitDepth: 16, colourType: 2, lines: lines.flat() });
    for (const [file, why] of [
      [deep, '16bit'],
      [await animatedWebp(), 'animated'],
      [await cmykJpeg(), 'cmyk'],
    ] as const) {
      assert.deepEqual(await outcome({ output: file }), { kept: false, why });
    }
  });

  it('says so where the output means other colors by the same pixels', async () => {
    const plain = await codecs.encode(output, png);
    const tagged = async (profile: string): Promise<Buffer> =>
      sharp(plain).withIccProfile(profile).png().toBuffer();
    const [srgb, wide] = [await tagged('srgb'), await tagged('p3')];
    for (const [made, original, mixesColors] of [
      [wide, plain, true],
      [plain, wide, true],
      [wide, wide, false],
      [srgb, plain, false],
    ] as const) {
      const composed = await outcome({ output: made, original });
      assert.ok(composed.kept);
      assert.equal(composed.mixesColors, mixesColors);
    }
  });

  it('leaves in a PNG what says which colors the pixels mean', async () => {
    const chunks = [
      pngChunk('cICP', Buffer.from([12, 13, 0, 1])),
      pngChunk('gAMA', Buffer.from([0, 0, 0x9c, 0x40])),
      pngChunk(
        'cHRM',
        Buffer.from(Array.from({ length: 4 }, () => [0, 0, 0x7a, 0x26, 0, 0, 0x80, 0x84]).flat()),
      ),
      pngChunk('sRGB', Buffer.from([1])),
    ];
    for (const chunk of chunks) {
      const plain = await codecs.encode(original, png);
      const file = Buffer.concat([plain.subarray(0, 33), chunk, plain.subarray(33)]);
      const composed = await outcome({ original: file });
      assert.ok(composed.kept);
      const { bytes: fitted } = await codecs.finish(file, { size: { width: 9, height: 9 } });
      for (const made of [composed.bytes, await codecs.convert(file, png), fitted]) {
        assert.ok(Buffer.from(made).includes(chunk), chunk.toString('latin1', 4, 8));
        await readBySharp(made);
        readByPngjs(made);
      }
      await readBySharp(await codecs.convert(file, { format: 'webp', lossless: true }));
    }
  });

  it('says why it cannot be done', async () => {
    const other = await codecs.encode(
      paint(width, height + 1, () => [0, 0, 0, 0]),
      png,
    );
    const whole = await codecs.encode(original, png);
    const damaged = Uint8Array.from(whole).fill(7, 100, 400);
    const huge = pngFile({ width: 10_001, height: 10_000, bitDepth: 8, colourType: 6, lines: [0] });
    const reasons: [Partial<MaskedEdit>, string][] = [
      [{ output: other }, 'size'],
      [{ mask: other }, 'mask'],
      [{ mask: damaged }, 'mask'],
      [{ mask: Buffer.from('<svg/>') }, 'mask'],
      [{ original: damaged }, 'kind'],
      [{ original: Buffer.from('<svg/>') }, 'kind'],
      [{ original: await cmykJpeg() }, 'kind'],
      [{ original: await animatedWebp() }, 'kind'],
      [{ output: damaged }, 'unreadable'],
      [{ output: whole.subarray(0, 20) }, 'unreadable'],
      [{ output: huge, original: huge, mask: huge }, 'too_large'],
    ];
    for (const [changes, why] of reasons) {
      assert.deepEqual(await outcome(changes), { kept: false, why });
    }
  });
});

const flat = { width, height, channels: 3, background: 'red' } as const;

async function cmykJpeg(): Promise<Uint8Array> {
  return sharp({ create: flat }).toColourspace('cmyk').jpeg().toBuffer();
}

async function animatedWebp(): Promise<Uint8Array> {
  const frames = await Promise.all(
    ['red', 'blue'].map((background) =>
      sharp({ create: { ...flat, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer();
}
