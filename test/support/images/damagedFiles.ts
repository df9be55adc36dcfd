import { deflateSync } from 'node:zlib';
import type { DamageKind } from '../../../src/images/formats/damage.ts';
import { pngChunk, pngFile, type PngFile } from './pngFile.ts';

/** Something done to a valid file: what it is, and what is found then, where. */
export interface Damaging {
  name: string;
  bytes: Buffer;
  what: DamageKind;
  chunk: string;
}

type Kind = Pick<PngFile, 'bitDepth' | 'colourType'>;
interface Piece {
  type: string;
  data: Uint8Array;
}

export const kinds: Kind[] = [
  ...([1, 2, 4, 8, 16] as const).map((bitDepth): Kind => ({ bitDepth, colourType: 0 })),
  ...([8, 16] as const).map((bitDepth): Kind => ({ bitDepth, colourType: 2 })),
  ...([1, 2, 4, 8] as const).map((bitDepth): Kind => ({ bitDepth, colourType: 3 })),
  ...([8, 16] as const).map((bitDepth): Kind => ({ bitDepth, colourType: 4 })),
  ...([8, 16] as const).map((bitDepth): Kind => ({ bitDepth, colourType: 6 })),
];

const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const transparencies: Partial<Record<PngFile['colourType'], number[]>> = {
  0: [0, 0],
  2: [0, 0, 0, 0, 0, 0],
  3: [7],
};

/** Valid PNG files of one kind: of several sizes, interlaced or not, with and without transparent colors. */
export function validPngs({ bitDepth, colourType }: Kind): Buffer[] {
  const sizes = [
    [1, 1],
    [5, 3],
    [3, 20],
    [9, 9],
  ] as const;
  const palette = colourType === 3 ? { palette: [9, 8, 7, 6, 5, 4] } : {};
  const transparency = transparencies[colourType];
  const files = sizes.flatMap(([width, height]) =>
    [false, true].map((interlaced) => {
      const lines = emptyLines(width, height, bitDepth * channels[colourType], interlaced);
      return Object.assign({ width, height, bitDepth, colourType, interlaced, lines }, palette);
    }),
  );
  const transparent = transparency ? files.map((file) => Object.assign({ transparency }, file)) : [];
  return [...files, ...transparent].map(pngFile);
}

/** Rows of nothing but zeros, of all passes where there are some. */
export function emptyLines(width: number, height: number, bits: number, interlaced = false): Buffer {
  return Buffer.alloc(rowsOf(width, height, bits, interlaced).reduce((sum, length) => sum + length, 0));
}

/** The lengths of all rows in bytes, each with that of its filter. */
export function rowsOf(width: number, height: number, bits: number, interlaced: boolean): number[] {
  const rows = interlaced
    ? // The eight times eight pattern of the specification, pass by pass.
      [1, 2, 3, 4, 5, 6, 7].flatMap((pass) =>
        Array.from({ length: height }, (_, y) => columnsOf(pass, y, width)).filter((columns) => columns > 0),
      )
    : Array.from({ length: height }, () => width);
  return rows.map((columns) => 1 + Math.ceil((columns * bits) / 8));
}

const pattern = [
  [1, 6, 4, 6, 2, 6, 4, 6],
  [7, 7, 7, 7, 7, 7, 7, 7],
  [5, 6, 5, 6, 5, 6, 5, 6],
  [7, 7, 7, 7, 7, 7, 7, 7],
  [3, 6, 4, 6, 3, 6, 4, 6],
  [7, 7, 7, 7, 7, 7, 7, 7],
  [5, 6, 5, 6, 5, 6, 5, 6],
  [7, 7, 7, 7, 7, 7, 7, 7],
];

function columnsOf(pass: number, y: number, width: number): number {
  return Array.from({ length: width }, (_, x) => pattern[y % 8]?.[x % 8]).filter((of) => of === pass).length;
}

/** The chunks of a valid PNG. */
export function piecesOf(png: Buffer): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at);
    pieces.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) });
    at = end + 4;
  }
  return pieces;
}

/** A PNG of these chunks, with their checksums. */
export function pngOf(pieces: readonly Piece[]): Buffer {
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, ...pieces.map(({ type, data }) => pngChunk(type, data))]);
}

/** The file with some bytes replaced. */
export function patched(file: Uint8Array, at: number, ...bytes: number[]): Buffer {
  const copy = Buffer.from(file);
  copy.set(bytes, at);
  return copy;
}

function made(name: string, what: DamageKind, chunk: string, ...pieces: Piece[]): Damaging {
  return { name, bytes: pngOf(pieces), what, chunk };
}

/** Every way in which a PNG is damaged here. */
export function damagedPngs(): Damaging[] {
  const [width, height] = [4, 4];
  const rgb = pngFile({ width, height, bitDepth: 8, colourType: 2, lines: emptyLines(4, 4, 24) });
  const palette = pngFile({
    width,
    height,
    bitDepth: 2,
    colourType: 3,
    palette: [1, 2, 3, 4, 5, 6],
    transparency: [9],
    lines: emptyLines(4, 4, 2),
  });
  const [header, pixels, end] = piecesOf(rgb);
  const [paletteHeader, colors, , indices] = piecesOf(palette);
  if (!header || !pixels || !end || !paletteHeader || !colors || !indices) {
    throw new Error('The files are not what they should be.');
  }
  const text = { type: 'tEXt', data: Buffer.from('a\0b') };
  const withHeader = (name: string, at: number, ...bytes: number[]): Damaging =>
    made(name, 'contents', 'IHDR', { ...header, data: patched(header.data, at, ...bytes) }, pixels, end);
  const withLines = (name: string, lines: Uint8Array): Damaging =>
    made(name, 'pixels', 'IDAT', header, { type: 'IDAT', data: deflateSync(lines) }, end);
  const withPixels = (name: string, data: Uint8Array): Damaging =>
    made(name, 'pixels', 'IDAT', header, { type: 'IDAT', data }, end);
  const withColors = (name: string, length: number): Damaging =>
    made(name, 'contents', 'PLTE', paletteHeader, { type: 'PLTE', data: Buffer.alloc(length) }, indices, end);
  const lines = emptyLines(4, 4, 24);
  const compressed = pixels.data;
  const half = Math.floor(compressed.length / 2);
  const halves = [compressed.subarray(0, half), compressed.subarray(half)].map((data) => ({
    type: 'IDAT',
    data,
  }));
  const [one, other] = halves;
  if (!one || !other) {
    throw new Error('There are no two halves.');
  }
  return [
    { name: 'a wrong checksum of IHDR', bytes: patched(rgb, 29, 1), what: 'checksum', chunk: 'IHDR' },
    { name: 'a wrong checksum of IDAT', bytes: patched(rgb, 45, 1), what: 'checksum', chunk: 'IDAT' },
    {
      name: 'a wrong checksum of IEND',
      bytes: patched(rgb, rgb.length - 1, 1),
      what: 'checksum',
      chunk: 'IEND',
    },
    { name: 'a cut in its pixels', bytes: rgb.subarray(0, 45), what: 'truncated', chunk: 'IDAT' },
    {
      name: 'a cut before its last chunk',
      bytes: rgb.subarray(0, rgb.length - 12),
      what: 'truncated',
      chunk: 'IDAT',
    },
    { name: 'a length beyond its end', bytes: patched(rgb, 34, 1), what: 'truncated', chunk: 'IDAT' },
    { name: 'a length that none may have', bytes: patched(rgb, 33, 0x80), what: 'contents', chunk: 'IDAT' },
    withHeader('no width', 0, 0, 0, 0, 0),
    withHeader('no height', 4, 0, 0, 0, 0),
    withHeader('a width that none may have', 0, 0x80),
    withHeader('a bit depth that there is not', 8, 3),
    withHeader('a bit depth that its color type does not have', 8, 4),
    withHeader('a color type that there is not', 9, 5),
    withHeader('another compression', 10, 1),
    withHeader('another filter method', 11, 1),
    withHeader('another interlacing', 12, 2),
    made('a short header', 'contents', 'IHDR', { ...header, data: header.data.subarray(1) }, pixels, end),
    made('no header', 'order', 'IDAT', pixels, end),
    made('a header that does not come first', 'order', 'tEXt', text, header, pixels, end),
    made('two headers', 'order', 'IHDR', header, header, pixels, end),
    made('no pixels', 'missing', 'IDAT', header, end),
    made('something between its pixels', 'order', 'IDAT', header, one, text, other, end),
    made(
      'a critical chunk that is unknown',
      'unknown',
      'ABCD',
      header,
      { ...text, type: 'ABCD' },
      pixels,
      end,
    ),
    made('a chunk without a name', 'unknown', '61003120', header, { ...text, type: 'a\x001 ' }, pixels, end),
    made('no palette', 'missing', 'PLTE', paletteHeader, indices, end),
    withColors('an empty palette', 0),
    withColors('half a color', 4),
    withLines('a row too few', lines.subarray(13)),
    withLines('a byte too few', lines.subarray(1)),
    withPixels('pixels that are not compressed', lines),
    withPixels('compressed pixels that break off', compressed.subarray(0, half)),
    withPixels('no compressed pixels', Buffer.alloc(0)),
    withPixels(
      'a wrong checksum of its pixels',
      patched(compressed, compressed.length - 1, (compressed.at(-1) ?? 0) ^ 1),
    ),
  ];
}
