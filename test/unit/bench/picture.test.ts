import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makePicture } from '../../../bench/picture.ts';
import { strictDecoders } from '../../support/images/strictDecoders.ts';

for (const [name, decode] of Object.entries(strictDecoders)) {
  it(`pictures of the bench have the size that was asked for, and are whole to ${name}`, async () => {
    for (const size of [200, 201, 1000, 65_535, 65_536, 1_000_000]) {
      const picture = makePicture(size);
      assert.equal(picture.length, size);
      const { width, height } = await decode(picture);
      // Nearly all of it is pixels.
      assert.ok(3 * width * height > 0.95 * size - 120, `${width} × ${height} in ${size} bytes`);
    }
  });
}
