import { type Chunk, jpegSegments } from './containers.ts';
import { DamageFound } from './damage.ts';
import type { RangeReader } from './rangeReader.ts';

/** How XMP data begin, after `http:` and two slashes. */
const xmpMark = 'ns.adobe.com/xap/1.0/\0';
const xmpMarkStart = 7;

/** @throws DamageFound for the first thing that is wrong with a JPEG file */
export async function checkJpeg(reader: RangeReader): Promise<void> {
  let last: Chunk = { type: 'SOI', offset: 0, start: 2, length: 0 };
  let hasFrame = false;
  let scans = 0;
  /** Restart markers are counted from 0 to 7, over and over, in each scan. */
  let restarts: number | undefined;
  let announcesMore = false;
  for await (const segment of jpegSegments(reader)) {
    const { type, offset, start, length } = segment;
    if (last.type === 'SOS' && offset === last.start + last.length) {
      throw new DamageFound('tooFewPixels', last);
    }
    if (length < 0) {
      throw new DamageFound('contents', segment);
    }
    if (type.startsWith('RST')) {
      if (restarts === undefined || type !== `RST${restarts % 8}`) {
        throw new DamageFound('order', segment);
      }
      restarts += 1;
    } else if (type === 'SOS') {
      if (!hasFrame) {
        throw new DamageFound('missing', { type: 'SOF', offset });
      }
      await checkComponents(reader, segment, 0, 2);
      scans += 1;
      restarts = 0;
    } else {
      restarts = undefined;
    }
    if (type === 'SOI' || (type.startsWith('SOF') && hasFrame)) {
      throw new DamageFound('order', segment);
    }
    if (type.startsWith('SOF')) {
      await checkFrame(reader, segment);
      hasFrame = true;
    }
    if (type === 'APP1' || type === 'APP2') {
      announcesMore ||= announcesFiles(type, await reader.read(start, length));
    }
    if (type === 'EOI') {
      if (scans === 0) {
        throw new DamageFound('missing', { type: hasFrame ? 'SOS' : 'SOF', offset });
      }
      if (!announcesMore && !(await endsWell(reader, start))) {
        throw new DamageFound('trailing', { type, offset: start });
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

async function checkFrame(reader: RangeReader, segment: Chunk): Promise<void> {
  const data = await checkComponents(reader, segment, 5, 3);
  if (data.readUInt16BE(1) === 0 || data.readUInt16BE(3) === 0) {
    throw new DamageFound('contents', segment);
  }
}

/**
 * Checks that a segment has the length that its number of components asks for. Behind the number, and what it has for
 * each of them, a scan has three bytes more.
 *
 * @returns its data
 */
async function checkComponents(
  reader: RangeReader,
  segment: Chunk,
  countAt: number,
  each: number,
): Promise<Buffer> {
  const data = await reader.read(segment.start, segment.length);
  if (data.length < segment.length) {
    throw new DamageFound('truncated', segment);
  }
  const count = data[countAt] ?? 0;
  const length = countAt + 1 + count * each + (segment.type === 'SOS' ? 3 : 0);
  if (count === 0 || data.length !== length) {
    throw new DamageFound('contents', segment);
  }
  return data;
}

/** Whether a segment says that the file goes on after the image: more pictures, or a film, as telephones write them. */
function announcesFiles(type: string, data: Buffer): boolean {
  return type === 'APP2'
    ? data.toString('latin1', 0, 4) === 'MPF\0'
    : data.toString('latin1', xmpMarkStart, xmpMarkStart + xmpMark.length) === xmpMark &&
        /MotionPhoto|MicroVideo|Container:Directory/u.test(data.toString('latin1'));
}

/** Whether nothing comes after the image, or what ends as telephones by Samsung end what they append. */
async function endsWell(reader: RangeReader, end: number): Promise<boolean> {
  let tail = Buffer.alloc(0);
  for (let position = end; ;) {
    const piece = await reader.readSome(position);
    if (piece.length === 0) {
      return position === end || tail.toString('latin1') === 'SEFT';
    }
    tail = Buffer.concat([tail, piece.subarray(-4)]).subarray(-4);
    position += piece.length;
  }
}
