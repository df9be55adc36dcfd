import { imageSize } from './codecSet.ts';

/** Inserts chunks right after the header of a PNG file, whose length is always the same. */
export function behindPngHeader(file: Uint8Array, chunks: readonly Uint8Array[]): Buffer {
  return Buffer.concat([file.subarray(0, 33), ...chunks, file.subarray(33)]);
}

/** Returns the end of the JFIF header or, without one, of the signature of a JPEG file. */
export function jfifEnd(file: Buffer): number {
  return file[3] === 0xe0 ? 4 + file.readUInt16BE(4) : 2;
}

/** Frames the data of a JPEG segment. @param marker its second byte */
export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

export function riffChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}

/**
 * Converts a WebP file to the extended format, and adds chunks after its header and at its end.
 *
 * @param flag of the header for these chunks
 */
export function extendedWebp(
  file: Buffer,
  flag: number,
  { first = [], last = [] }: { first?: readonly Buffer[]; last?: readonly Buffer[] },
): Buffer {
  const { width, height } = imageSize(file);
  const isExtended = file.toString('latin1', 12, 16) === 'VP8X';
  const head = Buffer.alloc(10);
  head[0] = flag | (isExtended ? (file[20] ?? 0) : hasAlpha(file) ? 0x10 : 0);
  head.writeUIntLE(width - 1, 4, 3);
  head.writeUIntLE(height - 1, 7, 3);
  const end = 8 + file.readUInt32LE(4);
  const body = Buffer.concat([
    Buffer.from('WEBP', 'latin1'),
    riffChunk('VP8X', head),
    ...first,
    file.subarray(isExtended ? 30 : 12, end),
    ...last,
  ]);
  return riffChunk('RIFF', body);
}

/** Whether a WebP file in the simple format is lossless and has transparent pixels. */
function hasAlpha(file: Buffer): boolean {
  return file.toString('latin1', 12, 16) === 'VP8L' && ((file[24] ?? 0) & 0x10) !== 0;
}
