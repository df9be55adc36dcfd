import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import sharp from 'sharp';
import { withProfile, haveSameColors } from '../../../../src/images/codecs/colorProfile.ts';
import { pngChunk } from '../../../support/images/pngFile.ts';
import { withPngChunks } from '../../../support/images/specialFiles.ts';

const picture = sharp({ create: { width: 2, height: 3, channels: 3, background: 'teal' } });

/** X, Y and Z of red, green and blue in sRGB, adapted to D50, as the ICC publishes them. */
const srgb = [0.43607, 0.22249, 0.01392, 0.38515, 0.71687, 0.09708, 0.14307, 0.06061, 0.7141];

/** A profile with primaries behind a tag that nobody asks for, the last of which ends where the profile ends. */
function profileWith(primaries: readonly number[], tags = ['rXYZ', 'gXYZ', 'bXYZ']): Buffer {
  const all = ['wtpt', ...tags];
  const table = 132 + 12 * all.length;
  const profile = Buffer.alloc(table + 20 * all.length);
  profile.write('RGB ', 16, 'latin1');
  profile.writeUInt32BE(all.length, 128);
  for (const [index, tag] of all.entries()) {
    const [entry, start] = [132 + 12 * index, table + 20 * index];
    profile.write(tag, entry, 'latin1');
    profile.writeUInt32BE(start, entry + 4);
    profile.writeUInt32BE(20, entry + 8);
    profile.write('XYZ ', start, 'latin1');
    const first = 3 * ['rXYZ', 'gXYZ', 'bXYZ'].indexOf(tag);
    for (const [axis, value] of primaries.slice(first, first + 3).entries()) {
      profile.writeInt32BE(Math.round(value * 65_536), start + 8 + 4 * axis);
    }
  }
  return profile;
}

/** Whether two files have the same colors, asked in both directions. */
async function areSame(one: Uint8Array, other: Uint8Array): Promise<boolean> {
  const [same, reversed] = [await haveSameColors(one, other), await haveSameColors(other, one)];
  assert.equal(same, reversed);
  return same;
}

describe('haveSameColors', () => {
  let plain: Uint8Array;
  before(async () => {
    plain = await picture.clone().jpeg().toBuffer();
  });

  it('takes a file without a profile for sRGB, in every format, whichever program wrote the profile', async () => {
    const png = await picture.clone().png().toBuffer();
    const said = withPngChunks(png, pngChunk('sRGB', Buffer.from([0])));
    const gamma = withPngChunks(png, pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])));
    const tagged = await picture.clone().withIccProfile('srgb').png().toBuffer();
    const own = withProfile(plain, profileWith(srgb));
    const webp = await picture.clone().withIccProfile('srgb').webp().toBuffer();
    for (const file of [png, said, gamma, tagged, own, webp]) {
      assert.equal(await areSame(file, plain), true);
    }
  });

  it('looks at all numbers of the primaries, but not at how they were rounded', async () => {
    for (let index = 0; index < srgb.length; index++) {
      for (const sign of [-1, 1]) {
        const off = (by: number): Uint8Array =>
          withProfile(
            plain,
            profileWith(srgb.map((value, at) => (at === index ? value + sign * by : value))),
          );
        assert.equal(await areSame(off(0.002), plain), true, `${index}`);
        for (const other of [off(0.006), off(1)]) {
          assert.equal(await areSame(other, plain), false, `${index}`);
          assert.equal(await areSame(other, withProfile(plain, profileWith(srgb))), false, `${index}`);
          assert.equal(await areSame(other, other), true);
        }
      }
    }
  });

  it('finds the primaries wherever they are in the profile', async () => {
    const turned = withProfile(plain, profileWith(srgb, ['bXYZ', 'rXYZ', 'lumi', 'gXYZ']));
    assert.equal(await areSame(turned, plain), true);
  });

  it('tells profiles apart that have no primaries, or not whole ones, by their bytes', async () => {
    const whole = profileWith(srgb);
    const tables = profileWith(srgb, ['A2B0', 'B2A0']);
    const two = profileWith(srgb, ['rXYZ', 'bXYZ']);
    const [uncounted, fewer] = [0, 3].map((count) => Buffer.from(whole).fill(count, 131, 132));
    assert.ok(uncounted && fewer);
    const cuts = [0, 1, 128, 131, 132, 135, 136, 140, 143, 144, 148, 151, 155, 200].map((length) =>
      Buffer.concat([whole.subarray(0, length), Buffer.alloc(Math.max(0, 20 - length))]),
    );
    for (const cut of cuts) {
      cut.write('RGB ', 16, 'latin1');
    }
    for (const profile of [
      tables,
      two,
      uncounted,
      fewer,
      whole.subarray(0, -1),
      whole.subarray(0, -20),
      ...cuts,
    ]) {
      const file = withProfile(plain, profile);
      assert.equal(await areSame(file, plain), false);
      assert.equal(await areSame(file, withProfile(plain, whole)), false);
      assert.equal(await areSame(file, withProfile(plain, Buffer.concat([profile, Buffer.of(7)]))), false);
      assert.equal(await areSame(file, file), true);
    }
  });

  it('compares what only PNG files say', async () => {
    const png = await picture.clone().png().toBuffer();
    const chunks = [
      pngChunk('gAMA', Buffer.from([0, 0, 0x9c, 0x40])),
      pngChunk('gAMA', Buffer.from([0, 0, 0x9c, 0x41])),
      pngChunk('cHRM', Buffer.alloc(32, 3)),
      pngChunk('cHRM', Buffer.alloc(32, 4)),
      pngChunk('cICP', Buffer.from([12, 13, 0, 1])),
      pngChunk('cICP', Buffer.from([9, 16, 0, 1])),
    ].map((chunk) => withPngChunks(png, chunk));
    const wide = await picture.clone().withIccProfile('p3').png().toBuffer();
    for (const [index, file] of [plain, wide, ...chunks].entries()) {
      for (const [otherIndex, other] of [plain, wide, ...chunks].entries()) {
        assert.equal(await haveSameColors(file, other), index === otherIndex, `${index}, ${otherIndex}`);
      }
    }
  });
});
