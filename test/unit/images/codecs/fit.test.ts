import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { CodecError, Codecs, type Encoding } from '../../../../src/images/codecs/codecs.ts';
import { imageSize } from '../../../../src/images/codecs/codecSet.ts';
import { sniffImage } from '../../../../src/images/formats/sniff.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';
import { colourAt, paint } from '../../../support/images/pictures.ts';

describe('fit', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  const png: Encoding = { format: 'png' };

  it('gives exactly the size that was asked for, in the format that it had', async () => {
    const pixels = paint(120, 80, (x, y) => [x * 2, y * 3, 99, 255]);
    for (const encoding of [
      { format: 'png' },
      { format: 'jpeg' },
      { format: 'webp', lossless: true },
    ] as const) {
      const file = await codecs.encode(pixels, encoding);
      for (const [width, height] of [
        [64, 64],
        [240, 100],
        [121, 80],
        [7, 300],
        [1, 1],
      ] as const) {
        const fitted = await codecs.fit(file, width, height);
        assert.deepEqual(imageSize(fitted), { width, height });
        assert.equal(sniffImage(fitted)?.mediaType, sniffImage(file)?.mediaType);
      }
    }
  });

  it('takes the middle: what is too wide loses as much on the left as on the right', async () => {
    // Forty columns of each of five colours; the middle three are left.
    const file = await codecs.encode(
      paint(200, 120, (x) => [Math.floor(x / 40) * 60, 0, 0, 255]),
      png,
    );
    const pixels = await codecs.decode(await codecs.fit(file, 120, 120));
    assert.deepEqual(
      [0, 39, 40, 79, 80, 119].map((x) => colourAt(pixels, x, 60)[0]),
      [60, 60, 120, 120, 180, 180],
    );
  });

  it('leaves a picture of that size as it is, pixel by pixel', async () => {
    const pixels = paint(61, 47, (x, y) => [x * 4, y * 5, (x * y) & 255, 200 + (x % 50)]);
    const fitted = await codecs.decode(await codecs.fit(await codecs.encode(pixels, png), 61, 47));
    assert.deepEqual(fitted, pixels);
  });

  it('keeps the brightness of fine patterns, as the eye sees it', async () => {
    // Half of the light of white is level 188 of sRGB, not 128.
    const chequers = paint(256, 256, (x, y) => ((x + y) % 2 === 0 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    const small = await codecs.decode(await codecs.fit(await codecs.encode(chequers, png), 32, 32));
    for (const [x, y] of [
      [0, 0],
      [16, 16],
      [31, 7],
    ] as const) {
      const [grey = 0] = colourAt(small, x, y);
      assert.ok(Math.abs(grey - 188) <= 3, `${grey} at ${x}, ${y}`);
    }
  });

  it('lets no colour out of transparent pixels', async () => {
    const halves = paint(64, 64, (x) => (x < 32 ? [255, 0, 0, 0] : [0, 0, 255, 255]));
    const small = await codecs.decode(await codecs.fit(await codecs.encode(halves, png), 21, 21));
    for (let x = 0; x < 21; x++) {
      const [red, , , alpha = 0] = colourAt(small, x, 10);
      assert.ok(alpha === 0 || red === 0, `red ${red} at ${x}`);
    }
  });

  it('turns it upright first', async () => {
    const wide = withExif(
      await codecs.encode(
        paint(80, 40, (x) => [x < 40 ? 200 : 10, 0, 0, 255]),
        png,
      ),
      exifBlock(6),
    );
    const tall = await codecs.decode(await codecs.fit(wide, 20, 40));
    assert.deepEqual([colourAt(tall, 10, 5)[0], colourAt(tall, 10, 35)[0]], [200, 10]);
  });

  it('refuses sizes that are none', async () => {
    const file = await codecs.encode(
      paint(4, 4, () => [0, 0, 0, 255]),
      png,
    );
    for (const [width, height] of [
      [0, 4],
      [4.5, 4],
      [-1, 4],
      [20_000, 20_000],
      [Number.NaN, 4],
    ] as const) {
      await assert.rejects(codecs.fit(file, width, height), CodecError);
    }
  });
});
