import { crc32, deflateSync } from 'node:zlib';

export interface PngFile {
  width: number;
  height: number;
  bitDepth: 1 | 2 | 4 | 8 | 16;
  /** 0 gray, 2 RGB, 3 palette, 4 gray with alpha, 6 RGB with alpha. */
  colourType: 0 | 2 | 3 | 4 | 6;
  interlaced?: boolean;
  palette?: number[];
  transparency?: number[];
  /** Scan lines, each with its filter byte. */
  lines: number[] | Uint8Array;
}

/** Writes a PNG of any kind by hand, so that decoding is not tested with the encoder of the same package. */
export function pngFile(file: PngFile): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(file.width, 0);
  header.writeUInt32BE(file.height, 4);
  header.set([file.bitDepth, file.colourType, 0, 0, file.interlaced === true ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    ...(file.palette === undefined ? [] : [pngChunk('PLTE', Buffer.from(file.palette))]),
    ...(file.transparency === undefined ? [] : [pngChunk('tRNS', Buffer.from(file.transparency))]),
    pngChunk('IDAT', deflateSync(Buffer.from(file.lines))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A chunk of a PNG file, with its checksum. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
