import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bitsPerChannel, sniffImage } from '../../../../src/images/formats/sniff.ts';
import { kinds, validPngs } from '../../../support/images/damagedFiles.ts';

const heads = {
  png: Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
  jpg: Buffer.from('ffd8ffe000104a4649460001', 'hex'),
  webp: Buffer.from('RIFF\x24\0\0\0WEBP', 'latin1'),
};

describe('sniffImage', () => {
  it('tells PNG, JPEG and WebP by their first bytes', () => {
    assert.deepEqual(sniffImage(heads.png), { mediaType: 'image/png', extension: 'png' });
    assert.deepEqual(sniffImage(heads.jpg), { mediaType: 'image/jpeg', extension: 'jpg' });
    assert.deepEqual(sniffImage(heads.webp), { mediaType: 'image/webp', extension: 'webp' });
  });

  it('knows nothing else, whatever it claims to be', () => {
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<!doctype html>',
      'GIF89a…',
      'RIFF1234WAVE',
      'LIST1234WEBP',
      '',
    ]) {
      assert.equal(sniffImage(Buffer.from(text)), undefined, text);
    }
  });

  it('does not take half a signature for an image', () => {
    assert.equal(sniffImage(heads.png.subarray(0, 7)), undefined);
    assert.equal(sniffImage(heads.webp.subarray(0, 11)), undefined);
    // With every byte of a signature that is another.
    for (const [head, places] of [
      [heads.png, [0, 1, 2, 3, 4, 5, 6, 7]],
      [heads.jpg, [0, 1, 2]],
      [heads.webp, [0, 1, 2, 3, 8, 9, 10, 11]],
    ] as const) {
      for (const at of head.keys()) {
        const other = Buffer.from(head);
        other[at] = (other[at] ?? 0) ^ 1;
        assert.equal(
          sniffImage(other) === undefined,
          places.some((place) => place === at),
          `byte ${at}`,
        );
      }
    }
  });
});

describe('bitsPerChannel', () => {
  it('is 16 for the PNG files with that many, and 8 for all others', () => {
    for (const kind of kinds) {
      for (const file of validPngs(kind)) {
        assert.equal(bitsPerChannel(file), kind.bitDepth === 16 ? 16 : 8);
      }
    }
    for (const head of [heads.jpg, heads.webp, Buffer.alloc(0)]) {
      const file = Buffer.concat([head, Buffer.alloc(60, 16)]);
      assert.equal(bitsPerChannel(file), 8);
    }
  });
});
