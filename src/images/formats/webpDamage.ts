import { type Chunk, webpChunks, type RangeReader } from './containers.ts';
import { DamageFound } from './damage.ts';
import { webpSize, type Dimensions } from './dimensions.ts';

interface Canvas extends Dimensions {
  isAnimated: boolean;
}

const animationFlag = 0b10;
const frameHeadLength = 16;
/** The length of an image's head that tells its size, before its data. */
const headLengths: Readonly<Record<string, number>> = { 'VP8 ': 10, VP8L: 5 };

/** The chunks found of an image or of an animation's frame. */
interface Image {
  hasAlpha: boolean;
  isThere: boolean;
}

/** @throws DamageFound for the first fault in a WebP file */
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
  if (!size) {
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

/** Checks an image, which may occur only once, or the transparency that precedes a lossy one. */
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
  } else {
    image.isThere = true;
    await checkSize(reader, chunk, size);
  }
}

async function checkSize(reader: RangeReader, chunk: Chunk, size: Dimensions | undefined): Promise<void> {
  const headLength = headLengths[chunk.type] ?? 0;
  const own =
    chunk.length > headLength ? webpSize(chunk.type, await reader.read(chunk.start, headLength)) : undefined;
  const isAsAnnounced = !size || (own?.width === size.width && own.height === size.height);
  if (!own || own.width === 0 || own.height === 0 || !isAsAnnounced) {
    throw new DamageFound('contents', chunk);
  }
}
