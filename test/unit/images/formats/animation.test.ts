import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { isAnimated } from '../../../../src/images/formats/animation.ts';
import { animatedPng, animatedWebp } from '../../../support/images/specialFiles.ts';

const picture = sharp({ create: { width: 8, height: 6, channels: 4, background: '#ff000080' } });
const png = await picture.png().toBuffer();
const all = [png, await picture.jpeg().toBuffer(), await picture.webp().toBuffer()];

describe('isAnimated', () => {
  it('is true of APNG and of animated WebP', async () => {
    assert.equal(await isAnimated(animatedPng(png)), true);
    const animated = await animatedWebp(8, 6);
    assert.equal((await sharp(animated).metadata()).pages, 2);
    assert.equal(await isAnimated(animated), true);
  });

  it('is false of pictures that stand still, and of what is no picture', async () => {
    for (const file of [...all, Buffer.from('GIF89a'), Buffer.alloc(0)]) {
      assert.equal(await isAnimated(file), false);
    }
  });
});
