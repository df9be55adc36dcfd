import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { findDamage, isCut } from '../../../../src/images/formats/findDamage.ts';
import { patched } from '../../../support/images/damagedFiles.ts';

/** Noise, which is still many bytes when it is compressed. */
const picture = (): Sharp =>
  sharp({
    create: {
      width: 320,
      height: 240,
      channels: 3,
      background: '#a73',
      noise: { type: 'gaussian', mean: 128, sigma: 50 },
    },
  });

/** A JPEG file whose first segment holds another one, whole. */
async function withThumbnail(): Promise<Buffer> {
  const [whole, thumbnail] = [
    await picture().jpeg().toBuffer(),
    await picture().resize(32).jpeg().toBuffer(),
  ];
  const head = Buffer.from('ffe10000', 'hex');
  head.writeUInt16BE(thumbnail.length + 2, 2);
  return Buffer.concat([whole.subarray(0, 2), head, thumbnail, whole.subarray(2)]);
}

const files: Record<string, () => Promise<Buffer>> = {
  PNG: () => picture().png().toBuffer(),
  'interlaced PNG': () => picture().png({ progressive: true }).toBuffer(),
  JPEG: () => picture().jpeg().toBuffer(),
  'progressive JPEG': () => picture().jpeg({ progressive: true }).toBuffer(),
  'JPEG with a thumbnail': withThumbnail,
  WebP: () => picture().webp().toBuffer(),
  'lossless WebP': () => picture().webp({ lossless: true }).toBuffer(),
};

describe('isCut', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'limner-cut-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Returns the verdict on the bytes, which must be the same in memory and in a file. */
  async function saidOf(bytes: Buffer): Promise<boolean> {
    const path = join(folder, 'picture');
    await writeFile(path, bytes);
    const file = await open(path);
    const said = await isCut(file, bytes.length);
    await file.close();
    assert.equal(await isCut(bytes, bytes.length), said);
    return said;
  }

  for (const [kind, encode] of Object.entries(files)) {
    it(`knows a whole file from one that was cut anywhere: ${kind}`, async () => {
      const whole = await encode();
      assert.equal(await saidOf(whole), false);
      assert.equal(await saidOf(Buffer.concat([whole, Buffer.from('PK\u0003\u0004 and more')])), false);
      for (const part of [0.02, 0.3, 0.5, 0.9]) {
        assert.equal(await saidOf(whole.subarray(0, Math.ceil(whole.length * part))), true, String(part));
      }
      for (const missing of [1, 2, 5, 12, 13]) {
        assert.equal(await saidOf(whole.subarray(0, -missing)), true, `without its last ${missing} bytes`);
      }
    });
  }

  it('takes a file that is damaged in another way for whole where its end is there', async () => {
    const [png, jpeg] = [await picture().png().toBuffer(), await picture().jpeg().toBuffer()];
    const at = png.indexOf('IDAT') - 4;
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    for (const [damaged, end] of [
      // A length that is nonsense, and a wrong checksum of the end.
      [patched(png, at, 0x7f), 12],
      [patched(png, png.length - 1, (png.at(-1) ?? 0) ^ 1), undefined],
      [Buffer.concat([jpeg.subarray(0, scan), Buffer.from('junk'), jpeg.subarray(scan)]), 2],
    ] as const) {
      assert.equal(await saidOf(damaged), false);
      assert.equal(await saidOf(damaged.subarray(0, -1)), true);
      if (end !== undefined) {
        assert.equal(await saidOf(damaged.subarray(0, -end)), true);
      }
    }
  });

  it('says nothing of what is no image', async () => {
    assert.equal(await saidOf(Buffer.from('<svg')), false);
    assert.equal(await saidOf(Buffer.alloc(0)), false);
  });
});

describe('a file that cannot be read', () => {
  it('is neither cut nor damaged: the error is told', async () => {
    const file = { read: async () => Promise.reject(new Error('The disk is gone.')) };
    await assert.rejects(findDamage(file), /The disk is gone/u);
    await assert.rejects(isCut(file, 100), /The disk is gone/u);
  });
});
