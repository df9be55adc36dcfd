import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { Codecs, type Encoding } from '../../../../src/images/codecs/codecs.ts';
import { readOrientation } from '../../../../src/images/formats/orientation.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';
import { pngChunk } from '../../../support/images/pngFile.ts';

const encodings: Record<string, Encoding> = {
  JPEG: { format: 'jpeg' },
  PNG: { format: 'png' },
  'lossy WebP': { format: 'webp' },
  'lossless WebP': { format: 'webp', lossless: true },
};

/** Returns EXIF data whose directory is so many bytes behind them. */
function pointing(behind: number): Buffer {
  const exif = exifBlock(6);
  exif.writeUInt32BE(exif.length + behind, 4);
  return exif;
}

describe('readOrientation', () => {
  const codecs = new Codecs();
  const plain = new Map<string, Uint8Array>();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'limner-orientation-'));
    const pixels = { width: 6, height: 4, rgba: new Uint8Array(6 * 4 * 4).fill(200) };
    for (const [name, encoding] of Object.entries(encodings)) {
      plain.set(name, await codecs.encode(pixels, encoding));
    }
  });
  after(async () => {
    await codecs.dispose();
    await rm(folder, { recursive: true });
  });

  const file = (name: string): Uint8Array => plain.get(name) ?? assert.fail();

  for (const name of Object.keys(encodings)) {
    it(`reads each orientation of a ${name}, in both byte orders, and 1 where there is none`, async () => {
      assert.equal(await readOrientation(file(name)), 1);
      for (const order of ['II', 'MM'] as const) {
        for (let orientation = 1; orientation <= 8; orientation++) {
          const turned = withExif(file(name), exifBlock(orientation, order));
          assert.equal(await readOrientation(turned), orientation);
        }
      }
    });

    it(`reads that of a ${name} on disk`, async () => {
      const path = join(folder, name);
      await writeFile(path, withExif(file(name), exifBlock(6)));
      const handle = await open(path, 'r');
      try {
        assert.equal(await readOrientation(handle), 6);
      } finally {
        await handle.close();
      }
    });

    it(`takes a ${name} that breaks off, or whose EXIF data are nonsense, as it is`, async () => {
      const turned = withExif(file(name), exifBlock(6));
      for (let length = 0; length < turned.length; length++) {
        assert.ok([1, 6].includes(await readOrientation(turned.subarray(0, length))));
      }
      for (const exif of [
        exifBlock(9),
        exifBlock(0),
        Buffer.from('nonsense'),
        Buffer.concat([Buffer.from('XX'), exifBlock(6).subarray(2)]),
        Buffer.alloc(3),
        exifBlock(6).subarray(0, 12),
      ]) {
        assert.equal(await readOrientation(withExif(file(name), exif)), 1);
      }
    });
  }

  it('reads no further than lengths that make no sense, from bytes and from disk', async () => {
    const mark = Buffer.from('Exif\0\0', 'latin1');
    const block = exifBlock(6);
    const far = Buffer.from(block);
    far.writeUInt32BE(0xffffffff, 4);
    const many = Buffer.from(block);
    many.writeUInt16BE(0xffff, 8);
    many.writeUInt16BE(0, 10);
    const chunk = Buffer.concat([file('PNG').subarray(0, 33), Buffer.from('ffffffff74455874', 'hex')]);
    const riff = Buffer.concat([file('lossy WebP').subarray(0, 12), Buffer.from('4a554e4bffffffff', 'hex')]);
    const files = [
      // A segment shorter than its own length, and than the mark of EXIF data.
      ...[0, 1, 2, 7].map((length) =>
        Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, length]), mark, block]),
      ),
      withExif(file('JPEG'), far),
      withExif(file('JPEG'), many),
      chunk,
      withExif(file('PNG'), far),
      riff,
      withExif(file('lossy WebP'), far),
    ];
    for (const [index, bytes] of files.entries()) {
      assert.equal(await readOrientation(bytes), 1, `file ${index}`);
      const path = join(folder, `nonsense-${index}`);
      await writeFile(path, bytes);
      const handle = await open(path, 'r');
      try {
        assert.equal(await readOrientation(handle), 1, `file ${index}`);
      } finally {
        await handle.close();
      }
    }
  });

  it('reads what another program wrote among other data', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      for (const orientation of [3, 6]) {
        const written = await sharp(file('PNG'))
          .withExif({ IFD0: { ImageDescription: 'a fox', Artist: 'Ada', Copyright: 'Ada' } })
          .withMetadata({ orientation })
          .toFormat(format)
          .toBuffer();
        assert.equal(await readOrientation(written), orientation, format);
      }
    }
  });

  it('finds the EXIF data of a JPEG behind other segments, and none behind its pixels', async () => {
    const plain = Buffer.from(file('JPEG'));
    const turned = withExif(plain, exifBlock(6));
    const exif = turned.subarray(2, 2 + turned.length - plain.length);
    const xmp = Buffer.from('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
    const others = [
      Buffer.from([0xff, 0xe1, 0, xmp.length + 2]),
      xmp,
      Buffer.from([0xff, 0xfe, 0, 5, 0xff, 0xd9, 0]),
      // Only where programs put them are they EXIF data: not in a comment.
      Buffer.from([0xff, 0xfe, 0, 2 + 6 + 26]),
      Buffer.from('Exif\0\0', 'latin1'),
      exifBlock(3),
      // Fill bytes may come before any marker.
      Buffer.from([0xff, 0xff]),
    ];
    const behind = Buffer.concat([plain.subarray(0, 2), ...others, exif, plain.subarray(2)]);
    const atEnd = Buffer.concat([plain.subarray(0, -2), exif, plain.subarray(-2)]);
    for (const jpeg of [behind, atEnd]) {
      const { orientation = 1 } = await sharp(jpeg).metadata();
      assert.equal(orientation, jpeg === behind ? 6 : 1);
      assert.equal(await readOrientation(jpeg), orientation);
    }
  });

  it('takes EXIF data of a WebP that begin as those of a JPEG do', async () => {
    const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exifBlock(8)]);
    assert.equal(await readOrientation(withExif(file('lossy WebP'), exif)), 8);
  });

  it('takes a PNG as browsers do: EXIF data behind its pixels do not turn it', async () => {
    assert.equal(await readOrientation(withExif(file('PNG'), exifBlock(6), { last: true })), 1);
  });

  it('reads nothing into EXIF data that comes behind them', async () => {
    const directory = exifBlock(6).subarray(8);
    // Between the two are the checksum of one chunk, and the length and type of the next.
    const png = withExif(file('PNG'), pointing(12));
    const at = 33 + 12 + exifBlock(6).length;
    const webpHead = Buffer.from('JUNK\0\0\0\0', 'latin1');
    webpHead.writeUInt32LE(directory.length, 4);
    const webp = Buffer.concat([withExif(file('lossy WebP'), pointing(8)), webpHead, directory]);
    webp.writeUInt32LE(webp.length - 8, 4);
    for (const bytes of [
      Buffer.concat([png.subarray(0, at), pngChunk('juNk', directory), png.subarray(at)]),
      webp,
    ]) {
      assert.equal(await readOrientation(bytes), 1);
    }
  });

  it('takes what is no picture as it is', async () => {
    assert.equal(await readOrientation(Buffer.from('<svg/>')), 1);
  });
});
