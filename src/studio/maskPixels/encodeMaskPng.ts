import { copyRow, type MaskPixels } from './maskPixels.ts';

const chunkLength = 4 * 1024 * 1024;

/** Encodes a mask as a black PNG, whose transparency is the edited amount. */
export async function encodeMaskPng(mask: MaskPixels): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = mask;
  const header = new Uint8Array(13);
  const fields = new DataView(header.buffer);
  fields.setUint32(0, width);
  fields.setUint32(4, height);
  // Eight bits per channel; red, green, blue, and alpha.
  header.set([8, 6], 8);
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const file = new Blob([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', await deflated(rowsOf(mask))),
    chunk('IEND', new Uint8Array()),
  ]);
  return new Uint8Array(await file.arrayBuffer());
}

/** Yields the rows of the PNG, each after a zero byte, which means no filter. */
function* rowsOf(mask: MaskPixels): Generator<Uint8Array<ArrayBuffer>> {
  const { width, height } = mask;
  const length = 1 + 4 * width;
  const rowsAtOnce = Math.max(1, Math.floor(chunkLength / length));
  const row = new Uint8Array(width);
  for (let top = 0; top < height; top += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, height - top);
    const bytes = new Uint8Array(rows * length);
    for (let y = 0; y < rows; y++) {
      copyRow(mask, top + y, row);
      for (let x = 0; x < width; x++) {
        bytes[y * length + 4 + 4 * x] = 255 - (row[x] ?? 0);
      }
    }
    yield bytes;
  }
}

async function deflated(parts: Iterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  const compressor = new CompressionStream('deflate');
  const compressed = new Response(compressor.readable).arrayBuffer();
  const writer = compressor.writable.getWriter();
  for (const part of parts) {
    await writer.write(part);
  }
  await writer.close();
  return new Uint8Array(await compressed);
}

function chunk(type: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(content.length + 12);
  const fields = new DataView(bytes.buffer);
  fields.setUint32(0, content.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(content, 8);
  fields.setUint32(8 + content.length, checksum(bytes.subarray(4, 8 + content.length)));
  return bytes;
}

const checksumTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) {
    value = (value & 1) === 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  }
  return value;
});

function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value = (checksumTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  }
  return (value ^ 0xffffffff) >>> 0;
}
