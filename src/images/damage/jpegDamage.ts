import { type Chunk, jpegSegments } from '../formats/containers.ts';
import { DamageFound } from './damage.ts';
import type { RangeReader } from '../formats/rangeReader.ts';

/** A component of the image, from its frame header. */
interface Component {
  id: number;
  across: number;
  down: number;
  quantisation: number;
}

interface Frame {
  type: string;
  width: number;
  height: number;
  components: Component[];
}

/** The definitions for the scans that follow. */
interface Tables {
  quantisation: Set<number>;
  /** Class and number in one byte, as in the file. AC tables start at 16. */
  huffman: Set<number>;
  /** The number of units between two restart markers, or 0 without markers. */
  restartInterval: number;
}

interface Scan {
  segment: Chunk;
  /** The least number of restart markers. */
  restarts: number;
}

/** Huffman-coded frames with a cosine transform: baseline, extended, progressive. Others are left to decoders. */
const commonFrames = new Set(['SOF0', 'SOF1', 'SOF2']);
const acTables = 16;
/** The most blocks of all components in one unit of a scan with several. */
const maxBlocks = 10;

/** @throws DamageFound for the first thing that is wrong with a JPEG file */
export async function checkJpeg(reader: RangeReader): Promise<void> {
  const tables: Tables = { quantisation: new Set(), huffman: new Set(), restartInterval: 0 };
  let last: Chunk = { type: 'SOI', offset: 0, start: 2, length: 0 };
  let frame: Frame | undefined;
  let scan: Scan | undefined;
  /** The number of restart markers in this scan, which are numbered from 0 to 7 in turn. */
  let restarts: number | undefined;
  for await (const segment of jpegSegments(reader)) {
    const { type, offset, length } = segment;
    if (last.type === 'SOS' && (await isFilled(reader, last.start + last.length, offset))) {
      throw new DamageFound('tooFewPixels', last);
    }
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
      if (scan && restarts !== undefined && restarts < scan.restarts) {
        throw new DamageFound('tooFewPixels', scan.segment);
      }
      restarts = undefined;
    }
    if (type === 'SOI' || (type.startsWith('SOF') && frame)) {
      throw new DamageFound('order', segment);
    }
    if (type.startsWith('SOF')) {
      frame = readFrame(segment, await readWhole(reader, segment));
    }
    if (type === 'SOS') {
      if (!frame) {
        throw new DamageFound('missing', { type: 'SOF', offset });
      }
      scan = readScan(segment, await readWhole(reader, segment), frame, tables);
      restarts = 0;
    }
    if (type === 'DQT' || type === 'DHT' || type === 'DRI') {
      defineTables(segment, await readWhole(reader, segment), tables);
    }
    if (type === 'EOI') {
      if (!scan) {
        throw new DamageFound('missing', { type: frame ? 'SOS' : 'SOF', offset });
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

async function readWhole(reader: RangeReader, segment: Chunk): Promise<Buffer> {
  const data = await reader.read(segment.start, segment.length);
  if (data.length < segment.length) {
    throw new DamageFound('truncated', segment);
  }
  return data;
}

/** Whether only fill bytes lie between two positions. */
async function isFilled(reader: RangeReader, from: number, to: number): Promise<boolean> {
  for (let position = from; position < to;) {
    const piece = (await reader.readSome(position)).subarray(0, to - position);
    if (piece.length === 0 || piece.some((byte) => byte !== 0xff)) {
      return false;
    }
    position += piece.length;
  }
  return true;
}

function readFrame(segment: Chunk, data: Buffer): Frame {
  const { type } = segment;
  const [precision = 0, count = 0] = [data[0], data[5]];
  if (count === 0 || data.length !== 6 + count * 3) {
    throw new DamageFound('contents', segment);
  }
  const [height, width] = [data.readUInt16BE(1), data.readUInt16BE(3)];
  const components = Array.from({ length: count }, (_, index): Component => {
    const [id = 0, factors = 0, quantisation = 0] = data.subarray(6 + index * 3);
    return { id, across: factors >> 4, down: factors & 15, quantisation };
  });
  const isKnown = !commonFrames.has(type) || precision === 8 || (precision === 12 && type !== 'SOF0');
  const areValid = components.every(
    ({ across, down, quantisation }) =>
      Math.min(across, down) >= 1 && Math.max(across, down) <= 4 && quantisation <= 3,
  );
  if (width === 0 || height === 0 || !isKnown || !areValid) {
    throw new DamageFound('contents', segment);
  }
  return { type, width, height, components };
}

function readScan(segment: Chunk, data: Buffer, frame: Frame, tables: Tables): Scan {
  const count = data[0] ?? 0;
  if (count < 1 || count > 4 || data.length !== 4 + count * 2) {
    throw new DamageFound('contents', segment);
  }
  const [first = 0, last = 0, bits = 0] = data.subarray(-3);
  const [high, low] = [bits >> 4, bits & 15];
  const isProgressive = frame.type === 'SOF2';
  const isCommon = commonFrames.has(frame.type);
  // Some encoders write zeros for all coefficients, and every decoder reads them so.
  if (isProgressive && !isProgression(first, last, high, low, count)) {
    throw new DamageFound('contents', segment);
  }
  const components: Component[] = [];
  for (let at = 1; at <= count * 2; at += 2) {
    const component = frame.components.find(({ id }) => id === data[at]);
    const [dc, ac] = [data.readUInt8(at + 1) >> 4, data.readUInt8(at + 1) & 15];
    if (!component || Math.max(dc, ac) > 3) {
      throw new DamageFound('contents', segment);
    }
    components.push(component);
    const needsDc = isProgressive ? first === 0 && high === 0 : isCommon;
    const needsAc = isProgressive ? first > 0 : isCommon;
    if (isCommon && !tables.quantisation.has(component.quantisation)) {
      throw new DamageFound('missing', { type: 'DQT', offset: segment.offset });
    }
    if ((needsDc && !tables.huffman.has(dc)) || (needsAc && !tables.huffman.has(acTables + ac))) {
      throw new DamageFound('missing', { type: 'DHT', offset: segment.offset });
    }
  }
  const blocks = components.reduce((sum, { across, down }) => sum + across * down, 0);
  if (isCommon && count > 1 && blocks > maxBlocks) {
    throw new DamageFound('contents', segment);
  }
  const interval = isCommon ? tables.restartInterval : 0;
  const restarts = interval > 0 ? Math.ceil(unitsOf(components, frame) / interval) - 1 : 0;
  return { segment, restarts };
}

/** Whether a scan of a progressive image may hold these coefficients and bits. */
function isProgression(first: number, last: number, high: number, low: number, count: number): boolean {
  const areCoefficients = first === 0 ? last === 0 : first <= last && last <= 63 && count === 1;
  return areCoefficients && low <= 13 && (high === 0 || low === high - 1);
}

/** Returns the number of units in a scan: blocks of a single component, or the smallest groups with blocks of all. */
function unitsOf(components: readonly Component[], { width, height, components: all }: Frame): number {
  const maxAcross = Math.max(...all.map(({ across }) => across));
  const maxDown = Math.max(...all.map(({ down }) => down));
  const [only, ...others] = components;
  return only && others.length === 0
    ? Math.ceil(Math.ceil((width * only.across) / maxAcross) / 8) *
        Math.ceil(Math.ceil((height * only.down) / maxDown) / 8)
    : Math.ceil(width / (8 * maxAcross)) * Math.ceil(height / (8 * maxDown));
}

/** Reads the tables or the restart interval that a segment defines. */
function defineTables(segment: Chunk, data: Buffer, tables: Tables): void {
  if (segment.type === 'DRI') {
    if (data.length !== 2) {
      throw new DamageFound('contents', segment);
    }
    tables.restartInterval = data.readUInt16BE();
    return;
  }
  const isHuffman = segment.type === 'DHT';
  for (let at = 0; at < data.length;) {
    const name = data.readUInt8(at);
    const length = isHuffman ? huffmanLength(data.subarray(at + 1, at + 17)) : 64 * (1 + (name >> 4));
    at += 1 + (length ?? 0);
    if (length === undefined || name >> 4 > 1 || (name & 15) > 3 || at > data.length) {
      throw new DamageFound('contents', segment);
    }
    (isHuffman ? tables.huffman : tables.quantisation).add(isHuffman ? name : name & 15);
  }
}

/**
 * Returns the length of a Huffman table from its numbers of codes of each length, or `undefined` if there are too many
 * codes.
 */
function huffmanLength(counts: Buffer): number | undefined {
  const codes = counts.reduce((sum, count) => sum + count, 0);
  /** The code space taken up, in codes of 16 bits. */
  const taken = counts.reduce((sum, count, index) => sum + count * 2 ** (15 - index), 0);
  return counts.length === 16 && codes <= 256 && taken < 2 ** 16 ? 16 + codes : undefined;
}
