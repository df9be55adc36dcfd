import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Codecs, type Encoding } from '../../../../src/images/finish/codecs.ts';
import { isQuarterTurn, readOrientation, upright } from '../../../../src/images/formats/animation.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';
import { pngChunk, pngFile } from '../../../support/images/pngFile.ts';
import { grayJpegParts, jpegOf } from '../../../support/images/jpegFile.ts';
import { lossyData, riffChunk, webpOf } from '../../../support/images/webpFile.ts';
import { Random } from '../../../support/random.ts';

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
});

const files = [
  jpegOf(grayJpegParts()),
  pngFile({ width: 24, height: 16, bitDepth: 1, colourType: 0, lines: Buffer.alloc(64) }),
  webpOf(riffChunk('VP8 ', lossyData(24, 16))),
];
const random = new Random(4);

/** EXIF data with a directory somewhere, and entries around that of the orientation. */
function exifOf(
  orientation: number,
  { before = random.below(4), behind = random.below(3), gap = random.below(9) } = {},
) {
  const little = random.below(2) === 0;
  const directory = 8 + gap;
  const count = before + 1 + behind;
  const bytes = Buffer.alloc(directory + 2 + count * 12 + random.below(5), random.below(256));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  bytes.write(little ? 'II' : 'MM', 'latin1');
  view.setUint16(2, 42, little);
  view.setUint32(4, directory, little);
  view.setUint16(directory, count, little);
  for (let index = 0; index < count; index++) {
    const at = directory + 2 + index * 12;
    // 0x1201 is the orientation in the other byte order.
    view.setUint16(
      at,
      index === before ? 0x0112 : random.pick([0x0100, 0x010f, 0x1201, 0x0111, 0x0212]),
      little,
    );
    view.setUint16(at + 2, 3, little);
    view.setUint32(at + 4, 1, little);
    view.setUint16(at + 8, index === before ? orientation : 1 + random.below(8), little);
  }
  return { bytes, end: directory + 2 + (before + 1) * 12 };
}

describe('the orientation of an image', () => {
  it('is found wherever it stands in EXIF data, and is 1 where they break off before it', async () => {
    for (let run = 0; run < 40; run++) {
      const orientation = random.below(11);
      const { bytes, end } = exifOf(orientation);
      const valid = orientation >= 1 && orientation <= 8 ? orientation : 1;
      const file = random.pick(files);
      assert.equal(await readOrientation(withExif(file, bytes)), valid);
      for (const length of [end, end - 1, end - 12, random.below(end)]) {
        const cut = withExif(file, bytes.subarray(0, length));
        assert.equal(await readOrientation(cut), length < end ? 1 : valid, `${length} of ${end} bytes`);
      }
    }
  });

  it('is 1 where the byte order is none, or the directory counts no further', async () => {
    for (const file of files) {
      for (const order of ['II', 'MM', 'IM', 'MI', 'ii', '\0\0']) {
        const { bytes } = exifOf(6);
        const isLittle = bytes.toString('latin1', 0, 2) === 'II';
        bytes.write(order, 'latin1');
        const isRight = order === (isLittle ? 'II' : 'MM');
        assert.equal(await readOrientation(withExif(file, bytes)), isRight ? 6 : 1, order);
      }
      const { bytes } = exifOf(6, { before: 2, behind: 0, gap: 0 });
      const isLittle = bytes.toString('latin1', 0, 2) === 'II';
      for (const [count, orientation] of [
        [2, 1],
        [3, 6],
        [4, 6],
        [0, 1],
      ] as const) {
        if (isLittle) {
          bytes.writeUInt16LE(count, 8);
        } else {
          bytes.writeUInt16BE(count, 8);
        }
        assert.equal(await readOrientation(withExif(file, bytes)), orientation);
      }
    }
  });

  it('turns a size by a quarter for four of eight', async () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8] as const) {
      const isTurned = orientation > 4;
      assert.equal(isQuarterTurn(orientation), isTurned);
      for (const file of files) {
        assert.deepEqual(
          await upright({ width: 24, height: 16 }, withExif(file, exifOf(orientation).bytes)),
          isTurned ? { width: 16, height: 24 } : { width: 24, height: 16 },
        );
      }
    }
  });
});
