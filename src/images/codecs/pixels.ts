import { crc32 } from 'node:zlib';
import { pngChunksBeforePixels, RangeReader } from '../formats/containers.ts';
import { pngHeader } from '../formats/pngDamage.ts';

/** Decoded pixels: four bytes each (red, green, blue, alpha, not premultiplied), row by row from the top. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** The options that are passed to a codec: a function for the lines that it prints. */
export interface CodecOptions {
  print: (line: string) => void;
  printErr: (line: string) => void;
}

export interface ImageDataLike {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** Returns pixels as one number each, in place or, if they are not aligned, in a copy. */
export function asPixelWords(rgba: Uint8Array): Uint32Array {
  const aligned = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

/** The lowest number of an opaque pixel. */
export const opaqueWord = 0xff000000;

/** Whether all pixels are opaque. */
export function isOpaque({ rgba }: Pixels): boolean {
  const words = asPixelWords(rgba);
  for (let at = 0; at < words.length; at++) {
    if ((words[at] ?? 0) < opaqueWord) {
      return false;
    }
  }
  return true;
}

/** Frees an array's memory at once. Its buffer can't be read afterwards. */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) {
    buffer.transfer(0);
  }
}

/** An error for pixels that could not be read or written. */
export class CodecError extends Error {
  readonly code = 'unsupported_image';
}

export class DamagedImage extends CodecError {
  /** The damage in English, to follow "The image is damaged: ". */
  readonly flaw: string;

  constructor(message: string, flaw: string, options?: ErrorOptions) {
    super(message, options);
    this.flaw = flaw;
  }
}

/**
 * Returns a PNG file whose transparent gray or color has no bits above the image's bit depth. Decoders must ignore
 * such bits, but some don't and would lose the transparency.
 *
 * @returns the same object if there is nothing to clear
 */
export async function withCleanTransparency(bytes: Uint8Array): Promise<Uint8Array> {
  const reader = new RangeReader(bytes);
  let header: ReturnType<typeof pngHeader>;
  for await (const { type, start, length } of pngChunksBeforePixels(reader)) {
    const data = await reader.read(start, length);
    if (type === 'IHDR') {
      header = pngHeader(data);
    }
    if (type !== 'tRNS') {
      continue;
    }
    const isSample = header?.colorType === 0 || header?.colorType === 2;
    const end = start + length;
    if (!header || !isSample || data.length < length || bytes.length < end + 4) {
      return bytes;
    }
    const clean = Buffer.from(data);
    for (let at = 0; at + 2 <= length; at += 2) {
      clean.writeUInt16BE(clean.readUInt16BE(at) % 2 ** header.bitDepth, at);
    }
    const isRight =
      crc32(await reader.read(start - 4, length + 4)) === (await reader.read(end, 4)).readUInt32BE();
    if (clean.equals(data) || !isRight) {
      return bytes;
    }
    const file = Buffer.from(bytes);
    file.set(clean, start);
    file.writeUInt32BE(crc32(file.subarray(start - 4, end)), end);
    return file;
  }
  return bytes;
}
