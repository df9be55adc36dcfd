import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { CodecError, Codecs, type Encoding, type Pixels } from '../../../../src/images/codecs/codecs.ts';
import { sniffImage } from '../../../../src/images/formats/sniff.ts';
import { colourAt, differing, paint } from '../../../support/images/pictures.ts';

/** Edited on the left, half edited in the middle. */
const levelAt = (x: number): number => (x < 16 ? 255 : x < 32 ? 128 : 0);

describe('convertMask', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  const byAlpha = paint(48, 16, (x) => [90, 10, 200, 255 - levelAt(x)]);
  const whiteOnBlack = paint(48, 16, (x) => [levelAt(x), levelAt(x), levelAt(x), 255]);
  const masks: [string, Pixels, Encoding][] = [
    ['transparent PNG', byAlpha, { format: 'png' }],
    ['transparent WebP', byAlpha, { format: 'webp', lossless: true }],
    ['white-on-black PNG', whiteOnBlack, { format: 'png' }],
    ['white-on-black JPEG', whiteOnBlack, { format: 'jpeg', quality: 60 }],
  ];

  for (const [name, pixels, encoding] of masks) {
    it(`writes a ${name} in either convention`, async () => {
      const file = await codecs.encode(pixels, encoding);
      const alpha = await codecs.convertMask(file, 'alpha');
      const white = await codecs.convertMask(file, 'white');
      assert.deepEqual(
        [alpha, white].map((bytes) => sniffImage(bytes)?.mediaType),
        ['image/png', 'image/png'],
      );
      const [transparent, opaque] = [await codecs.decode(alpha), await codecs.decode(white)];
      for (const x of [0, 8, 24, 40, 47]) {
        const [, , , left = 0] = colourAt(transparent, x, 8);
        const [red = 0, green, blue, full] = colourAt(opaque, x, 8);
        // What was all or nothing is so exactly.
        const slack = levelAt(x) === 128 ? 3 : 0;
        assert.ok(Math.abs(255 - left - levelAt(x)) <= slack, `alpha ${left} at ${x}`);
        assert.ok(Math.abs(red - levelAt(x)) <= slack, `white ${red} at ${x}`);
        assert.deepEqual([green, blue, full], [red, red, 255]);
      }
    });
  }

  it('takes almost white for white and almost black for black, as lossy formats leave them', async () => {
    const noisy = paint(16, 16, (x, y) => {
      const grey = (x < 8 ? 242 : 0) + ((x + y) % 14);
      return [grey, grey, grey, 255];
    });
    const mask = await codecs.convertMask(await codecs.encode(noisy, { format: 'png' }), 'white');
    const clean = paint(16, 16, (x) => (x < 8 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    assert.equal(differing(await codecs.decode(mask), clean), 0);
  });

  it('refuses what is no picture', async () => {
    await assert.rejects(codecs.convertMask(Buffer.from('<svg/>'), 'alpha'), CodecError);
  });
});
