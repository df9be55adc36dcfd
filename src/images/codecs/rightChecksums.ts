import { crc32 } from 'node:zlib';
import { pngChunks } from '../formats/containers.ts';
import { RangeReader } from '../formats/rangeReader.ts';

/** Returns a PNG file whose checksums are right up to its end, so that decoders read the pixels that are left. */
export async function withRightChecksums(bytes: Uint8Array): Promise<Uint8Array> {
  const file = Buffer.from(bytes);
  for await (const { type, start, length } of pngChunks(new RangeReader(file))) {
    const end = start + length;
    if (end + 4 > file.length) {
      break;
    }
    file.writeUInt32BE(crc32(file.subarray(start - 4, end)), end);
    if (type === 'IEND') {
      break;
    }
  }
  return file;
}
