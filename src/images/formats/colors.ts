import { inflateSync } from 'node:zlib';
import { pngColorChunks } from './animation.ts';
import { jpegSegments, pngChunksBeforePixels, RangeReader, webpChunks } from './containers.ts';
import { sniffImage } from './sniff.ts';

/** What a pixel of an image file consists of. */
export interface PixelForm {
  /** Bits of each channel, or of the number of a color in a palette. */
  bits: number;
  colors: 'gray' | 'rgb' | 'palette' | 'cmyk';
  hasAlpha: boolean;
}

const pngColors = new Map<number | undefined, PixelForm['colors']>([
  [0, 'gray'],
  [2, 'rgb'],
  [3, 'palette'],
  [4, 'gray'],
  [6, 'rgb'],
]);

/** Reads the form of the pixels from the headers of a PNG, JPEG, or WebP file. */
export async function readPixelForm(bytes: Uint8Array): Promise<PixelForm | undefined> {
  const reader = new RangeReader(bytes);
  const head = await reader.read(0, 32);
  switch (sniffImage(bytes)?.extension) {
    case 'png': {
      const colors = pngColors.get(head[25]);
      let hasAlpha = head[25] === 4 || head[25] === 6;
      for await (const { type } of pngChunksBeforePixels(reader)) {
        hasAlpha ||= type === 'tRNS';
      }
      return colors && { bits: head[24] ?? 8, colors, hasAlpha };
    }
    case 'jpg':
      for await (const { type, start } of jpegSegments(reader)) {
        if (type.startsWith('SOF')) {
          const [bits = 8, , , , , channels = 3] = await reader.read(start, 6);
          return { bits, colors: channels === 1 ? 'gray' : channels === 4 ? 'cmyk' : 'rgb', hasAlpha: false };
        }
      }
      return undefined;
    case 'webp': {
      const alpha = { VP8X: ((head[20] ?? 0) & 0x10) !== 0, VP8L: ((head[24] ?? 0) & 0x10) !== 0 };
      const type = head.toString('latin1', 12, 16);
      return { bits: 8, colors: 'rgb', hasAlpha: (type === 'VP8X' || type === 'VP8L') && alpha[type] };
    }
    case undefined:
      return undefined;
  }
}

/** Maximum length of a profile in bytes: a JPEG file holds it in at most 255 segments. */
export const maxProfileLength = 255 * 65_519;
export const jpegProfileMark = Buffer.from('ICC_PROFILE\0', 'latin1');

/** Returns a file's ICC profile, for whichever colors. */
export async function readProfile(bytes: Uint8Array): Promise<Buffer | undefined> {
  const format = sniffImage(bytes);
  return format && profileReaders[format.extension](bytes);
}

/** Reads the profile of a JPEG file, which may be split into numbered parts. */
async function jpegProfile(bytes: Uint8Array): Promise<Buffer | undefined> {
  const reader = new RangeReader(bytes);
  const parts = new Map<number, Buffer>();
  let count = 0;
  for await (const { type, start, length } of jpegSegments(reader)) {
    if (type === 'SOS') {
      break;
    }
    const part = type === 'APP2' ? await reader.read(start, length) : undefined;
    if (part?.subarray(0, jpegProfileMark.length).equals(jpegProfileMark) === true) {
      parts.set(part[jpegProfileMark.length] ?? 0, part.subarray(jpegProfileMark.length + 2));
      count = part[jpegProfileMark.length + 1] ?? 0;
    }
  }
  const inOrder = [...parts].toSorted(([one], [other]) => one - other);
  return count > 0 && inOrder.length === count ? Buffer.concat(inOrder.map(([, part]) => part)) : undefined;
}

async function pngProfile(bytes: Uint8Array): Promise<Buffer | undefined> {
  const chunk = (await pngColorChunks(bytes)).get('iCCP');
  try {
    // Skip a name, its terminator, and a byte for the only compression method.
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

/** Returns the name that an ICC profile gives itself, such as `Display P3`. */
export function profileName(profile: Buffer): string | undefined {
  const count = profile.length < 132 ? 0 : profile.readUInt32BE(128);
  for (let entry = 132; entry < 132 + 12 * count && entry + 12 <= profile.length; entry += 12) {
    if (profile.toString('latin1', entry, entry + 4) === 'desc') {
      const start = profile.readUInt32BE(entry + 4);
      return descriptionIn(profile.subarray(start, start + profile.readUInt32BE(entry + 8)));
    }
  }
  return undefined;
}

/** Reads the text of a profile's tag: plain, or the first of several languages. */
function descriptionIn(tag: Buffer): string | undefined {
  if (tag.length < 28) {
    return undefined;
  }
  if (tag.toString('latin1', 0, 4) !== 'mluc') {
    return tag.toString('latin1', 12, 12 + tag.readUInt32BE(8)).replace(/\0.*$/su, '');
  }
  const start = tag.readUInt32BE(24);
  return new TextDecoder('utf-16be').decode(tag.subarray(start, start + tag.readUInt32BE(20)));
}
