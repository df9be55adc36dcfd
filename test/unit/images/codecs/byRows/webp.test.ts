import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { writeWebp } from '../../../../../src/images/codecs/byRows/writeWebp.ts';
import { decodeImage } from '../../../../../src/images/codecs/codecSet.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { findDamage } from '../../../../../src/images/damage/findDamage.ts';
import { readBySharp, toSharp } from '../../../../readers/images.ts';
import { assertPixels, paint, pictureOf } from '../../../../support/images/pictures.ts';
import { recipes } from '../../../../support/images/recipes.ts';

describe('writeWebp', () => {
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

  it('writes colours of which some are a thousand times rarer than others', async () => {
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
