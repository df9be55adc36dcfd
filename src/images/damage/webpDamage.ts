import { type Chunk, webpChunks } from '../formats/containers.ts';
import { DamageFound } from './damage.ts';
import { webpSize, type Dimensions } from '../formats/dimensions.ts';
import type { RangeReader } from '../formats/rangeReader.ts';

/** The header of the extended format. */
interface Canvas extends Dimensions {
  isAnimated: boolean;
}

/** The bits of that header that must be 0. */
const reservedFlags = 0b1100_0001;
const animationFlag = 0b10;
/** The length of an animation frame's head, before its chunks. */
const frameHeadLength = 16;
const animationLength = 6;
/** The length of a lossy image's head, before its data. */
const lossyHeadLength = 10;

/** The chunks found of an image or of an animation's frame. */
interface Image {
  hasAlpha: boolean;
  isThere: boolean;
}

/** @throws DamageFound for the first thing that is wrong with a WebP file */
export async function checkWebp(reader: RangeReader): Promise<void> {
  const riff = { type: 'RIFF', offset: 0 };
  const size = (await reader.read(4, 4)).readUInt32LE();
  const end = 8 + size;
  if ((await reader.read(end - 1, 1)).length === 0) {
    let last = riff;
    for await (const chunk of webpChunks(reader)) {
      last = chunk;
    }
    throw new DamageFound('truncated', last);
  }
  let canvas: Canvas | undefined;
  const image: Image = { hasAlpha: false, isThere: false };
  let hasAnimation = false;
  let isFirst = true;
  let position = 12;
  for await (const chunk of webpChunks(reader, position, end)) {
    const { type } = chunk;
    position = checkedEnd(chunk, end);
    if (isFirst && !['VP8 ', 'VP8L', 'VP8X'].includes(type)) {
      throw new DamageFound('order', chunk);
    }
    if (type === 'VP8X') {
      if (!isFirst) {
        throw new DamageFound('order', chunk);
      }
      canvas = await readCanvas(reader, chunk);
    }
    if (isOfImage(type)) {
      if (canvas?.isAnimated === true) {
        throw new DamageFound('order', chunk);
      }
      await checkImage(reader, chunk, canvas, image);
    }
    if (type === 'ANIM') {
      if (chunk.length !== animationLength) {
        throw new DamageFound('contents', chunk);
      }
      hasAnimation = true;
    }
    if (type === 'ANMF') {
      if (canvas?.isAnimated !== true) {
        throw new DamageFound('order', chunk);
      }
      if (!hasAnimation) {
        throw new DamageFound('missing', { type: 'ANIM', offset: chunk.offset });
      }
      await checkAnimationFrame(reader, chunk, canvas);
      image.isThere = true;
    }
    isFirst = false;
  }
  if (position !== end) {
    throw new DamageFound('contents', riff);
  }
  if (!image.isThere) {
    throw new DamageFound('missing', { type: canvas?.isAnimated === true ? 'ANMF' : 'VP8', offset: end });
  }
}

/** Returns the position of the next chunk. */
function checkedEnd(chunk: Chunk, end: number): number {
  const next = chunk.start + chunk.length + (chunk.length & 1);
  if (next > end) {
    throw new DamageFound('contents', chunk);
  }
  return next;
}

async function readCanvas(reader: RangeReader, chunk: Chunk): Promise<Canvas> {
  const data = await reader.read(chunk.start, 10);
  const flags = data[0] ?? 0;
  const size = chunk.length === 10 && webpSize(chunk.type, data);
  if (!size || (flags & reservedFlags) !== 0 || data.readUIntLE(1, 3) !== 0) {
    throw new DamageFound('contents', chunk);
  }
  return { ...size, isAnimated: (flags & animationFlag) !== 0 };
}

async function checkAnimationFrame(reader: RangeReader, chunk: Chunk, canvas: Canvas): Promise<void> {
  if (chunk.length < frameHeadLength) {
    throw new DamageFound('contents', chunk);
  }
  const head = await reader.read(chunk.start, frameHeadLength);
  const [left, top] = [head.readUIntLE(0, 3) * 2, head.readUIntLE(3, 3) * 2];
  const size = { width: head.readUIntLE(6, 3) + 1, height: head.readUIntLE(9, 3) + 1 };
  if (left + size.width > canvas.width || top + size.height > canvas.height) {
    throw new DamageFound('contents', chunk);
  }
  const end = chunk.start + chunk.length;
  const image: Image = { hasAlpha: false, isThere: false };
  for await (const part of webpChunks(reader, chunk.start + frameHeadLength, end)) {
    checkedEnd(part, end);
    if (isOfImage(part.type)) {
      await checkImage(reader, part, size, image);
    }
  }
  if (!image.isThere) {
    throw new DamageFound('missing', { type: 'VP8', offset: end });
  }
}

function isOfImage(type: string): boolean {
  return type === 'ALPH' || type === 'VP8 ' || type === 'VP8L';
}

/** Checks an image, of which there may be only one, or the transparency that precedes a lossy one. */
async function checkImage(
  reader: RangeReader,
  chunk: Chunk,
  size: Dimensions | undefined,
  image: Image,
): Promise<void> {
  const isAlpha = chunk.type === 'ALPH';
  if (image.isThere || (isAlpha && image.hasAlpha)) {
    throw new DamageFound('order', chunk);
  }
  if (isAlpha) {
    image.hasAlpha = true;
    await checkAlpha(reader, chunk, size);
  } else {
    image.isThere = true;
    await checkFrame(reader, chunk, size);
  }
}

async function checkAlpha(reader: RangeReader, chunk: Chunk, size: Dimensions | undefined): Promise<void> {
  const [head = 0] = await reader.read(chunk.start, 1);
  const [compression, preprocessing, reserved] = [head & 3, (head >> 4) & 3, head >> 6];
  const least = compression === 0 && size ? size.width * size.height : 1;
  // The format's own library also accepts a reserved bit.
  if (chunk.length < 1 + least || compression > 1 || preprocessing > 1 || reserved > 1) {
    throw new DamageFound('contents', chunk);
  }
}

/** Checks the header and the size of an image. */
async function checkFrame(reader: RangeReader, chunk: Chunk, size: Dimensions | undefined): Promise<void> {
  const isLossless = chunk.type === 'VP8L';
  const headLength = isLossless ? 5 : lossyHeadLength;
  const found = chunk.length > headLength && readSize(await reader.read(chunk.start, headLength), chunk);
  if (!found || (size && (found.width !== size.width || found.height !== size.height))) {
    throw new DamageFound('contents', chunk);
  }
}

function readSize(head: Buffer, { type, length }: Chunk): Dimensions | undefined {
  const size = webpSize(type, head);
  if (type === 'VP8L') {
    return head.readUInt32LE(1) >>> 29 === 0 ? size : undefined;
  }
  const tag = head.readUIntLE(0, 3);
  const firstPart = tag >> 5;
  const hasRoom = firstPart > 0 && lossyHeadLength + firstPart <= length;
  // A key frame that is shown and of a known version.
  const isImage = (tag & 1) === 0 && ((tag >> 4) & 1) === 1 && ((tag >> 1) & 7) <= 3;
  return isImage && hasRoom && size && size.width > 0 && size.height > 0 ? size : undefined;
}
