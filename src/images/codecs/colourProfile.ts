import { deflateSync, inflateSync } from 'node:zlib';
import { jpegSegments, webpChunks } from '../formats/containers.ts';
import { hasPngColours, pngColourChunks } from '../formats/pngColours.ts';
import { RangeReader } from '../formats/rangeReader.ts';
import { sniffImage } from '../formats/sniff.ts';
import { pngChunk } from './byRows/writePng.ts';
import { behindPngHeader, extendedWebp, jfifEnd, jpegSegment, riffChunk } from './insertChunks.ts';

/** The number of profile bytes that one JPEG segment holds. */
const maxPartLength = 65_519;
/**
 * Most profiles have some kilobytes, a few for printers have megabytes. A JPEG file holds one in at most 255 segments.
 */
const maxProfileLength = 255 * maxPartLength;

const jpegMark = Buffer.from('ICC_PROFILE\0', 'latin1');

/** Returns the ICC profile for red, green and blue that a file carries, if any. */
export async function profileOf(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const profile = await anyProfileOf(bytes);
  // A profile of another kind does not apply to pixels decoded to red, green and blue.
  return profile?.toString('latin1', 16, 20) === 'RGB ' ? profile : undefined;
}

async function anyProfileOf(bytes: Uint8Array): Promise<Buffer | undefined> {
  const format = sniffImage(bytes);
  return format && profileReaders[format.extension](bytes);
}

/** Adds a profile to a newly encoded file. A profile above 16.7 MB, for which JPEG has no room, is left out. */
export function withProfile(bytes: Uint8Array, profile: Uint8Array | undefined): Uint8Array {
  const format = profile && profile.length <= maxProfileLength ? sniffImage(bytes) : undefined;
  return profile && format
    ? new Uint8Array(profileWriters[format.extension](Buffer.from(bytes), profile))
    : bytes;
}

/**
 * Gives a newly encoded file the colours of its source: the same profile and, between PNG files, the same other colour
 * chunks.
 */
export async function withColoursOf(file: Uint8Array, source: Uint8Array): Promise<Uint8Array> {
  return withProfile(withChunks(file, await pngColourChunks(source)), await profileOf(source));
}

/** Whether a file that got the colours of its source says less about them: it may look different. */
export async function losesColoursOf(file: Uint8Array, source: Uint8Array): Promise<boolean> {
  return (
    (sniffImage(file)?.extension !== 'png' && (await hasPngColours(source))) ||
    ((await anyProfileOf(source)) !== undefined && (await profileOf(file)) === undefined)
  );
}

/** The colour chunks of a PNG file besides the profile, with their lengths. */
const colourChunkLengths = new Map([
  ['gAMA', 4],
  ['cHRM', 32],
  ['sRGB', 1],
  ['cICP', 4],
]);

function withChunks(file: Uint8Array, chunks: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const framed = [...chunks].flatMap(([type, data]) =>
    colourChunkLengths.get(type) === data.length ? pngChunk(type, data) : [],
  );
  return framed.length > 0 && sniffImage(file)?.extension === 'png'
    ? new Uint8Array(behindPngHeader(file, framed))
    : file;
}

/** Reads the profile of a JPEG file, which may be cut into numbered parts. */
async function jpegProfile(bytes: Uint8Array): Promise<Buffer | undefined> {
  const reader = new RangeReader(bytes);
  const parts = new Map<number, Buffer>();
  let count = 0;
  for await (const { type, start, length } of jpegSegments(reader)) {
    if (type === 'SOS') {
      break;
    }
    const part = type === 'APP2' ? await reader.read(start, length) : undefined;
    if (part?.subarray(0, jpegMark.length).equals(jpegMark) === true) {
      parts.set(part[jpegMark.length] ?? 0, part.subarray(jpegMark.length + 2));
      count = part[jpegMark.length + 1] ?? 0;
    }
  }
  const inOrder = [...parts].toSorted(([one], [other]) => one - other);
  return count > 0 && inOrder.length === count ? Buffer.concat(inOrder.map(([, part]) => part)) : undefined;
}

async function pngProfile(bytes: Uint8Array): Promise<Buffer | undefined> {
  const chunk = (await pngColourChunks(bytes)).get('iCCP');
  try {
    // A name, its terminator and a byte for the only compression method come first.
    return chunk && inflateSync(chunk.subarray(chunk.indexOf(0) + 2), { maxOutputLength: maxProfileLength });
  } catch {
    return undefined;
  }
}

async function webpProfile(bytes: Uint8Array): Promise<Buffer | undefined> {
  const reader = new RangeReader(bytes);
  for await (const { type, start, length } of webpChunks(reader)) {
    if (type === 'ICCP') {
      return reader.read(start, length);
    }
  }
  return undefined;
}

const profileReaders = { jpg: jpegProfile, png: pngProfile, webp: webpProfile };

function jpegWithProfile(file: Buffer, profile: Uint8Array): Buffer {
  const count = Math.ceil(profile.length / maxPartLength);
  const segments = Array.from({ length: count }, (_, index) => {
    const part = profile.subarray(index * maxPartLength, (index + 1) * maxPartLength);
    return jpegSegment(0xe2, Buffer.concat([jpegMark, Buffer.from([index + 1, count]), part]));
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
