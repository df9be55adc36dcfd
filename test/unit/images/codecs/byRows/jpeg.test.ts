import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { JpegOptions } from 'sharp';
import { encodeImage } from '../../../../../src/images/codecs/codecSet.ts';
import { writeJpeg } from '../../../../../src/images/codecs/byRows/writeJpeg.ts';
import { Codecs, jpegSegments, RangeReader } from '../../../../../src/images/codecs/codecs.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { findDamage } from '../../../../../src/images/damage/findDamage.ts';
import { readBySharp, toSharp } from '../../../../readers/images.ts';
import { assertPixels, type Colour, paint } from '../../../../support/images/pictures.ts';
import { sizes } from '../../../../support/images/recipes.ts';
import { Random } from '../../../../support/random.ts';

/** Waves of all colours with a little grain, and an edge. */
function picture(width: number, height: number): Pixels {
  let noise = 1;
  return paint(width, height, (x, y) => {
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) >>> 0;
    const grain = noise >>> 29;
    const red = 120 + 60 * Math.sin(x / 40) + 40 * Math.sin(y / 25) + grain;
    return [red, 200 - red / 2 + grain, x > y ? 230 : 20 + grain, 255];
  });
}

/** Returns the mean square of the differences between two pictures. */
function errorOf(one: Pixels, other: Pixels): number {
  assert.deepEqual([one.width, one.height], [other.width, other.height]);
  const sum = one.rgba.reduce((total, level, at) => total + (level - (other.rgba[at] ?? 0)) ** 2, 0);
  return sum / (3 * one.width * one.height);
}

/** Writes a picture by libjpeg-turbo. */
async function other(pixels: Pixels, options: JpegOptions): Promise<Buffer> {
  return toSharp(pixels).removeAlpha().jpeg(options).toBuffer();
}

async function like(options: JpegOptions): Promise<Buffer> {
  return other(
    paint(16, 16, () => [0, 0, 0, 255]),
    options,
  );
}

/** A file like those of libjpeg-turbo, in which colours have one block for so many of brightness. */
async function likeWith(across: number, down: number): Promise<Buffer> {
  const file = await like({ quality: 100, chromaSubsampling: '4:2:0' });
  file[file.indexOf(Buffer.from([0xff, 0xc0])) + 11] = (across << 4) | down;
  return file;
}

/** Where a wave is up that turns at every second pixel: the strongest of all frequencies. */
function isStrong(at: number): boolean {
  return [1, 2, 5, 6].includes(at % 8);
}

/** The levels by which two encoders and a decoder may round differently. */
const rounding = 6;

describe('writeJpeg', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  it('writes what another encoder writes, of noise in all sizes', async () => {
    const random = new Random(41);
    for (let run = 0; run < 40; run++) {
      const levels = random.pick([[0, 255], [...Array(256).keys()]]);
      const noise = paint(1 + random.below(50), 1 + random.below(50), () => [
        random.pick(levels),
        random.pick(levels),
        random.pick(levels),
        255,
      ]);
      const options = { quality: 100, chromaSubsampling: random.pick(['4:4:4', '4:2:0']) };
      const [own, others] = [writeJpeg(noise, await like(options)), await other(noise, options)];
      const [read, readOther] = [await readBySharp(own), await readBySharp(others)];
      assertPixels(read, readOther, rounding);
      assert.ok(errorOf(read, readOther) < 1.5, `${errorOf(read, readOther)}`);
      assert.equal(await findDamage(own), undefined);
    }
  });

  it('writes colours of half the width or of half the height, as its default quality has them', async () => {
    const random = new Random(43);
    for (let run = 0; run < 16; run++) {
      const [width, height] = [1 + random.below(40), 1 + random.below(40)];
      const isWide = run % 2 === 0;
      const colours = Array.from({ length: 40 }, () => [
        random.below(130),
        random.below(130),
        random.below(130),
      ]);
      // Colours differ in one direction: that they are halved in the other one too makes no difference.
      const picture = paint(width, height, (x, y): Colour => {
        const [red = 0, green = 0, blue = 0] = colours[isWide ? x : y] ?? [];
        const light = random.below(126);
        return [red + light, green + light, blue + light, 255];
      });
      const own = writeJpeg(picture, await likeWith(isWide ? 2 : 1, isWide ? 1 : 2));
      const others = await other(picture, { quality: 100, chromaSubsampling: '4:2:0' });
      assertPixels(await readBySharp(own), await readBySharp(others), rounding);
    }
  });

  it('has codes for what comes only where it did not look, to the extremes', async () => {
    const random = new Random(47);
    const picture = paint(160, 90, (x, y) => {
      if (y < 16) {
        return [128, 128, 128, 255];
      }
      const [column, row] = [x >> 3, y >> 3];
      const kinds = [
        row % 2 === column % 2,
        isStrong(x),
        isStrong(y),
        isStrong(x) !== isStrong(y),
        random.below(2) === 0,
        x % 8 === row && y % 8 === column % 8,
        x % 8 === 7 && y % 8 === 7 - (column % 8),
      ];
      const level = (row > 8 ? kinds[0] : kinds[(column >> 1) % kinds.length]) ? 255 : 0;
      return x % 3 === 0 && row === 3 ? [level, 255 - level, 0, 255] : [level, level, level, 255];
    });
    for (const options of [{ quality: 100, chromaSubsampling: '4:4:4' }, { quality: 70 }]) {
      const [own, others] = [writeJpeg(picture, await like(options)), await other(picture, options)];
      assert.equal(await findDamage(own), undefined);
      assert.ok(
        errorOf(await readBySharp(own), picture) < 1.05 * errorOf(await readBySharp(others), picture) + 1,
      );
    }
  });

  it('leaves one of the longest codes free, the one of only ones, which some readers refuse', async () => {
    for (const original of [picture(60, 50), picture(333, 200)]) {
      const file = Buffer.from(writeJpeg(original, await like({ quality: 95 })));
      const names: number[] = [];
      for await (const { type, start } of jpegSegments(new RangeReader(file))) {
        if (type === 'DHT') {
          const numbers = [...file.subarray(start + 1, start + 17)];
          const used = numbers.reduce((sum, number, index) => sum + number * 2 ** -(index + 1), 0);
          const longest = 1 + numbers.findLastIndex((number) => number > 0);
          assert.equal(used, 1 - 2 ** -longest);
          names.push(file[start] ?? 0);
        }
      }
      assert.deepEqual(
        names.toSorted((one, other) => one - other),
        [0x00, 0x01, 0x10, 0x11],
      );
    }
  });

  it('writes files of more than a megabyte', async () => {
    const random = new Random(53);
    const noise = paint(700, 640, () => [random.below(256), random.below(256), random.below(256), 255]);
    const options = { quality: 100, chromaSubsampling: '4:4:4' };
    const file = writeJpeg(noise, await like(options));
    assert.ok(file.length > 1024 * 1024);
    assertPixels(await readBySharp(file), noise, rounding);
    // A sample is enough for codes that are as short as they can be.
    assert.ok(file.length < 1.01 * (await other(noise, { ...options, optimiseCoding: true })).length);
  });

  for (const options of [
    { quality: 100, chromaSubsampling: '4:4:4' },
    { quality: 92, chromaSubsampling: '4:4:4' },
    { quality: 84, chromaSubsampling: '4:2:0' },
    { quality: 3, chromaSubsampling: '4:2:0' },
  ]) {
    it(`is as near to the picture as another encoder, and as small: ${JSON.stringify(options)}`, async () => {
      const original = picture(333, 251);
      const [own, others] = [writeJpeg(original, await like(options)), await other(original, options)];
      assert.equal(await findDamage(own), undefined);
      const [read, readOther] = [await readBySharp(own), await readBySharp(others)];
      assert.ok(errorOf(read, original) < 1.1 * errorOf(readOther, original) + 0.5);
      assert.ok(errorOf(await codecs.decode(own), read) < 1);
      // Its codes have all symbols that there are, for pictures of which it sees only a part before.
      assert.ok(own.length < 1.1 * others.length + 800, `${own.length} bytes, not ${others.length}`);
    });
  }

  it('is how large pictures are written', async () => {
    const original = picture(3000, 2100);
    const file = await codecs.encode(original, { format: 'jpeg', quality: 85 });
    assert.ok(errorOf(await readBySharp(file), original) < 20);
    assert.deepEqual(file, writeJpeg(original, file));
    assert.equal(Buffer.from(file).toString('latin1', 6, 10), 'JFIF');
  });

  it('writes what the simplest readers take, at low qualities as well, and prints nothing', async (context) => {
    const printed = context.mock.method(console, 'error', () => {});
    const original = picture(3000, 2100);
    for (const quality of [4, 40]) {
      const file = await encodeImage(original, { format: 'jpeg', quality });
      const types = new Map<string, number>();
      for await (const { type, start } of jpegSegments(new RangeReader(file))) {
        types.set(type, file[start] ?? 0);
      }
      // Baseline, with tables of eight bits.
      assert.ok(types.has('SOF0'), [...types.keys()].join());
      assert.ok((types.get('DQT') ?? 16) < 16);
      assert.ok(errorOf(await readBySharp(file), original) < 300 / Math.sqrt(quality));
    }
    assert.equal(printed.mock.callCount(), 0);
  });

  it('writes pictures of all sizes, to the last row and column', async () => {
    const samplings = fc.constantFrom('4:4:4', '4:2:0');
    await fc.assert(
      fc.asyncProperty(sizes, samplings, async ({ width, height }, chromaSubsampling) => {
        const flat = paint(width, height, () => [200, 60, 90, 255]);
        const file = writeJpeg(flat, await like({ quality: 90, chromaSubsampling }));
        assert.equal(await findDamage(file), undefined);
        const { rgba, ...size } = await readBySharp(file);
        assert.deepEqual(size, { width, height });
        assert.ok(rgba.every((level, at) => Math.abs(level - (flat.rgba[at] ?? 0)) <= 6));
      }),
      { numRuns: 60 },
    );
  });

  it('writes the most that levels can differ', async () => {
    const squares = paint(64, 64, (x, y) => ((x ^ y) & 1 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    assert.ok(errorOf(await readBySharp(writeJpeg(squares, await like({ quality: 100 }))), squares) < 3);
  });
});
