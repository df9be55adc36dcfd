/** A component of a picture, as a frame header describes it. */
export interface JpegComponent {
  id: number;
  across: number;
  down: number;
  quantisation: number;
}

/** The parts of a JPEG file by name, in their order. */
export type JpegParts = Record<string, Buffer>;

export const jpegComponent: JpegComponent = { id: 1, across: 1, down: 1, quantisation: 0 };

/** A segment with its marker and its length. */
export function jpegSegment(marker: number, data: Uint8Array | readonly number[] | string): Buffer {
  const body = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

export function jpegFrame(
  marker: number,
  width: number,
  height: number,
  components: readonly JpegComponent[],
  precision = 8,
): Buffer {
  const data = Buffer.alloc(6);
  data[0] = precision;
  data.writeUInt16BE(height, 1);
  data.writeUInt16BE(width, 3);
  data[5] = components.length;
  return jpegSegment(marker, [
    ...data,
    ...components.flatMap(({ id, across, down, quantisation }) => [id, (across << 4) | down, quantisation]),
  ]);
}

/** The head of a scan of components, each with its tables in one byte. */
export function jpegScan(
  tablesById: readonly (readonly [id: number, tables: number])[],
  [first, last, bits] = [0, 63, 0],
): Buffer {
  return jpegSegment(0xda, [tablesById.length, ...tablesById.flat(), first, last, bits]);
}

/** A table of quantisations that are all 1. */
export function jpegQuantisation(number: number): Buffer {
  return jpegSegment(0xdb, [number, ...Array.from({ length: 64 }, () => 1)]);
}

/** A table with a single code, a zero, that means 0. */
export function jpegCodes(name: number): Buffer {
  return jpegSegment(0xc4, [name, 1, ...Array.from({ length: 16 }, () => 0)]);
}

/** The entropy-coded pixels of blocks that are all gray, with restart markers after every `interval` units. */
export function jpegPixels(units: number, blocksInUnit: number, interval = 0): Buffer {
  const groups: number[][] = [];
  for (let done = 0; done < units; done += interval || units) {
    // A zero for the brightness of a block and one for its end; the last byte is filled up with ones.
    const bits = '00'.repeat(Math.min(interval || units, units - done) * blocksInUnit);
    const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
    groups.push((padded.match(/.{8}/gu) ?? []).map((byte) => Number.parseInt(byte, 2)));
  }
  return Buffer.from(
    groups.flatMap((group, index) => (index === 0 ? group : [0xff, 0xd0 + ((index - 1) % 8)].concat(group))),
  );
}

/** A gray picture of 24 by 16 pixels in as few segments as there can be. */
export function grayJpegParts() {
  return {
    SOI: Buffer.from([0xff, 0xd8]),
    DQT: jpegQuantisation(0),
    SOF: jpegFrame(0xc0, 24, 16, [jpegComponent]),
    DC: jpegCodes(0),
    AC: jpegCodes(0x10),
    SOS: jpegScan([[1, 0]]),
    pixels: jpegPixels(6, 1),
    EOI: Buffer.from([0xff, 0xd9]),
  };
}

export function jpegOf(parts: Readonly<JpegParts>): Buffer {
  return Buffer.concat(Object.values(parts));
}
