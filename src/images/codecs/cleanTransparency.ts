import { crc32 } from 'node:zlib';
import { pngChunksBeforePixels } from '../formats/containers.ts';
import { RangeReader } from '../formats/rangeReader.ts';
import { pngHeader } from '../damage/pngDamage.ts';

/**
 * Returns a PNG file in which the transparent gray or color has no bits above the depth of the image. Decoders must
 * ignore such bits, but not every one does: the transparency would be lost.
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
    const isSample = header?.colourType === 0 || header?.colourType === 2;
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
