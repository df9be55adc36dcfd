import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { Codecs, type Encoding } from '../../../../src/images/codecs/codecs.ts';
import { profileOf, withProfile } from '../../../../src/images/codecs/colourProfile.ts';
import { readByPngjs, readBySharp } from '../../../readers/images.ts';
import { profileOfLength, readProfile } from '../../../readers/metadata.ts';
import { readTags } from '../../../readers/tags.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { assertPixels, pictureOf } from '../../../support/images/pictures.ts';
import { recipes } from '../../../support/images/recipes.ts';

const encodings: Encoding[] = [
  { format: 'png' },
  { format: 'jpeg' },
  { format: 'webp' },
  { format: 'webp', lossless: true },
];
/** Bytes of a profile in one segment of a JPEG file, and how many segments there can be. */
const [part, maxParts] = [65_519, 255];

/** Odd and even, and around the ends of one to three segments of a JPEG file. */
const lengths = fc.oneof(
  fc.integer({ min: 480, max: 4000 }),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: -1, max: 1 }))
    .map(([parts, more]) => parts * part + more),
);

describe('a file with a profile, read by others', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  it('has every byte of the profile, and the pixels that it had', async () => {
    await fc.assert(
      fc.asyncProperty(recipes, fc.constantFrom(...encodings), lengths, async (recipe, encoding, length) => {
        const profile = await profileOfLength(length);
        const plain = await codecs.encode(pictureOf(recipe), encoding);
        const file = withProfile(plain, profile);
        assert.ok((await readProfile(file))?.equals(profile), 'the profile is whole');
        const { icc } = await readTags(file);
        assert.equal(icc?.['ICC Description']?.value, 'sP3C');
        assertPixels(await readBySharp(file), await readBySharp(plain));
        if (encoding.format === 'png') {
          assertPixels(readByPngjs(file), readByPngjs(plain));
        }
      }),
      { numRuns: fuzzRuns(12, 50) },
    );
  });

  it('begins with what a JPEG file begins with', async () => {
    const plain = await codecs.encode(pictureOf({ content: 'gradient', size, seed: 1 }), { format: 'jpeg' });
    const file = withProfile(plain, await profileOfLength(500));
    assert.deepEqual(file.subarray(0, 20), plain.subarray(0, 20));
    assert.equal(Buffer.from(file).toString('latin1', 6, 10), 'JFIF');
  });

  it('has the longest profile that a JPEG has room for, and a PNG too', async () => {
    const profile = await profileOfLength(part * maxParts);
    for (const encoding of encodings.slice(0, 2)) {
      const plain = await codecs.encode(pictureOf({ content: 'gradient', size, seed: 1 }), encoding);
      const file = withProfile(plain, profile);
      assert.ok(profile.equals((await profileOf(file)) ?? Buffer.alloc(0)), encoding.format);
      // libvips takes a hundred parts of a JPEG file.
      const theirs = encoding.format === 'jpeg' ? await profileOfLength(part * 100) : profile;
      assert.ok((await readProfile(withProfile(plain, theirs)))?.equals(theirs), encoding.format);
      assertPixels(await readBySharp(file), await readBySharp(plain));
    }
  });

  it('has none rather than part of one where it is longer', async () => {
    const profile = await profileOfLength(part * maxParts + 1);
    for (const encoding of encodings) {
      const plain = await codecs.encode(pictureOf({ content: 'gradient', size, seed: 1 }), encoding);
      assert.ok(withProfile(plain, profile) === plain, encoding.format);
    }
  });

  it('has none of other colours than red, green and blue', async () => {
    const plain = await codecs.encode(pictureOf({ content: 'gradient', size, seed: 1 }), { format: 'jpeg' });
    const profile = await profileOfLength(500);
    for (const space of ['GRAY', 'CMYK']) {
      profile.write(space, 16, 'latin1');
      assert.equal(await profileOf(withProfile(plain, profile)), undefined);
    }
  });

  it('may say that its parts are gigabytes long, which does no harm', async () => {
    for (const hex of [
      '89504e470d0a1a0a0000000d49484452' + '00'.repeat(17) + 'ffffffff69434350' + '00'.repeat(20),
      '52494646ffffffff574542504a554e4bffffffff',
      '52494646ffffffff5745425049434350ffffffff00',
      'ffd8ffe20000' + Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1').toString('hex'),
    ]) {
      assert.equal(await profileOf(Buffer.from(hex, 'hex')), undefined);
    }
  });

  it('may break off anywhere, which does no harm', async () => {
    for (const encoding of encodings) {
      const file = withProfile(
        await codecs.encode(pictureOf({ content: 'gradient', size, seed: 1 }), encoding),
        await profileOfLength(500),
      );
      for (let length = 0; length < file.length; length++) {
        await profileOf(file.subarray(0, length));
      }
      await profileOf(file.fill(0, 40, 60));
    }
  });
});

const size = { width: 6, height: 5 };
