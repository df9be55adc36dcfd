import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { Pixels } from './canvas.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const compress = promisify(deflate);

/** Encodes opaque pixels as an 8-bit PNG without alpha; the compression runs on Node's thread pool. */
export async function encodePng({ width, height, rgba }: Pixels): Promise<Buffer> {
  const stride = 1 + width * 3;
  const filtered = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row++) {
    const start = row * stride;
    // "Up" filter: painted skies change little from row to row.
    filtered[start] = row === 0 ? 0 : 2;
    for (let column = 0; column < width; column++) {
      const from = (row * width + column) * 4;
      for (let channel = 0; channel < 3; channel++) {
        const above = row === 0 ? 0 : (rgba[from - width * 4 + channel] ?? 0);
        filtered[start + 1 + column * 3 + channel] = (rgba[from + channel] ?? 0) - above;
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', await compress(filtered, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
