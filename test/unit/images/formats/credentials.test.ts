import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { hasCredentials } from '../../../../src/images/formats/credentials.ts';
import { jpegSegment } from '../../../support/images/jpegFile.ts';
import { withCredentials } from '../../../support/images/specialFiles.ts';

const picture = sharp({ create: { width: 8, height: 6, channels: 4, background: '#ff000080' } });
const png = await picture.png().toBuffer();
const jpeg = await picture.jpeg().toBuffer();
const webp = await picture.webp().toBuffer();
const all = { png, jpeg, webp };

describe('hasCredentials', () => {
  for (const [format, file] of Object.entries(all)) {
    it(`tells a ${format} with Content Credentials from one without`, async () => {
      const signed = withCredentials(file);
      assert.deepEqual([await hasCredentials(signed), await hasCredentials(file)], [true, false]);
      assert.equal((await sharp(signed).metadata()).width, 8, 'it is a picture');
    });
  }

  it('does not take other boxes of a JPEG for credentials', async () => {
    const signed = withCredentials(jpeg);
    signed.write('abcd', signed.indexOf('c2pa'), 'latin1');
    assert.equal(await hasCredentials(signed), false);
  });

  it('finds them in a JPEG only before its pixels, and only in the segments that are theirs', async () => {
    const signed = withCredentials(jpeg);
    const store = signed.subarray(2, 2 + signed.length - jpeg.length);
    const behind = Buffer.concat([jpeg.subarray(0, -2), store, jpeg.subarray(-2)]);
    const elsewhere = Buffer.from(signed);
    elsewhere[3] = 0xe1;
    const second = Buffer.concat([jpeg.subarray(0, 2), jpegSegment(0xeb, 'another box'), signed.subarray(2)]);
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
