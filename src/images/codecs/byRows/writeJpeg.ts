import { type Pixels, wordsOf } from '../pixels.ts';
import { blockGains, transform } from './cosineTransform.ts';
import { JpegBits } from './jpegBits.ts';
import { type CodeTable, codeTables, divisorsAt, places } from './jpegTables.ts';

/** The least quality at which colours are as fine as brightness, as in the WebAssembly encoder. */
const leastFine = 90;

/** Brightness, or one of the two colour differences. */
interface Component {
  first: CodeTable;
  others: CodeTable;
  /** The first coefficient of the last block: that of the next one is told as the difference. */
  previous: number;
}

/**
 * Encodes pixels as a baseline JPEG, a few rows at a time. Alpha is left out.
 *
 * @param quality from 1 to 100
 */
export function writeJpeg(pixels: Pixels, quality: number): Uint8Array {
  const divisors = divisorsAt(quality);
  /** The inverse of what each coefficient is divided by, in the order of the file. */
  const scales = Float64Array.from(
    places,
    (place) => 1 / ((divisors[place] ?? 1) * (blockGains[place] ?? 1)),
  );
  const shared = quality < leastFine ? 2 : 1;
  const side = 8 * shared;
  const luma: Component = { ...codeTables.luma, previous: 0 };
  const blue: Component = { ...codeTables.chroma, previous: 0 };
  const red: Component = { ...codeTables.chroma, previous: 0 };
  const [block, other] = [new Float64Array(64), new Float64Array(64)];
  const rows = new BlockRows(pixels, side);
  const bits = new JpegBits();
  for (let top = 0; top < pixels.height; top += side) {
    rows.read(top);
    for (let left = 0; left < pixels.width; left += side) {
      for (let at = 0; at < shared * shared; at++) {
        rows.readLuma(left + (at % shared) * 8, Math.floor(at / shared) * 8, block);
        writeBlock(block, scales, luma, bits);
      }
      rows.readChroma(left, block, other);
      writeBlock(block, scales, blue, bits);
      writeBlock(other, scales, red, bits);
    }
  }
  return new Uint8Array(Buffer.concat([headOf(pixels, divisors, shared), bits.end(), Buffer.of(0xff, 0xd9)]));
}

/** As many rows of a picture as make a row of blocks, whose right and lower edges are repeated to fill them. */
class BlockRows {
  readonly #pixels: Pixels;
  readonly #all: Uint32Array;
  readonly #side: number;
  /** Pixels in a row, with those that fill up the last block. */
  readonly #width: number;
  readonly #words: Uint32Array;
  readonly #rgba: Uint8Array;

  constructor(pixels: Pixels, side: number) {
    this.#pixels = pixels;
    this.#all = wordsOf(pixels.rgba);
    this.#side = side;
    this.#width = Math.ceil(pixels.width / side) * side;
    this.#words = new Uint32Array(this.#width * side);
    this.#rgba = new Uint8Array(this.#words.buffer);
  }

  read(top: number): void {
    const { width, height } = this.#pixels;
    for (let row = 0; row < this.#side; row++) {
      const from = Math.min(height - 1, top + row) * width;
      const to = row * this.#width;
      this.#words.set(this.#all.subarray(from, from + width), to);
      this.#words.fill(this.#all[from + width - 1] ?? 0, to + width, to + this.#width);
    }
  }

  /** Reads the brightness of 8 × 8 pixels, from -128 to 127. */
  readLuma(left: number, top: number, block: Float64Array): void {
    const rgba = this.#rgba;
    for (let row = 0, at = 0; row < 8; row++) {
      for (let from = ((top + row) * this.#width + left) * 4, end = at + 8; at < end; at++, from += 4) {
        block[at] =
          0.299 * (rgba[from] ?? 0) + 0.587 * (rgba[from + 1] ?? 0) + 0.114 * (rgba[from + 2] ?? 0) - 128;
      }
    }
  }

  /** Reads both colour differences of as many pixels as share a block, from -128 to 127. */
  readChroma(left: number, blues: Float64Array, reds: Float64Array): void {
    const rgba = this.#rgba;
    const shared = this.#side / 8;
    const share = 1 / (shared * shared);
    for (let at = 0; at < 64; at++) {
      const start = (shared * (at >> 3) * this.#width + left + shared * (at & 7)) * 4;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let row = 0; row < shared; row++) {
        const first = start + row * this.#width * 4;
        for (let from = first; from < first + shared * 4; from += 4) {
          red += rgba[from] ?? 0;
          green += rgba[from + 1] ?? 0;
          blue += rgba[from + 2] ?? 0;
        }
      }
      blues[at] = share * (0.5 * blue - 0.331264108 * green - 0.168735892 * red);
      reds[at] = share * (0.5 * red - 0.418687589 * green - 0.081312411 * blue);
    }
  }
}

function writeBlock(block: Float64Array, scales: Float64Array, component: Component, bits: JpegBits): void {
  transform(block);
  const coefficient = (at: number): number => Math.round((block[places[at] ?? 0] ?? 0) * (scales[at] ?? 0));
  const first = coefficient(0);
  const difference = first - component.previous;
  component.previous = first;
  bits.addSymbol(component.first, sizeOf(difference), difference);
  let zeros = 0;
  for (let at = 1; at < 64; at++) {
    const value = coefficient(at);
    if (value === 0) {
      zeros++;
      continue;
    }
    for (; zeros > 15; zeros -= 16) {
      bits.addSymbol(component.others, sixteenZeros, 0);
    }
    bits.addSymbol(component.others, (zeros << 4) | sizeOf(value), value);
    zeros = 0;
  }
  if (zeros > 0) {
    bits.addSymbol(component.others, onlyZeros, 0);
  }
}

const sixteenZeros = 0xf0;
const onlyZeros = 0;

/** Returns the number of bits of a value without its sign. */
function sizeOf(value: number): number {
  return 32 - Math.clz32(Math.abs(value));
}

/** Returns all that comes before the pixels. */
function headOf({ width, height }: Pixels, divisors: readonly number[], shared: number): Buffer {
  const { luma, chroma } = codeTables;
  const size = Buffer.alloc(4);
  size.writeUInt16BE(height, 0);
  size.writeUInt16BE(width, 2);
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    segment(0xdb, [0, ...places.map((place) => divisors[place] ?? 1)]),
    segment(0xc0, [8, ...size, 3, 1, shared * 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]),
    segment(0xc4, [0x00, ...luma.first.data, 0x10, ...luma.others.data]),
    segment(0xc4, [0x01, ...chroma.first.data, 0x11, ...chroma.others.data]),
    segment(0xda, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]),
  ]);
}

function segment(marker: number, data: Iterable<number>): Buffer {
  const bytes = Buffer.from([0xff, marker, 0, 0, ...data]);
  bytes.writeUInt16BE(bytes.length - 2, 2);
  return bytes;
}
