/** A chunk of a WebP file, filled up to an even length. */
export function riffChunk(type: string, data: Uint8Array | readonly number[] | number = 0): Buffer {
  const body = typeof data === 'number' ? Buffer.alloc(data) : Buffer.from(data);
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length & 1)]);
}

export function webpOf(...chunks: readonly Buffer[]): Buffer {
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

/** The data of a lossy picture, of which only the head has a meaning. */
export function lossyData(
  width: number,
  height: number,
  { tag = 0x10, firstPart = 1, length = 11 } = {},
): Buffer {
  const data = Buffer.alloc(Math.max(length, 10));
  data.writeUIntLE((firstPart << 5) | tag, 0, 3);
  data.set([0x9d, 0x01, 0x2a], 3);
  data.writeUInt16LE(width, 6);
  data.writeUInt16LE(height, 8);
  return data.subarray(0, length);
}

/** The data of a lossless picture, of which only the head has a meaning. */
export function losslessData(
  width: number,
  height: number,
  { alpha = 1, version = 0, length = 6 } = {},
): Buffer {
  const data = Buffer.alloc(Math.max(length, 5));
  data[0] = 0x2f;
  data.writeUInt32LE(((width - 1) | ((height - 1) << 14) | (alpha << 28) | (version << 29)) >>> 0, 1);
  return data.subarray(0, length);
}

/** The data of the chunk that begins the extended format. */
export function canvasData(width: number, height: number, flags = 0): Buffer {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return data;
}
