import { deflateSync } from 'node:zlib';
import { hasPngColors, pngColorChunks } from '../formats/animation.ts';
import { jpegProfileMark, maxProfileLength, readProfile } from '../formats/colors.ts';
import { sniffImage } from '../formats/sniff.ts';
import { pngChunk } from './writePng.ts';
import { behindPngHeader, extendedWebp, jfifEnd, jpegSegment, riffChunk } from './insertChunks.ts';

/** Number of profile bytes in one JPEG segment. */
const maxPartLength = 65_519;

/** Returns a file's ICC profile, if it is for red, green, and blue. */
export async function profileOf(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const profile = await readProfile(bytes);
  // Other kinds of profile don't apply to decoded red, green, and blue.
  return profile?.toString('latin1', 16, 20) === 'RGB ' ? profile : undefined;
}

/** Adds a profile to a newly encoded file, unless it is above 16.7 MB, for which JPEG has no room. */
export function withProfile(bytes: Uint8Array, profile: Uint8Array | undefined): Uint8Array {
  const format = profile && profile.length <= maxProfileLength ? sniffImage(bytes) : undefined;
  return profile && format
    ? new Uint8Array(profileWriters[format.extension](Buffer.from(bytes), profile))
    : bytes;
}

/** Copies a source's color profile and, between PNG files, its other color chunks. */
export async function withColorsOf(file: Uint8Array, source: Uint8Array): Promise<Uint8Array> {
  return withProfile(withChunks(file, await pngColorChunks(source)), await profileOf(source));
}

/** Whether a file with copied colors still lacks a part of their meaning, so that it may look different. */
export async function losesColorsOf(file: Uint8Array, source: Uint8Array): Promise<boolean> {
  return (
    (sniffImage(file)?.extension !== 'png' && (await hasPngColors(source))) ||
    ((await readProfile(source)) !== undefined && (await profileOf(file)) === undefined)
  );
}

/** The color chunks of a PNG file besides the profile, with their lengths. */
const colorChunkLengths = new Map([
  ['gAMA', 4],
  ['cHRM', 32],
  ['sRGB', 1],
  ['cICP', 4],
]);

function withChunks(file: Uint8Array, chunks: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const framed = [...chunks].flatMap(([type, data]) =>
    colorChunkLengths.get(type) === data.length ? pngChunk(type, data) : [],
  );
  return framed.length > 0 && sniffImage(file)?.extension === 'png'
    ? new Uint8Array(behindPngHeader(file, framed))
    : file;
}

function jpegWithProfile(file: Buffer, profile: Uint8Array): Buffer {
  const count = Math.ceil(profile.length / maxPartLength);
  const segments = Array.from({ length: count }, (_, index) => {
    const part = profile.subarray(index * maxPartLength, (index + 1) * maxPartLength);
    return jpegSegment(0xe2, Buffer.concat([jpegProfileMark, Buffer.from([index + 1, count]), part]));
  });
  const at = jfifEnd(file);
  return Buffer.concat([file.subarray(0, at), ...segments, file.subarray(at)]);
}

function pngWithProfile(file: Buffer, profile: Uint8Array): Buffer {
  const data = Buffer.concat([Buffer.from('ICC\0\0', 'latin1'), deflateSync(profile)]);
  return behindPngHeader(file, [pngChunk('iCCP', data)]);
}

function webpWithProfile(file: Buffer, profile: Uint8Array): Buffer {
  return extendedWebp(file, 0x20, { first: [riffChunk('ICCP', profile)] });
}

const profileWriters = { jpg: jpegWithProfile, png: pngWithProfile, webp: webpWithProfile };

const primaryTags = ['rXYZ', 'gXYZ', 'bXYZ'] as const;
/** The XYZ primaries of sRGB in profiles. */
const ordinary = [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141];
/** Tolerance between equal primaries, which profiles round differently. */
const slack = 0.004;

/** Whether equal pixels look alike in two files: both use sRGB, or the same primaries. */
export async function haveSameColors(one: Uint8Array, other: Uint8Array): Promise<boolean> {
  const [first, second] = [await meaningOf(one), await meaningOf(other)];
  return typeof first === 'string' || typeof second === 'string'
    ? first === second
    : first.every((part, index) => Math.abs(part - (second[index] ?? 0)) <= slack);
}

/** Returns the primaries of a file's colors, or other bytes that define their meaning. */
async function meaningOf(bytes: Uint8Array): Promise<number[] | string> {
  if (await hasPngColors(bytes)) {
    const chunks = await pngColorChunks(bytes);
    return ['cICP', 'gAMA', 'cHRM'].map((type) => chunks.get(type)?.toString('hex')).join();
  }
  const profile = await profileOf(bytes);
  if (!profile) {
    return ordinary;
  }
  const view = Buffer.from(profile.buffer, profile.byteOffset, profile.length);
  return primariesOf(view) ?? view.toString('latin1');
}

/** Reads the primaries of an ICC profile. Profiles of tables have none. */
function primariesOf(profile: Buffer): number[] | undefined {
  const primaries = primaryTags.flatMap((tag) => xyzOf(profile, tag) ?? []);
  return primaries.length === ordinary.length ? primaries : undefined;
}

/** Reads a tag with X, Y, and Z in 16.16 fixed point. */
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
