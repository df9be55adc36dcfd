import { type Chunk, jpegSegments, type RangeReader } from './containers.ts';
import { DamageFound } from './damage.ts';

/**
 * Checks a JPEG file up to its end: the order of its segments, their lengths, and the size of the image. Leaves tables
 * and pixels to decoders.
 *
 * @throws DamageFound for the first fault
 */
export async function checkJpeg(reader: RangeReader): Promise<void> {
  let last: Chunk = { type: 'SOI', offset: 0, start: 2, length: 0 };
  let hasFrame = false;
  let hasScan = false;
  /** The number of restart markers in this scan, which are numbered from 0 to 7 in turn. */
  let restarts: number | undefined;
  for await (const segment of jpegSegments(reader)) {
    const { type, offset, start, length } = segment;
    if (/FF|JPG/u.test(type)) {
      throw new DamageFound('unknown', segment);
    }
    if (length < 0) {
      throw new DamageFound('contents', segment);
    }
    if (type.startsWith('RST')) {
      if (restarts === undefined || type !== `RST${restarts % 8}`) {
        throw new DamageFound('order', segment);
      }
      restarts += 1;
    } else {
      restarts = undefined;
    }
    if (type === 'SOI' || (type.startsWith('SOF') && hasFrame)) {
      throw new DamageFound('order', segment);
    }
    if (type.startsWith('SOF')) {
      checkFrame(segment, await reader.read(start, length));
      hasFrame = true;
    }
    if (type === 'SOS') {
      if (!hasFrame) {
        throw new DamageFound('missing', { type: 'SOF', offset });
      }
      hasScan = true;
      restarts = 0;
    }
    if (type === 'EOI') {
      if (!hasScan) {
        throw new DamageFound('missing', { type: hasFrame ? 'SOS' : 'SOF', offset });
      }
      return;
    }
    last = segment;
  }
  const end = last.start + last.length;
  const next = await reader.read(end, 2);
  throw restarts === undefined && next.length === 2 && next[0] !== 0xff
    ? new DamageFound('unknown', { type: next.toString('latin1'), offset: end })
    : new DamageFound('truncated', last);
}

function checkFrame(segment: Chunk, data: Buffer): void {
  if (data.length < segment.length) {
    throw new DamageFound('truncated', segment);
  }
  const count = data[5] ?? 0;
  const isWhole = count > 0 && data.length === 6 + count * 3;
  if (!isWhole || data.readUInt16BE(1) === 0 || data.readUInt16BE(3) === 0) {
    throw new DamageFound('contents', segment);
  }
}
