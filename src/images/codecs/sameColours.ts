import { hasPngColours, pngColourChunks } from '../formats/pngColours.ts';
import { profileOf } from './colourProfile.ts';

/** The tags of a profile's three primaries. */
const primaryTags = ['rXYZ', 'gXYZ', 'bXYZ'] as const;
/** The primaries of sRGB as profiles hold them, each as X, Y and Z. */
const ordinary = [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141];
/** By how much primaries that are the same may differ: profiles round them in different ways. */
const slack = 0.004;

/** Whether the same pixels look alike in two files: their colours mean sRGB, or have the same primaries. */
export async function haveSameColours(one: Uint8Array, other: Uint8Array): Promise<boolean> {
  const [first, second] = [await meaningOf(one), await meaningOf(other)];
  return typeof first === 'string' || typeof second === 'string'
    ? first === second
    : first.every((part, index) => Math.abs(part - (second[index] ?? 0)) <= slack);
}

/** Returns the primaries of a file's colours, or the bytes that tell their meaning in another way. */
async function meaningOf(bytes: Uint8Array): Promise<number[] | string> {
  if (await hasPngColours(bytes)) {
    const chunks = await pngColourChunks(bytes);
    return ['cICP', 'gAMA', 'cHRM'].map((type) => chunks.get(type)?.toString('hex')).join();
  }
  const profile = await profileOf(bytes);
  if (!profile) {
    return ordinary;
  }
  const view = Buffer.from(profile.buffer, profile.byteOffset, profile.length);
  return primariesOf(view) ?? view.toString('latin1');
}

/** Reads the primaries of an ICC profile. Those made of tables have none. */
function primariesOf(profile: Buffer): number[] | undefined {
  const primaries = primaryTags.flatMap((tag) => xyzOf(profile, tag) ?? []);
  return primaries.length === ordinary.length ? primaries : undefined;
}

/** Reads a tag that holds X, Y and Z, each a number of 32 bits of which 16 are behind the point. */
function xyzOf(profile: Buffer, tag: string): number[] | undefined {
  const count = profile.length < 132 ? 0 : profile.readUInt32BE(128);
  for (let entry = 132; entry < 132 + 12 * count && entry + 12 <= profile.length; entry += 12) {
    if (profile.toString('latin1', entry, entry + 4) === tag) {
      const start = profile.readUInt32BE(entry + 4) + 8;
      return start + 12 > profile.length
        ? undefined
        : [0, 4, 8].map((offset) => profile.readInt32BE(start + offset) / 65_536);
    }
  }
  return undefined;
}
