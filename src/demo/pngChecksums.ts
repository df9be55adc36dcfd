import { crc32 } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Finds the first chunk of a PNG file whose checksum is wrong, which real services refuse and the codecs overlook. */
export function wrongChunk(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, signature.length).equals(signature)) {
    return undefined;
  }
  for (let position = signature.length; position + 12 <= file.length;) {
    const end = position + 8 + file.readUInt32BE(position);
    const type = file.toString('latin1', position + 4, position + 8);
    if (end + 4 > file.length || file.readUInt32BE(end) !== crc32(file.subarray(position + 4, end))) {
      return type;
    }
    if (type === 'IEND') {
      return undefined;
    }
    position = end + 4;
  }
  return undefined;
}
