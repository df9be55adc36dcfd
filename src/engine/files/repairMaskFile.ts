import { finished } from 'node:stream/promises';
import { crc32, createInflate } from 'node:zlib';
import { pngChunks, RangeReader } from '../../images/formats/containers.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { pngHeader, rowLength } from '../../images/formats/pngDamage.ts';
import { readFile } from 'node:fs/promises';

const checksumLength = 4;

interface SummedChunk {
  type: string;
  content: Buffer;
  /** The position of the checksum in the file. */
  at: number;
  /** The correct checksum, and the one that earlier versions wrote. */
  checksum: number;
  oldChecksum: number;
}

/**
 * Corrects the checksums of a PNG file that has no other fault. Earlier versions wrote masks with wrong checksums,
 * which most decoders refuse. A wrong checksum counts as that mistake, not as damage, only if it is the one that those
 * versions wrote and something else confirms the chunk: the number of pixels confirms the size in the header, and the
 * checksum inside the compressed data confirms the pixels.
 *
 * @returns the same object if nothing or something else is wrong, and for other formats
 */
export async function repairMaskFile(bytes: Uint8Array): Promise<Uint8Array> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = await chunksOf(file);
  const wrong = chunks?.filter(({ at, checksum }) => file.readUInt32BE(at) !== checksum) ?? [];
  const isOld = ({ type, at, oldChecksum }: SummedChunk): boolean =>
    ['IHDR', 'IDAT', 'IEND'].includes(type) && file.readUInt32BE(at) === oldChecksum;
  if (!chunks || wrong.length === 0 || !wrong.every(isOld)) {
    return bytes;
  }
  const header = pngHeader(chunks[0]?.content);
  if (
    !header ||
    header.interlaced ||
    !(await inflatesTo(chunks, header.height * rowLength(header.width, header)))
  ) {
    return bytes;
  }
  const right = Buffer.from(file);
  for (const { at, checksum } of wrong) {
    right.writeUInt32BE(checksum, at);
  }
  return right;
}

/** Returns the chunks from the header to the end, or `undefined` if they do not fill the file exactly. */
async function chunksOf(file: Buffer): Promise<SummedChunk[] | undefined> {
  const chunks: SummedChunk[] = [];
  const all = sniffImage(file)?.extension === 'png' ? pngChunks(new RangeReader(file)) : [];
  for await (const { type, start, length } of all) {
    const at = start + length;
    const end = at + checksumLength;
    const covered = file.subarray(start - type.length, at);
    const content = file.subarray(start, at);
    chunks.push({ type, content, at, checksum: crc32(covered), oldChecksum: oldChecksumOf(covered) });
    if (type === 'IEND') {
      return length === 0 && end === file.length && chunks[0]?.type === 'IHDR' ? chunks : undefined;
    }
  }
  return undefined;
}

/** Whether the compressed pixels are complete and inflate to this length. */
async function inflatesTo(chunks: readonly SummedChunk[], length: number): Promise<boolean> {
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
  // Rejects if the data is cut off, its own checksum is wrong, or the stream was destroyed above.
  const isWhole = await finished(inflate).then(
    () => true,
    () => false,
  );
  const hasNothingBehind = inflate.bytesWritten === pixels.reduce((sum, { length }) => sum + length, 0);
  return isWhole && left === 0 && hasNothingBehind;
}

/** The table of earlier versions, which is wrong because the remainder of a negative number is not 1. */
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

/** Reads a mask file and corrects the checksums that earlier versions wrote. */
export async function readMaskFile(path: string): Promise<Uint8Array> {
  return repairMaskFile(await readFile(path));
}
