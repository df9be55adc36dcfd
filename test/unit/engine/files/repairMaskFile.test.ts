import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { deflateSync, inflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { encodeMaskPng } from '../../../../src/studio/maskPixels/encodeMaskPng.ts';
import { blankMask } from '../../../../src/studio/maskPixels/maskPixels.ts';
import { drawn } from '../../../../src/studio/maskPixels/operation.ts';
import { repairMaskFile } from '../../../../src/engine/files/repairMaskFile.ts';
import { pngChunk, pngFile } from '../../../support/images/pngFile.ts';
import { withOldChecksums } from '../../../support/images/oldMaskFile.ts';
import { strictDecoders } from '../../../support/images/strictDecoders.ts';

const mask = await encodeMaskPng(
  drawn(blankMask({ width: 300, height: 40 }), {
    kind: 'stroke',
    mode: 'add',
    size: 30,
    hardness: 0.2,
    points: [10, 10, 1, 280, 30, 1],
  }),
);
const old = withOldChecksums(mask);

void describe('repairing a mask file', () => {
  void it('makes a mask of an earlier version what it should have been, which strict decoders read', async () => {
    assert.ok(!old.equals(mask));
    for (const decode of Object.values(strictDecoders)) {
      await assert.rejects(decode(old));
    }
    const right = await repairMaskFile(old);
    assert.ok(Buffer.from(mask).equals(right));
    for (const decode of Object.values(strictDecoders)) {
      assert.deepEqual(await decode(right), await decode(mask));
    }
  });

  void it('corrects those checksums that are wrong where others are right', async () => {
    for (const at of [33, mask.length - 12]) {
      for (const mixed of [
        Buffer.concat([mask.subarray(0, at), old.subarray(at)]),
        Buffer.concat([old.subarray(0, at), mask.subarray(at)]),
      ]) {
        assert.ok(Buffer.from(await repairMaskFile(mixed)).equals(mask));
      }
    }
  });

  void it('gives back what it was given where nothing is wrong', async () => {
    assert.equal(await repairMaskFile(mask), mask);
  });

  void it('reads pixels of every kind, in one chunk or in several', async () => {
    const gray = { width: 3, height: 1, bitDepth: 4, colourType: 0, lines: [0, 0x12, 0x30] } as const;
    const whole = pngFile({ ...gray, lines: [...gray.lines] });
    assert.ok(Buffer.from(await repairMaskFile(withOldChecksums(whole))).equals(whole));
    const pixels = deflateSync(Buffer.from(gray.lines));
    const [head, tail] = [whole.subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))];
    const parts = [pngChunk('IDAT', pixels.subarray(0, 5)), pngChunk('IDAT', pixels.subarray(5))];
    const cut = Buffer.concat([head, ...parts, tail]);
    assert.ok(Buffer.from(await repairMaskFile(withOldChecksums(cut))).equals(cut));
  });

  for (const [what, damaged] of Object.entries({
    'of another size than its pixels are': changed(old, 19, 41),
    'whose pixels are damaged': changed(old, Math.floor(old.length / 2), 1),
    'that breaks off': old.subarray(0, -1),
    'that goes on after its end': Buffer.concat([old, Buffer.from([0])]),
    'whose pixels have something behind them': withOldChecksums(
      Buffer.concat([
        old.subarray(0, 33),
        pngChunk(
          'IDAT',
          Buffer.concat([old.subarray(41, 41 + old.readUInt32BE(33)), Buffer.from('something else')]),
        ),
        pngChunk('IEND', Buffer.alloc(0)),
      ]),
    ),
    'of more width than its pixels are': withOldChecksums(changed(Buffer.from(mask), 18, 8)),
    'of more height than its pixels are': withOldChecksums(changed(Buffer.from(mask), 23, 1)),
    'of less height than its pixels are': withOldChecksums(changed(Buffer.from(mask), 23, 8)),
    'of a kind that there is not': withOldChecksums(changed(Buffer.from(mask), 24, 1)),
    'whose pixels have another checksum': withOldChecksums(changed(Buffer.from(mask), mask.length - 17, 1)),
    'whose pixels break off': withOldChecksums(
      Buffer.concat([
        mask.subarray(0, 33),
        pngChunk('IDAT', mask.subarray(41, mask.length - 20)),
        mask.subarray(-12),
      ]),
    ),
    'that is interlaced, which masks never are': withOldChecksums(
      pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 0, interlaced: true, lines: [0, 0] }),
    ),
    'whose end has contents': withOldChecksums(
      Buffer.concat([mask.subarray(0, -12), pngChunk('IEND', Buffer.of(0))]),
    ),
    'whose header has another name': Buffer.concat([
      mask.subarray(0, 8),
      pngChunk('abCd', mask.subarray(16, 29)),
      old.subarray(33),
    ]),
    'without a signature': changed(old, 0, 1),
    'with a damaged chunk that nothing else vouches for': withOldChecksums(
      pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 3, palette: [1, 2, 3], lines: [0, 0] }),
    ),
    'with a checksum that is neither right nor of an earlier version': changed(Buffer.from(mask), 30, 1),
    'that is empty': Buffer.alloc(0),
  })) {
    void it(`leaves a file alone ${what}`, async () => {
      assert.equal(await repairMaskFile(damaged), damaged);
    });
  }

  void it('takes no damage for a wrong checksum, wherever it is', async () => {
    const pixels = await strictDecoders.pngjs(mask);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: old.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, flips) => {
          const damaged = changed(old, at, flips);
          const given = await repairMaskFile(damaged);
          // There are several ways to compress the same pixels, and pixels that both checksums take for each other.
          const isSame =
            given === damaged ||
            isDeepStrictEqual(await strictDecoders.pngjs(given), pixels) ||
            isVouchedFor(damaged);
          assert.ok(isSame, `byte ${at}`);
        },
      ),
      { numRuns: 500, examples: [[90, 80]] },
    );
  });
});

/** Whether the checksum inside the compressed data of the one chunk with pixels is that of what they inflate to. */
function isVouchedFor(file: Buffer): boolean {
  const start = file.indexOf('IDAT') + 4;
  try {
    return inflateSync(file.subarray(start, start + file.readUInt32BE(start - 8))).length > 0;
  } catch {
    return false;
  }
}

function changed(file: Buffer, at: number, flips: number): Buffer {
  const copy = Buffer.from(file);
  copy[at] = (copy[at] ?? 0) ^ flips;
  return copy;
}
