import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { CodecError, Codecs, type Encoding } from '../../../../src/images/codecs/codecs.ts';
import { readOrientation } from '../../../../src/images/formats/orientation.ts';
import { sniffImage } from '../../../../src/images/formats/sniff.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';
import { colourAt, paint } from '../../../support/images/pictures.ts';

/** Where the corners of the stored picture are seen: top left, top right, bottom left, bottom right. */
const seen: Record<number, string> = {
  1: 'abcd',
  2: 'badc',
  3: 'dcba',
  4: 'cdab',
  5: 'acbd',
  6: 'cadb',
  7: 'dbca',
  8: 'bdac',
};

describe('upright', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  // Each corner has its own grey, in blocks of eight, which JPEG keeps apart.
  const greys = { a: 20, b: 90, c: 160, d: 230 };
  const stored = paint(48, 32, (x, y) => {
    const grey = greys[y < 16 ? (x < 24 ? 'a' : 'b') : x < 24 ? 'c' : 'd'];
    return [grey, grey, grey, 255];
  });
  const encodings: Encoding[] = [
    { format: 'png' },
    { format: 'jpeg', quality: 95 },
    { format: 'webp', lossless: true },
  ];
  for (const encoding of encodings) {
    it(`turns a ${encoding.format} as each orientation says, into a PNG that says none`, async () => {
      const plain = await codecs.encode(stored, encoding);
      for (const [orientation, corners] of Object.entries(seen)) {
        const file = await codecs.upright(withExif(plain, exifBlock(Number(orientation))));
        assert.equal(sniffImage(file)?.mediaType, 'image/png');
        assert.equal(await readOrientation(file), 1);
        const pixels = await codecs.decode(file);
        const { width, height } = pixels;
        assert.deepEqual([width, height], Number(orientation) < 5 ? [48, 32] : [32, 48]);
        const found = [
          [0, 0],
          [width - 1, 0],
          [0, height - 1],
          [width - 1, height - 1],
        ].map(([x = 0, y = 0]) => {
          const [grey = 0] = colourAt(pixels, x, y);
          return Object.entries(greys).find(([, level]) => Math.abs(level - grey) < 10)?.[0];
        });
        assert.equal(found.join(''), corners, `orientation ${orientation}`);
      }
    });
  }

  it('keeps every pixel, colours under full transparency too', async () => {
    const pixels = paint(5, 3, (x, y) => [x * 40, y * 80, 7, (x * y) % 3 === 0 ? 0 : 200]);
    const file = withExif(await codecs.encode(pixels, { format: 'png' }), exifBlock(6));
    const turned = await codecs.decode(await codecs.upright(file));
    assert.deepEqual(
      turned,
      paint(3, 5, (x, y) => {
        const [red = 0, green = 0, blue = 0, alpha = 0] = colourAt(pixels, y, 2 - x);
        return [red, green, blue, alpha];
      }),
    );
  });

  it('refuses what is no picture', async () => {
    await assert.rejects(codecs.upright(Buffer.from('<svg/>')), CodecError);
  });
});
