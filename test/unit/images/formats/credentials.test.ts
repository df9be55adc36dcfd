import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { hasCredentials } from '../../../../src/images/formats/credentials.ts';
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

  it('is false of what is no picture', async () => {
    assert.equal(await hasCredentials(Buffer.from('caBX C2PA c2pa')), false);
  });
});
