import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import zlib from 'node:zlib';
import { decodedBody, withoutZstd } from '../../../../src/service/http/contentEncoding.ts';
import { settle } from '../../../support/manualClock.ts';

const encoders: Record<string, (whole: Buffer) => Buffer> = {
  gzip: (whole) => zlib.gzipSync(whole),
  br: (whole) => zlib.brotliCompressSync(whole, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
  deflate: (whole) => zlib.deflateSync(whole),
  'deflate, bare': (whole) => zlib.deflateRawSync(whole),
  zstd: (whole) => zlib.zstdCompressSync(whole),
};
const text = Buffer.from('sunset over the sea '.repeat(1000));

function body(...pieces: Buffer[]): Readable {
  return Readable.from(pieces, { objectMode: false });
}

describe('decodedBody', () => {
  for (const [name, encode] of Object.entries(encoders)) {
    const encoding = name.replace(', bare', '');

    it(`decodes no more of ${name} than is read: a few bytes may become millions`, async () => {
      const whole = Buffer.alloc(16_000_000);
      const decoded = decodedBody(body(encode(whole)), encoding);
      await once(decoded, 'readable');
      for (let before = -1; before < decoded.readableLength;) {
        before = decoded.readableLength;
        for (let round = 0; round < 20; round++) {
          await settle();
        }
      }
      assert.ok(decoded.readableLength < 1_000_000, `${decoded.readableLength} bytes wait`);
      assert.equal((await buffer(decoded)).length, whole.length);
    });

    it(`fails with ${name} that is damaged or cut short, and leaves nothing open`, async () => {
      const encoded = encode(text);
      const half = Math.floor(encoded.length / 2);
      for (const wrong of [Buffer.from(encoded).fill(0xff, half), encoded.subarray(0, half)]) {
        const raw = body(wrong);
        await assert.rejects(buffer(decodedBody(raw, encoding)));
        assert.ok(raw.destroyed);
      }
    });

    it(`reads ${name} no further once nobody wants it`, async () => {
      const raw = new PassThrough();
      raw.write(encode(Buffer.alloc(1_000_000)).subarray(0, 100));
      const decoded = decodedBody(raw, encoding);
      const closed = new Promise((resolve) => raw.once('close', resolve));
      decoded.destroy();
      await closed;
    });
  }

  it('undoes up to three layers, in whatever way they are listed', async () => {
    const layered = zlib.brotliCompressSync(zlib.gzipSync(zlib.deflateSync(text)));
    for (const encoding of [
      'deflate,gzip,br',
      ' DEFLATE ,, identity, x-gzip , Br ',
      ['deflate', 'gzip, br'],
      ['identity', 'deflate', 'gzip', 'br', 'identity'],
    ]) {
      assert.ok(text.equals(await buffer(decodedBody(body(layered), encoding))));
    }
    for (const encoding of [undefined, '', [], 'identity', ' , ']) {
      assert.ok(text.equals(await buffer(decodedBody(body(text), encoding))));
    }
  });

  it('refuses more layers, and those that nobody knows, and reads none of them', async () => {
    for (const encoding of ['gzip, gzip, gzip, gzip', 'lzma', 'gzip, compress', 'gzipp']) {
      const raw = new PassThrough();
      await assert.rejects(buffer(decodedBody(raw, encoding)), {
        code: 'protocol',
        message: 'The response uses an unsupported encoding.',
        sent: true,
      });
      assert.ok(raw.destroyed);
    }
    const layered = [1, 2, 3, 4].reduce((inner) => zlib.gzipSync(inner), text);
    await assert.rejects(buffer(decodedBody(body(layered), 'gzip,gzip,gzip,gzip')), { code: 'protocol' });
  });

  it('undoes zstd that `fetch` left, and leaves what it undid', async () => {
    for (const bytes of [text, zlib.zstdCompressSync(text)]) {
      assert.ok(text.equals(await buffer(withoutZstd(body(bytes), 'zstd'))));
    }
    const plain = body(text);
    assert.equal(withoutZstd(plain, null), plain);
  });
});
