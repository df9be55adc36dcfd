import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Makes a whole PNG of noise, RGB and about square. Its compressed pixels look like those of any picture, and they are
 * made fast, since noise cannot be compressed.
 *
 * @param size of the file in bytes, exactly; at least 200
 */
export function makePicture(size: number): Buffer {
  const width = Math.floor(Math.sqrt(size / 3));
  const rowLength = 1 + 3 * width;
  // A little is left for the frames of chunks and of what is compressed.
  const height = Math.floor((0.999 * (size - 100)) / rowLength);
  const pixels = randomBytes(height * rowLength);
  for (let start = 0; start < pixels.length; start += rowLength) {
    // No filter.
    pixels[start] = 0;
  }
  const parts = [
    signature,
    chunk('IHDR', header(width, height)),
    chunk('IDAT', deflateSync(pixels, { level: 0 })),
  ];
  const end = chunk('IEND');
  const length = [...parts, end].reduce((sum, part) => sum + part.length, 0);
  // A private chunk, which readers skip, makes it exact.
  const filler = chunk('fiLl', Buffer.alloc(size - length - chunk('fiLl').length));
  return Buffer.concat([...parts, filler, end], size);
}

function header(width: number, height: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  // 8 bits for each of red, green and blue.
  data.set([8, 2, 0, 0, 0], 8);
  return data;
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const framed = Buffer.alloc(data.length + 12);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  framed.set(data, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, -4)), data.length + 8);
  return framed;
}
