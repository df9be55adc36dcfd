import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isQuarterTurn, readOrientation, upright } from '../../../../src/images/formats/orientation.ts';
import { withExif } from '../../../support/images/exifFiles.ts';
import { greyJpegParts, jpegOf } from '../../../support/images/jpegFile.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { lossyData, riffChunk, webpOf } from '../../../support/images/webpFile.ts';
import { Random } from '../../../support/random.ts';

const files = [
  jpegOf(greyJpegParts()),
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
