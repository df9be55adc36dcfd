import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { isAnimated } from '../../../../src/images/formats/animation.ts';
import { pngChunk } from '../../../support/images/pngFile.ts';
import { animatedPng, animatedWebp } from '../../../support/images/specialFiles.ts';
import { canvasData, losslessData, lossyData, riffChunk, webpOf } from '../../../support/images/webpFile.ts';

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

  it('looks at the flags of an extended WebP, and at no other byte', async () => {
    for (let flags = 0; flags < 8; flags += 2) {
      const file = webpOf(riffChunk('VP8X', canvasData(8, 6, flags)), riffChunk('VP8L', losslessData(8, 6)));
      assert.equal(await isAnimated(file), (flags & 2) !== 0, flags.toString(2));
    }
    for (const data of [lossyData(8, 6, { tag: 0x12 }), lossyData(8, 6, { tag: 0x16, firstPart: 7 })]) {
      assert.equal(await isAnimated(webpOf(riffChunk('VP8 ', data))), false);
    }
    const behind = png.indexOf('IDAT') + 4 + png.readUInt32BE(png.indexOf('IDAT') - 4) + 4;
    const late = Buffer.concat([
      png.subarray(0, behind),
      pngChunk('acTL', Buffer.alloc(8)),
      png.subarray(behind),
    ]);
    assert.equal(await isAnimated(late), false);
  });

  it('is false of pictures that stand still, and of what is no picture', async () => {
    for (const file of [...all, Buffer.from('GIF89a'), Buffer.alloc(0)]) {
      assert.equal(await isAnimated(file), false);
    }
  });
});
