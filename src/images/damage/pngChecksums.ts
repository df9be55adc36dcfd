import { finished } from 'node:stream/promises';
import { crc32, createInflate } from 'node:zlib';
import { pngChannels } from './pngDamage.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length of a chunk's length and type, and of its checksum. */
const headLength = 8;
const checksumLength = 4;

interface Chunk {
  type: string;
  content: Buffer;
  /** Of the checksum in the file. */
  at: number;
  /** The checksum as it must be, and as earlier versions wrote it. */
  checksum: number;
  oldChecksum: number;
}

/**
 * Returns a PNG file with the checksums of its chunks put right, where nothing else is wrong with it: earlier versions
 * wrote masks with wrong ones, which most decoders refuse. A wrong checksum is taken for that mistake, and not for
 * damage, only where it is what they wrote, which is the same for some other bytes too, and where something else vouches
 * for the chunk: the size in the header for the number of pixels, and the checksum that compressed pixels carry
 * themselves for those.
 *
 * @returns the same object where nothing is wrong, where more than that is, and for what is no PNG
 */
export async function withRightChecksums(bytes: Uint8Array): Promise<Uint8Array> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = chunksOf(file);
  const wrong = chunks?.filter(({ at, checksum }) => file.readUInt32BE(at) !== checksum) ?? [];
  const isOld = ({ type, at, oldChecksum }: Chunk): boolean =>
    ['IHDR', 'IDAT', 'IEND'].includes(type) && file.readUInt32BE(at) === oldChecksum;
  if (!chunks || wrong.length === 0 || !wrong.every(isOld)) {
    return bytes;
  }
  const length = pixelsLength(chunks[0]?.content ?? Buffer.alloc(0));
  if (length === undefined || !(await inflatesTo(chunks, length))) {
    return bytes;
  }
  const right = Buffer.from(file);
  for (const { at, checksum } of wrong) {
    right.writeUInt32BE(checksum, at);
  }
  return right;
}

/** The chunks from the header to the end; undefined where they do not fill the file exactly. */
function chunksOf(file: Buffer): Chunk[] | undefined {
  if (!file.subarray(0, signature.length).equals(signature)) {
    return undefined;
  }
  const chunks: Chunk[] = [];
  for (let position = signature.length; position + headLength + checksumLength <= file.length;) {
    const at = position + headLength + file.readUInt32BE(position);
    if (at + checksumLength > file.length) {
      return undefined;
    }
    const type = file.toString('latin1', position + 4, position + headLength);
    const covered = file.subarray(position + 4, at);
    const content = file.subarray(position + headLength, at);
    chunks.push({ type, content, at, checksum: crc32(covered), oldChecksum: oldChecksumOf(covered) });
    position = at + checksumLength;
    if (type === 'IEND') {
      const isEnd = file.readUInt32BE(at - headLength) === 0 && position === file.length;
      return isEnd && chunks[0]?.type === 'IHDR' ? chunks : undefined;
    }
  }
  return undefined;
}

/** How many bytes the pixels of a file with this header are, not compressed; undefined for a header of no use. */
function pixelsLength(header: Buffer): number | undefined {
  if (header.length !== 13) {
    return undefined;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, color = 0, compression, filter, interlacing] = header.subarray(8);
  const count = pngChannels.get(color);
  const isPlain = compression === 0 && filter === 0 && interlacing === 0;
  if (width === 0 || height === 0 || ![1, 2, 4, 8, 16].includes(depth) || count === undefined || !isPlain) {
    return undefined;
  }
  return height * (1 + Math.ceil((width * depth * count) / 8));
}

/** Whether the compressed pixels are whole, and so many bytes. */
async function inflatesTo(chunks: readonly Chunk[], length: number): Promise<boolean> {
  const inflate = createInflate();
  let left = length;
  inflate.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) {
      inflate.destroy();
    }
  });
  const pixels = chunks.flatMap(({ type, content }) => (type === 'IDAT' ? content : []));
  for (const content of pixels) {
    inflate.write(content);
  }
  inflate.end();
  // Rejects for what breaks off, for its own checksum being wrong, and for what was destroyed above.
  const isWhole = await finished(inflate).then(
    () => true,
    () => false,
  );
  const hasNothingBehind = inflate.bytesWritten === pixels.reduce((sum, { length }) => sum + length, 0);
  return isWhole && left === 0 && hasNothingBehind;
}

/** The table of earlier versions: the remainder of a negative number is not 1. */
const oldTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) {
    value = value % 2 === 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  }
  return value;
});

function oldChecksumOf(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value = (oldTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  }
  return (value ^ 0xffffffff) >>> 0;
}
