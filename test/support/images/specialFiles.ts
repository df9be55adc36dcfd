import sharp, { type JpegOptions } from 'sharp';
import { sniffImage } from '../../../src/images/formats/sniff.ts';
import { pngChunk } from './pngFile.ts';

/** An animated WebP file of two frames. */
export async function animatedWebp(width: number, height: number): Promise<Buffer> {
  const frame = (background: string): Promise<Buffer> =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();
  return sharp([await frame('red'), await frame('blue')], { join: { animated: true } })
    .webp()
    .toBuffer();
}

/** A JPEG file with the four colors of printing. */
export async function cmykJpeg(width: number, height: number, options?: JpegOptions): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .toColourspace('cmyk')
    .jpeg(options)
    .toBuffer();
}

/** A JPEG file that says of itself that it has twelve bits per channel. */
export function twelveBitJpeg(jpeg: Uint8Array): Buffer {
  const bytes = Buffer.from(jpeg);
  const frame = [0xc0, 0xc2].map((type) => bytes.indexOf(Buffer.of(0xff, type))).find((at) => at > 0) ?? 0;
  bytes[frame] = 0xff;
  bytes[frame + 1] = 0xc1;
  bytes[frame + 4] = 12;
  return bytes;
}

/** The same PNG picture as an animation of one frame. */
export function animatedPng(png: Uint8Array): Buffer {
  const bytes = Buffer.from(png);
  const control = Buffer.alloc(8);
  control.writeUInt32BE(1);
  const frame = Buffer.alloc(26);
  bytes.copy(frame, 4, 16, 24);
  frame.writeUInt16BE(1, 20);
  frame.writeUInt16BE(10, 22);
  return withPngChunks(bytes, pngChunk('acTL', control), pngChunk('fcTL', frame));
}

/** The same PNG picture with some chunks right after its header. */
export function withPngChunks(png: Uint8Array, ...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

/** The same picture with something in the place where Content Credentials are. */
export function withCredentials(file: Uint8Array): Buffer {
  const store = Buffer.from('\0\0\0\x19jumb\0\0\0\x11jumdc2pa\0', 'latin1');
  switch (sniffImage(file)?.extension) {
    case 'png':
      return withPngChunks(file, pngChunk('caBX', store));
    case 'jpg': {
      const segment = Buffer.concat([
        Buffer.from([0xff, 0xeb, 0, 0]),
        Buffer.from('JP\0\x01\0\0\0\x01', 'latin1'),
        store,
      ]);
      segment.writeUInt16BE(segment.length - 2, 2);
      return Buffer.concat([file.subarray(0, 2), segment, file.subarray(2)]);
    }
    case 'webp': {
      const head = Buffer.from('C2PA\0\0\0\0', 'latin1');
      head.writeUInt32LE(store.length, 4);
      const bytes = Buffer.concat([file, head, store, Buffer.alloc(store.length & 1)]);
      bytes.writeUInt32LE(bytes.length - 8, 4);
      return bytes;
    }
    case undefined:
      throw new TypeError('This is no image.');
  }
}
