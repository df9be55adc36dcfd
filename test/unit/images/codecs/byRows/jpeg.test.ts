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
import { paint } from '../../../../support/images/pictures.ts';
import { sizes } from '../../../../support/images/recipes.ts';

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

describe('writeJpeg', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

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
