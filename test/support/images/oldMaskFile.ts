/** Gives a PNG file the checksums that earlier versions wrote into their masks: most of their table was wrong. */
export function withOldChecksums(png: Uint8Array): Buffer {
  const file = Buffer.from(png);
  for (let position = 8; position < file.length;) {
    const end = position + 8 + file.readUInt32BE(position);
    file.writeUInt32BE(oldChecksum(file.subarray(position + 4, end)), end);
    position = end + 4;
  }
  return file;
}

const oldTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) {
    value = value % 2 === 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  }
  return value;
});

function oldChecksum(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value = (oldTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  }
  return (value ^ 0xffffffff) >>> 0;
}
