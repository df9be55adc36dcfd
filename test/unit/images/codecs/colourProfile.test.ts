import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Codecs, type Encoding } from '../../../../src/images/codecs/codecs.ts';
import { profileOf, withProfile } from '../../../../src/images/codecs/colourProfile.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';
import { paint } from '../../../support/images/pictures.ts';

const encodings: Encoding[] = [
  { format: 'png' },
  { format: 'jpeg' },
  { format: 'webp' },
  { format: 'webp', lossless: true },
];

/** Returns bytes of a given length that look like a profile. */
function profile(length: number, space = 'RGB '): Buffer {
  const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) & 255));
  bytes.write(space, 16, 'latin1');
  return bytes;
}

describe('a colour profile', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  const pictures = {
    opaque: paint(30, 20, (x, y) => [x * 8, y * 12, 99, 255]),
    transparent: paint(30, 20, (x, y) => [x * 8, y * 12, 99, x * 8]),
  };

  for (const encoding of encodings) {
    for (const [kind, pixels] of Object.entries(pictures)) {
      it(`goes into an ${kind} ${JSON.stringify(encoding)} and comes out of it, and no pixel changes`, async () => {
        const plain = await codecs.encode(pixels, encoding);
        assert.equal(await profileOf(plain), undefined);
        // Odd lengths are filled up in WebP files, long ones are cut into parts in JPEG files.
        for (const given of [profile(3144), profile(517), profile(200_001)]) {
          const file = withProfile(plain, given);
          assert.deepEqual(await profileOf(file), given);
          assert.deepEqual(await codecs.decode(file), await codecs.decode(plain));
        }
      });
    }

    it(`of a ${JSON.stringify(encoding)} stays what it is in what is made of it`, async () => {
      const given = profile(3144);
      const plain = await codecs.encode(pictures.opaque, encoding);
      const file = withExif(withProfile(plain, given), exifBlock(6));
      const mask = await codecs.encode(
        paint(20, 30, () => [0, 0, 0, 0]),
        { format: 'png' },
      );
      const kept = await codecs.compositeMasked({ output: mask, original: file, mask });
      assert.ok(kept.kept);
      const { bytes: fitted } = await codecs.finish(file, { size: { width: 10, height: 10 } });
      for (const made of [await codecs.upright(file), fitted, kept.bytes]) {
        assert.deepEqual(Buffer.from((await profileOf(made)) ?? []), given);
        await codecs.decode(made);
      }
    });
  }

  it('of other colours than red, green and blue is left out', async () => {
    const plain = await codecs.encode(pictures.opaque, { format: 'jpeg' });
    for (const space of ['GRAY', 'CMYK']) {
      assert.equal(await profileOf(withProfile(plain, profile(500, space))), undefined);
    }
  });

  it('of as many parts as a JPEG can number goes into it, and a longer one does not spoil it', async () => {
    const plain = await codecs.encode(pictures.opaque, { format: 'jpeg' });
    const longest = Buffer.alloc(255 * 65_519, 'profile ');
    longest.write('RGB ', 16, 'latin1');
    assert.ok(Buffer.from((await profileOf(withProfile(plain, longest))) ?? []).equals(longest));
    for (const tooLong of [1, 65_520]) {
      const file = withProfile(plain, Buffer.concat([longest, Buffer.alloc(tooLong)]));
      assert.ok(Buffer.from(file).equals(plain));
    }
  });

  it('of a file whose parts are said to be gigabytes long does no harm', async () => {
    for (const hex of [
      '89504e470d0a1a0a0000000d49484452' + '00'.repeat(17) + 'ffffffff69434350' + '00'.repeat(20),
      '52494646ffffffff574542504a554e4bffffffff',
      '52494646ffffffff5745425049434350ffffffff00',
      'ffd8ffe20000' + Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1').toString('hex'),
    ]) {
      assert.equal(await profileOf(Buffer.from(hex, 'hex')), undefined);
    }
  });

  it('of a JPEG of which a part is missing is left out', async () => {
    const file = withProfile(await codecs.encode(pictures.opaque, { format: 'jpeg' }), profile(70_000));
    const second = Buffer.from(file).indexOf('ICC_PROFILE', 100);
    assert.equal(await profileOf(file.fill(0, second, second + 3)), undefined);
  });

  it('that is torn, or in a file that breaks off, does no harm', async () => {
    for (const encoding of encodings) {
      const file = withProfile(await codecs.encode(pictures.opaque, encoding), profile(300));
      for (let length = 0; length < file.length; length++) {
        await profileOf(file.subarray(0, length));
      }
      await profileOf(file.fill(0, 40, 60));
    }
  });
});
