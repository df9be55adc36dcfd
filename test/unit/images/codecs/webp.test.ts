import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { writeWebp } from '../../../../src/images/codecs/writeWebp.ts';
import { decodeImage } from '../../../../src/images/codecs/codecSet.ts';
import type { Pixels } from '../../../../src/images/codecs/pixels.ts';
import { findDamage } from '../../../../src/images/formats/findDamage.ts';
import { readBySharp, toSharp } from '../../../readers/images.ts';
import { assertPixels, type Color, paint, pictureOf } from '../../../support/images/pictures.ts';
import { recipes } from '../../../support/images/recipes.ts';
import { Random } from '../../../support/random.ts';

describe('writeWebp', () => {
  it('writes runs of all lengths, of a few colors from anywhere', async () => {
    const random = new Random(31);
    for (let run = 0; run < 30; run++) {
      const isOpaque = run % 2 === 0;
      const colors = Array.from({ length: 2 + random.below(9) }, (): Color => [
        random.below(256),
        random.below(256),
        random.below(256),
        isOpaque ? 255 : random.below(256),
      ]);
      let color = random.pick(colors);
      let left = 0;
      const picture = paint(1 + random.below(random.pick([40, 600, 9000])), 1 + random.below(3), () => {
        if (left === 0) {
          left = 1 + random.below(2 ** random.below(14));
          color = random.pick(colors);
        }
        left--;
        return color;
      });
      const file = writeWebp(picture);
      assertPixels(await readBySharp(file), picture);
      assert.equal(await findDamage(file), undefined);
      await assertNoByteIsLeftOver(file, picture);
    }
  });

  it('says whether anything shows through', async () => {
    for (const alpha of [255, 254, 0]) {
      const file = writeWebp(paint(5, 3, (x) => [x, 7, 7, x === 4 ? alpha : 255]));
      assert.equal((await sharp(file).metadata()).hasAlpha, alpha < 255);
    }
  });

  it('writes codes of codes that would be too long', async () => {
    const random = new Random(37);
    // So many levels of red come so often, each number of them as often as the two before together.
    const kinds = [1, 1, 2, 3, 5, 8, 13, 21, 178].flatMap((number, index) =>
      Array.from({ length: number }, () => 256 >> index),
    );
    for (let run = 0; run < 4; run++) {
      const steps = kinds
        .flatMap((times, index) =>
          Array.from(
            { length: times },
            () => [random.below(2 ** 30), (index * (2 * run + 7)) & 255] as const,
          ),
        )
        .toSorted(([one], [other]) => one - other);
      let red = 0;
      const picture = paint(steps.length, 1, (x) => [(red += steps[x]?.[1] ?? 0) & 255, 0, 0, 255]);
      assertPixels(await readBySharp(writeWebp(picture)), picture);
    }
  });

  it('writes files of more than a megabyte', async () => {
    const picture = pictureOf({ content: 'noise', size: { width: 541, height: 523 }, seed: 2 });
    const file = writeWebp(picture);
    assert.ok(file.length > 1024 * 1024);
    assertPixels(await readBySharp(file), picture);
  });

  it('predicts each channel from what tells most of it: both neighbours together, or one of them', async () => {
    const random = new Random(5);
    const [width, height] = [151, 173];
    const means = new Uint8Array(width * height);
    const walks = new Uint8Array(width * height);
    for (let at = 0; at < means.length; at++) {
      const isFirst = at % width === 0;
      const [left = 128, above = 128] = [isFirst ? 128 : means[at - 1], means[at - width]];
      means[at] = Math.min(245, Math.max(10, (left + above) >> 1)) + random.below(21) - 10;
      walks[at] = Math.min(250, Math.max(5, isFirst ? 128 : (walks[at - 1] ?? 0))) + random.below(11) - 5;
    }
    const onlyIn: ((level: number) => Color)[] = [
      (level) => [level, 0, 0, 255],
      (level) => [level, level, level, 255],
      (level) => [0, 0, level, 255],
      (level) => [0, 0, 0, level],
    ];
    // The other way to predict makes them larger by a seventh.
    for (const [levels, most] of [
      [means, 0.72],
      [walks, 0.75],
    ] as const) {
      for (const [channel, color] of onlyIn.entries()) {
        const picture = paint(width, height, (x, y) => color(levels[y * width + x] ?? 0));
        const other = await toSharp(picture).webp({ lossless: true, effort: 0 }).toBuffer();
        const ratio = writeWebp(picture).length / other.length;
        assert.ok(ratio < most, `${channel}: ${ratio} × as large`);
      }
    }
  });

  it('makes files as small as another encoder does that has no more time, of what does not repeat', async () => {
    const random = new Random(3);
    const [width, height] = [251, 173];
    for (const [most, picture] of [
      [1.01, pictureOf({ content: 'noise', size: { width, height }, seed: 4 })],
      [1.01, paint(width, height, () => gray(random.below(256)))],
      [1.02, paint(width, height, (x, y) => gray(((x * 3 + y * 2) >> 3) + random.below(9)))],
      // Squares with sharp edges and a little grain.
      [
        1.35,
        paint(width, height, (x, y) => {
          const kind = ((x >> 3) * 7 + (y >> 4) * 13) % 11;
          return [kind * 20 + random.below(3), 255 - kind * 9, (kind * kind) & 255, 255];
        }),
      ],
    ] as const) {
      const other = await toSharp(picture).webp({ lossless: true, effort: 0 }).toBuffer();
      const own = writeWebp(picture);
      assert.ok(own.length < most * other.length, `${own.length} bytes, another encoder ${other.length}`);
    }
  });

  it('writes every pixel, those that nobody sees too, as other decoders read it', async () => {
    await fc.assert(
      fc.asyncProperty(recipes, async (recipe) => {
        const picture = pictureOf(recipe);
        const file = writeWebp(picture);
        assert.equal(await findDamage(file), undefined);
        assertPixels(await readBySharp(file), picture);
        assertPixels(await decodeImage(file), picture);
      }),
      { numRuns: 100 },
    );
  });

  it('writes colors of which some are a thousand times rarer than others', async () => {
    // Each level comes about half as often again as the one before: the codes of the rare ones would be too long.
    const picture = paint(512, 512, (x, y) => {
      const level = Math.floor(Math.log2(1 + ((x * 7919 + y * 104_729) % 262_139)) * 1.7);
      return [level * 8, 0, 255 - level, 255];
    });
    assertPixels(await readBySharp(writeWebp(picture)), picture);
  });

  it('takes an image that another program made apart and puts it together again', async () => {
    const picture = paint(301, 207, (x, y) => [x & 255, y, (x * y) & 255, x > 150 ? 255 : y]);
    const other = await toSharp(picture).png().toBuffer();
    assertPixels(await readBySharp(writeWebp(await decodeImage(other))), picture);
  });

  it('needs hardly anything for what is flat, and not much more than others for a photo', async () => {
    assert.ok(writeWebp(paint(1000, 1000, () => [10, 20, 30, 255])).length < 8000);
    const photo = pictureOfWaves();
    const other = await toSharp(photo).webp({ lossless: true, effort: 0 }).toBuffer();
    const ratio = writeWebp(photo).length / other.length;
    assert.ok(ratio < 1.1, `${ratio} × as large`);
  });
});

function gray(level: number): Color {
  return [level, level, level, 255];
}

/** Asserts that without its last byte a file doesn't have the whole picture. */
async function assertNoByteIsLeftOver(file: Uint8Array, picture: Pixels): Promise<void> {
  const length = Buffer.from(file).readUInt32LE(16) - 1;
  const cut = Buffer.concat([file.subarray(0, 20 + length), Buffer.alloc(length & 1)]);
  cut.writeUInt32LE(cut.length - 8, 4);
  cut.writeUInt32LE(length, 16);
  await assert.rejects(async () => assertPixels(await readBySharp(cut), picture));
}

/** Waves with a little grain. */
function pictureOfWaves(): Pixels {
  let noise = 1;
  return paint(600, 600, (x, y) => {
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) >>> 0;
    const grain = noise >>> 29;
    const level = 120 + 60 * Math.sin(x / 90) + 40 * Math.sin(y / 50);
    return [level + grain, 200 - level / 2 + grain, 90 + grain, 255];
  });
}
