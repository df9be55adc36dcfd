import { type Chunk, jpegSegments, pngChunks } from '../formats/containers.ts';
import type { ReadableFile } from '../formats/dimensions.ts';
import { RangeReader } from '../formats/rangeReader.ts';
import { sniffImage, sniffLength } from '../formats/sniff.ts';

/** How a PNG file ends, unless something stands behind its image. */
const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex');
const jpegEnd = Buffer.from('ffd9', 'hex');

/**
 * Whether a PNG, JPEG or WebP file ends before its image does. Its pixels are not decoded, and what stands behind the
 * end of the image does not matter.
 *
 * @param file the bytes, or an open file
 * @param size in bytes
 */
export async function isCut(file: ReadableFile | Uint8Array, size: number): Promise<boolean> {
  const reader = new RangeReader(file);
  const start = await reader.read(0, sniffLength);
  const endsIn = async (end: Buffer): Promise<boolean> =>
    (await reader.read(Math.max(0, size - end.length), end.length)).equals(end);
  switch (sniffImage(start)?.extension) {
    case 'png':
      return !((await endsIn(pngEnd)) || (await holds(pngChunks(reader), 'IEND', size - 4)));
    case 'jpg':
      return !((await endsIn(jpegEnd)) || (await holds(jpegSegments(reader), 'EOI', size)));
    case 'webp':
      return start.readUInt32LE(4) + 8 > size;
    case undefined:
      return false;
  }
}

/** Whether there is a chunk of this type whose data end by then. */
async function holds(chunks: AsyncIterable<Chunk>, type: string, end: number): Promise<boolean> {
  for await (const chunk of chunks) {
    if (chunk.type === type) {
      return chunk.start + chunk.length <= end;
    }
  }
  return false;
}
