import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { undecodable, whyLeftAlone } from '../../../../src/images/formats/finish.ts';
import {
  grayJpegParts,
  jpegComponent,
  jpegFrame,
  jpegOf,
  type JpegParts,
  jpegSegment,
} from '../../../support/images/jpegFile.ts';
import { pngChunk, pngFile } from '../../../support/images/pngFile.ts';
import {
  animatedPng,
  animatedWebp,
  cmykJpeg,
  twelveBitJpeg,
  withCredentials,
} from '../../../support/images/specialFiles.ts';
import { isAnimated, hasPngColors } from '../../../../src/images/formats/animation.ts';
import { canvasData, losslessData, lossyData, riffChunk, webpOf } from '../../../support/images/webpFile.ts';
import { hasCredentials } from '../../../../src/images/formats/provenance.ts';

const picture = sharp({ create: { width: 8, height: 6, channels: 3, background: '#ff8000' } });
const jpeg = await picture.clone().jpeg().toBuffer();
const progressive = await picture.clone().jpeg({ progressive: true }).toBuffer();
const png = await picture.clone().png().toBuffer();
const webp = await picture.clone().webp().toBuffer();
const deep = pngFile({ width: 1, height: 1, bitDepth: 16, colourType: 0, lines: [0, 1, 2] });

/** A JPEG of so many bits and components. */
function jpegOfKind(marker: number, bits: number, count: number, parts: JpegParts = {}): Buffer {
  const components = Array.from({ length: count }, () => jpegComponent);
  return jpegOf({ ...grayJpegParts(), SOF: jpegFrame(marker, 24, 16, components, bits), ...parts });
}

describe('an image is left alone', () => {
  it('where it moves, has deeper pixels, or has the colors of printing', async () => {
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
    const { SOS, SOF } = grayJpegParts();
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

const clearPicture = sharp({ create: { width: 8, height: 6, channels: 4, background: '#ff000080' } });
const clearPng = await clearPicture.png().toBuffer();
const all = [clearPng, await clearPicture.jpeg().toBuffer(), await clearPicture.webp().toBuffer()];

describe('isAnimated', () => {
  it('is true of APNG and of animated WebP', async () => {
    assert.equal(await isAnimated(animatedPng(clearPng)), true);
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
    const behind = clearPng.indexOf('IDAT') + 4 + clearPng.readUInt32BE(clearPng.indexOf('IDAT') - 4) + 4;
    const late = Buffer.concat([
      clearPng.subarray(0, behind),
      pngChunk('acTL', Buffer.alloc(8)),
      clearPng.subarray(behind),
    ]);
    assert.equal(await isAnimated(late), false);
  });

  it('is false of pictures that stand still, and of what is no picture', async () => {
    for (const file of [...all, Buffer.from('GIF89a'), Buffer.alloc(0)]) {
      assert.equal(await isAnimated(file), false);
    }
  });
});

const clearJpeg = await clearPicture.jpeg().toBuffer();
const clearWebp = await clearPicture.webp().toBuffer();
const ofAllFormats = { clearPng, clearJpeg, clearWebp };

describe('hasCredentials', () => {
  for (const [format, file] of Object.entries(ofAllFormats)) {
    it(`tells a ${format} with Content Credentials from one without`, async () => {
      const signed = withCredentials(file);
      assert.deepEqual([await hasCredentials(signed), await hasCredentials(file)], [true, false]);
      assert.equal((await sharp(signed).metadata()).width, 8, 'it is a picture');
    });
  }

  it('does not take other boxes of a JPEG for credentials', async () => {
    const signed = withCredentials(clearJpeg);
    signed.write('abcd', signed.indexOf('c2pa'), 'latin1');
    assert.equal(await hasCredentials(signed), false);
  });

  it('finds them in a JPEG only before its pixels, and only in the segments that are theirs', async () => {
    const signed = withCredentials(clearJpeg);
    const store = signed.subarray(2, 2 + signed.length - clearJpeg.length);
    const behind = Buffer.concat([clearJpeg.subarray(0, -2), store, clearJpeg.subarray(-2)]);
    const elsewhere = Buffer.from(signed);
    elsewhere[3] = 0xe1;
    const second = Buffer.concat([
      clearJpeg.subarray(0, 2),
      jpegSegment(0xeb, 'another box'),
      signed.subarray(2),
    ]);
    const without = Buffer.from('ffd8ffd9', 'hex');
    assert.deepEqual(await Promise.all([behind, elsewhere, second, without].map(hasCredentials)), [
      false,
      false,
      true,
      false,
    ]);
  });

  it('is false of what is no picture', async () => {
    assert.equal(await hasCredentials(Buffer.from('caBX C2PA c2pa')), false);
  });
});

const plain = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 2, lines: [0, 1, 2, 3] });

function having(...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([plain.subarray(0, 33), ...chunks, plain.subarray(33)]);
}

function whole(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) {
    bytes.writeUInt32BE(number, index * 4);
  }
  return bytes;
}

const gamma = (value: number): Buffer => pngChunk('gAMA', whole(value));
const primaries = (...values: readonly number[]): Buffer => pngChunk('cHRM', whole(...values));
const code = (...values: readonly number[]): Buffer => pngChunk('cICP', Buffer.from(values));
const displayP3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000];
const ordinary = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000];
const profile = pngChunk('iCCP', Buffer.from('ICC\0\0'));

describe('hasPngColors', () => {
  for (const [what, file, expected] of [
    ['nothing', plain, false],
    ['no PNG', Buffer.from('gAMA'), false],
    ['the gamma of sRGB', having(gamma(45_455)), false],
    ['another gamma', having(gamma(100_000)), true],
    ['the primaries of sRGB', having(gamma(45_455), primaries(...ordinary)), false],
    ['other primaries', having(gamma(45_455), primaries(...displayP3)), true],
    [
      'sRGB itself, which a gamma beside it does not change',
      having(pngChunk('sRGB', Buffer.of(0)), gamma(1)),
      false,
    ],
    ['a profile, which other formats can hold, too', having(profile, gamma(1)), false],
    ['the code of sRGB', having(code(1, 13, 0, 1)), false],
    ['another code', having(code(9, 16, 0, 1)), true],
    ['the code of sRGB, which another gamma does not change', having(code(1, 13, 0, 1), gamma(1)), false],
    ['another code beside a profile', having(code(12, 13, 0, 1), profile), true],
  ] as const) {
    it(`is ${expected} for ${what}`, async () => {
      assert.equal(await hasPngColors(file), expected);
    });
  }
});
