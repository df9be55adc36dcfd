import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { undecodable, whyLeftAlone } from '../../../../src/images/formats/leftAlone.ts';
import {
  greyJpegParts,
  jpegComponent,
  jpegFrame,
  jpegOf,
  type JpegParts,
  jpegSegment,
} from '../../../support/images/jpegFile.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { animatedPng, animatedWebp, cmykJpeg, twelveBitJpeg } from '../../../support/images/specialFiles.ts';

const picture = sharp({ create: { width: 8, height: 6, channels: 3, background: '#ff8000' } });
const jpeg = await picture.clone().jpeg().toBuffer();
const progressive = await picture.clone().jpeg({ progressive: true }).toBuffer();
const png = await picture.clone().png().toBuffer();
const webp = await picture.clone().webp().toBuffer();
const deep = pngFile({ width: 1, height: 1, bitDepth: 16, colourType: 0, lines: [0, 1, 2] });

/** A JPEG of so many bits and components. */
function jpegOfKind(marker: number, bits: number, count: number, parts: JpegParts = {}): Buffer {
  const components = Array.from({ length: count }, () => jpegComponent);
  return jpegOf({ ...greyJpegParts(), SOF: jpegFrame(marker, 24, 16, components, bits), ...parts });
}

describe('an image is left alone', () => {
  it('where it moves, has deeper pixels, or has the colours of printing', async () => {
    for (const [file, why] of [
      [png, undefined],
      [jpeg, undefined],
      [progressive, undefined],
      [webp, undefined],
      [animatedPng(png), 'animated'],
      [await animatedWebp(8, 6), 'animated'],
      [deep, '16bit'],
      [animatedPng(deep), 'animated'],
      [twelveBitJpeg(jpeg), '12bit'],
      [twelveBitJpeg(progressive), '12bit'],
      [await cmykJpeg(8, 6), 'cmyk'],
      [await cmykJpeg(8, 6, { progressive: true }), 'cmyk'],
      [Buffer.from('GIF89a'), undefined],
      [Buffer.concat([Buffer.from('ab'), twelveBitJpeg(jpeg).subarray(2)]), undefined],
      [Buffer.alloc(0), undefined],
    ] as const) {
      assert.equal(await whyLeftAlone(file), why);
      const isOfJpeg = why === '12bit' || why === 'cmyk';
      assert.equal(await undecodable(file), isOfJpeg ? why : undefined);
    }
  });

  it('by what the first frame of a JPEG says, whatever its kind', async () => {
    for (const marker of [0xc0, 0xc2, 0xcf]) {
      for (const bits of [8, 9, 12]) {
        for (const count of [1, 3, 4]) {
          const why = bits > 8 ? '12bit' : count === 4 ? 'cmyk' : undefined;
          assert.equal(await undecodable(jpegOfKind(marker, bits, count)), why, `${bits} bits, ${count}`);
        }
      }
    }
    const { SOS, SOF } = greyJpegParts();
    const special = jpegFrame(0xc0, 24, 16, [], 12);
    for (const [changes, why] of [
      // Not in a thumbnail, behind another frame, or behind the pixels.
      [{ SOF: Buffer.concat([jpegSegment(0xe1, special), SOF]) }, undefined],
      [{ SOF: Buffer.concat([SOF, special]) }, undefined],
      [{ SOF: Buffer.concat([jpegSegment(0xe1, SOF), special]) }, '12bit'],
      [{ SOF: SOS, pixels: special }, undefined],
      [{ SOF: Buffer.alloc(0), SOS: Buffer.alloc(0), pixels: Buffer.alloc(0) }, undefined],
    ] as const) {
      assert.equal(await undecodable(jpegOfKind(0xc0, 8, 1, changes)), why);
    }
  });
});
