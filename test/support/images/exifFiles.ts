import { sniffImage } from '../../../src/images/formats/sniff.ts';
import { pngChunk } from './pngFile.ts';

/** EXIF data with an orientation and nothing else, in either byte order. */
export function exifBlock(orientation: number, order: 'II' | 'MM' = 'MM'): Buffer {
  const little = order === 'II';
  const block = Buffer.alloc(26);
  block.write(order, 'latin1');
  const short = (value: number, at: number): unknown =>
    little ? block.writeUInt16LE(value, at) : block.writeUInt16BE(value, at);
  const long = (value: number, at: number): unknown =>
    little ? block.writeUInt32LE(value, at) : block.writeUInt32BE(value, at);
  short(42, 2);
  long(8, 4);
  short(1, 8);
  short(0x0112, 10);
  short(3, 12);
  long(1, 14);
  short(orientation, 18);
  return block;
}

/** The same picture with this EXIF data, which comes behind the pixels where `last` asks for it. */
export function withExif(file: Uint8Array, exif: Uint8Array, { last = false } = {}): Buffer {
  const bytes = Buffer.from(file);
  switch (sniffImage(file)?.extension) {
    case 'jpg': {
      const head = Buffer.from([0xff, 0xe1, 0, 0]);
      const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]);
      head.writeUInt16BE(body.length + 2, 2);
      return Buffer.concat([bytes.subarray(0, 2), head, body, bytes.subarray(2)]);
    }
    case 'png': {
      const at = last ? bytes.length - 12 : 33;
      return Buffer.concat([bytes.subarray(0, at), pngChunk('eXIf', exif), bytes.subarray(at)]);
    }
    case 'webp':
      return webpWithExif(bytes, exif);
    case undefined:
      throw new TypeError('This is no image.');
  }
}

/** A WebP file in the extended format, where EXIF data come behind the pixels. */
function webpWithExif(bytes: Buffer, exif: Uint8Array): Buffer {
  const extended =
    bytes.toString('latin1', 12, 16) === 'VP8X' ? Buffer.from(bytes.subarray(12)) : extend(bytes);
  extended[8] = (extended[8] ?? 0) | 0x08;
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), extended, riffChunk('EXIF', exif)]);
  return riffChunk('RIFF', body);
}

/** The chunks of a WebP file in the simple format, after one that says what there is. */
function extend(bytes: Buffer): Buffer {
  const head = Buffer.alloc(10);
  const lossless = bytes.toString('latin1', 12, 16) === 'VP8L';
  const bits = lossless ? bytes.readUInt32LE(21) : 0;
  head[0] = lossless ? 0x10 : 0;
  head.writeUIntLE(lossless ? bits & 0x3fff : (bytes.readUInt16LE(26) & 0x3fff) - 1, 4, 3);
  head.writeUIntLE(lossless ? (bits >>> 14) & 0x3fff : (bytes.readUInt16LE(28) & 0x3fff) - 1, 7, 3);
  return Buffer.concat([riffChunk('VP8X', head), bytes.subarray(12)]);
}

function riffChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}
