import type { Pixels } from '../codecs/pixels.ts';
import { formatOf } from '../codecs/codecSet.ts';
import { measureBackground, type Rgb } from '../cutout/matte.ts';
import { jpegSegments, RangeReader, webpChunks } from '../formats/containers.ts';

/** Whether a file stores its colors in half the resolution of its brightness in both directions, and has no alpha. */
export async function hasHalvedChroma(bytes: Uint8Array): Promise<boolean> {
  const reader = new RangeReader(bytes);
  switch (formatOf(bytes)) {
    case 'png':
      return false;
    case 'jpeg':
      for await (const { type, start } of jpegSegments(reader)) {
        if (type === 'SOS') {
          return false;
        }
        if (type.startsWith('SOF')) {
          // Three components, each with its number, its sampling factors, and its table, after precision and size.
          const header = await reader.read(start, 15);
          return header[5] === 3 && header[7] === 0x22 && header[10] === 0x11 && header[13] === 0x11;
        }
      }
      return false;
    case 'webp': {
      const types = new Set<string>();
      for await (const { type } of webpChunks(reader)) {
        types.add(type);
      }
      return types.has('VP8 ') && !types.has('ALPH');
    }
  }
}

/** The variance of brightness, in levels, below which it tells nothing about color. */
const noise = 3;
/** Maximum change of a color difference for each level of brightness. */
const steepest = 6;
/** Number of cells around one, in each direction, from which its colors are learned. */
const reach = 2;
const window = (2 * reach + 1) ** 2;
/** Minimum range of a color difference around a cell, in levels, to be sharpened. */
const leastRange = 16;
/** Maximum distance of the background's color differences from their mean, in levels. */
const backgroundReach = 40;
/** How much steeper an edge becomes if brightness doesn't show it. */
const gain = 3.5;
/** By how much a color may exceed the range around it, as a share. */
const excess = 0.5;
/** The share of the colors that brightness replaces; the rest gets its details alone, which keeps more of the file. */
const replaced = 0.8;

/**
 * Gives the colors along a flat background the details of the brightness, in place, in an image that stored them in half
 * the resolution. Between two colors, color differences change in proportion to brightness, which the halved image
 * shows for each place. Where both colors are equally bright, the edge only becomes steeper.
 */
export function sharpenChroma(pixels: Pixels): void {
  const { width, height, rgba } = pixels;
  const background = measureBackground(pixels);
  if (!background || Math.min(width, height) < 4) {
    return;
  }
  const cells = new Cells(pixels, background.color);
  const [blue, red] = [new Relation(cells.luma, cells.blue), new Relation(cells.luma, cells.red)];
  const edges = new Uint8Array(cells.across);
  const smooth = [new Float32Array(cells.across), new Float32Array(cells.across)] as const;
  for (let row = 0; row < cells.down; row++) {
    if (!cells.findEdges(row, edges)) {
      continue;
    }
    cells.writeSmooth(row, smooth);
    for (let column = 0; column < cells.across; column++) {
      if (edges[column] === 0) {
        continue;
      }
      cells.lookAround(row, column);
      blue.learn(cells);
      red.learn(cells);
      for (let y = 2 * row; y < Math.min(height, 2 * row + 2); y++) {
        const line = (y & 1) === 0 ? smooth[0] : smooth[1];
        for (let x = 2 * column; x < Math.min(width, 2 * column + 2); x++) {
          const at = (y * width + x) * 4;
          const beside = Math.max(0, Math.min(cells.across - 1, column + ((x & 1) === 0 ? -1 : 1)));
          const luma = lumaOf(rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0);
          const detail = luma - 0.75 * (line[column] ?? 0) - 0.25 * (line[beside] ?? 0);
          const moreBlue = blue.change(((rgba[at + 2] ?? 0) - luma) * toBlue, luma, detail);
          const moreRed = red.change(((rgba[at] ?? 0) - luma) * toRed, luma, detail);
          rgba[at] = level((rgba[at] ?? 0) + moreRed / toRed);
          rgba[at + 1] = level((rgba[at + 1] ?? 0) - 0.344 * moreBlue - 0.714 * moreRed);
          rgba[at + 2] = level((rgba[at + 2] ?? 0) + moreBlue / toBlue);
        }
      }
    }
  }
}

/** The factors of color differences, as in JPEG files. */
const [toBlue, toRed] = [0.564, 0.713];

function lumaOf(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

function level(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : value + 0.5;
}

/** An image in half its resolution: the brightness and the color differences of cells of 2 × 2 pixels. */
class Cells {
  readonly across: number;
  readonly down: number;
  /** The brightness as blurred as the color differences are, by decoding and averaging. */
  readonly luma: Float32Array;
  readonly blue: Float32Array;
  readonly red: Float32Array;
  readonly #sharpLuma: Float32Array;
  /** For each cell, 1 if it has the background's color differences, and otherwise 2. */
  readonly #kinds: Uint8Array;
  readonly #kindsAround: Uint8Array;
  /** The cells around the one that was looked at last. */
  readonly around = new Int32Array(window);

  constructor({ width, height, rgba }: Pixels, [keyRed, keyGreen, keyBlue]: Rgb) {
    [this.across, this.down] = [(width + 1) >> 1, (height + 1) >> 1];
    const count = this.across * this.down;
    this.blue = new Float32Array(count);
    this.red = new Float32Array(count);
    this.#sharpLuma = new Float32Array(count);
    this.#kinds = new Uint8Array(count);
    this.#kindsAround = new Uint8Array(this.across);
    const keyLuma = lumaOf(keyRed, keyGreen, keyBlue);
    const [blueOfKey, redOfKey] = [(keyBlue - keyLuma) * toBlue, (keyRed - keyLuma) * toRed];
    for (let row = 0, cell = 0; row < this.down; row++) {
      const below = 2 * row + 1 < height ? width * 4 : 0;
      for (let column = 0, a = 2 * row * width * 4; column < this.across; column++, cell++, a += 8) {
        const b = 2 * column + 1 < width ? a + 4 : a;
        const [c, d] = [a + below, b + below];
        const red = ((rgba[a] ?? 0) + (rgba[b] ?? 0) + (rgba[c] ?? 0) + (rgba[d] ?? 0)) / 4;
        const green = ((rgba[a + 1] ?? 0) + (rgba[b + 1] ?? 0) + (rgba[c + 1] ?? 0) + (rgba[d + 1] ?? 0)) / 4;
        const blue = ((rgba[a + 2] ?? 0) + (rgba[b + 2] ?? 0) + (rgba[c + 2] ?? 0) + (rgba[d + 2] ?? 0)) / 4;
        const luma = lumaOf(red, green, blue);
        const [ownBlue, ownRed] = [(blue - luma) * toBlue, (red - luma) * toRed];
        this.#sharpLuma[cell] = luma;
        this.blue[cell] = ownBlue;
        this.red[cell] = ownRed;
        this.#kinds[cell] =
          Math.abs(ownBlue - blueOfKey) + Math.abs(ownRed - redOfKey) <= backgroundReach ? 1 : 2;
      }
    }
    this.luma = this.#blurred();
  }

  /** Marks the cells of a row near which the background and something else are. @returns whether there are any */
  findEdges(row: number, to: Uint8Array): boolean {
    const around = this.#kindsAround.fill(0);
    for (let other = Math.max(0, row - reach); other <= Math.min(this.down - 1, row + reach); other++) {
      for (let column = 0, at = other * this.across; column < this.across; column++, at++) {
        around[column] = (around[column] ?? 0) | (this.#kinds[at] ?? 0);
      }
    }
    let isAny = false;
    for (let column = 0; column < this.across; column++) {
      let kinds = 0;
      for (let beside = -reach; beside <= reach; beside++) {
        kinds |= around[column + beside] ?? 0;
      }
      to[column] = Number(kinds === 3);
      isAny ||= kinds === 3;
    }
    return isAny;
  }

  /** Writes the brightness of the upper and lower pixels of a row, as decoders would enlarge it. */
  writeSmooth(row: number, [upper, lower]: readonly [Float32Array, Float32Array]): void {
    const above = Math.max(0, row - 1) * this.across;
    const below = Math.min(this.down - 1, row + 1) * this.across;
    for (let column = 0, at = row * this.across; column < this.across; column++, at++) {
      const own = 0.75 * (this.#sharpLuma[at] ?? 0);
      upper[column] = own + 0.25 * (this.#sharpLuma[above + column] ?? 0);
      lower[column] = own + 0.25 * (this.#sharpLuma[below + column] ?? 0);
    }
  }

  lookAround(row: number, column: number): void {
    let index = 0;
    for (let y = row - reach; y <= row + reach; y++) {
      const start = Math.max(0, Math.min(this.down - 1, y)) * this.across;
      for (let x = column - reach; x <= column + reach; x++) {
        this.around[index++] = start + Math.max(0, Math.min(this.across - 1, x));
      }
    }
  }

  #blurred(): Float32Array {
    const { across, down } = this;
    const luma = this.#sharpLuma;
    const made = new Float32Array(luma.length);
    const mixed = new Float32Array(across);
    for (let row = 0; row < down; row++) {
      const own = row * across;
      const above = Math.max(0, row - 1) * across;
      const below = Math.min(down - 1, row + 1) * across;
      for (let column = 0; column < across; column++) {
        mixed[column] =
          0.75 * (luma[own + column] ?? 0) +
          0.125 * ((luma[above + column] ?? 0) + (luma[below + column] ?? 0));
      }
      for (let column = 0; column < across; column++) {
        const [left, right] = [Math.max(0, column - 1), Math.min(across - 1, column + 1)];
        made[own + column] = 0.75 * (mixed[column] ?? 0) + 0.125 * ((mixed[left] ?? 0) + (mixed[right] ?? 0));
      }
    }
    return made;
  }
}

/** How a color difference changes with brightness around a cell. */
class Relation {
  readonly #lumas: Float32Array;
  readonly #colors: Float32Array;
  #luma = 0;
  #color = 0;
  #slope = 0;
  /** The share of the color's changes that brightness explains. */
  #trust = 0;
  #least = 0;
  #most = 0;

  constructor(lumas: Float32Array, colors: Float32Array) {
    [this.#lumas, this.#colors] = [lumas, colors];
  }

  learn({ around }: Pick<Cells, 'around'>): void {
    let [luma, color, squares, together, own] = [0, 0, 0, 0, 0];
    let [least, most] = [Infinity, -Infinity];
    for (let index = 0; index < window; index++) {
      const cell = around[index] ?? 0;
      const [y, c] = [this.#lumas[cell] ?? 0, this.#colors[cell] ?? 0];
      luma += y;
      color += c;
      squares += y * y;
      together += y * c;
      own += c * c;
      least = c < least ? c : least;
      most = c > most ? c : most;
    }
    const variance = (squares - (luma * luma) / window) / window + noise;
    const covariance = (together - (luma * color) / window) / window;
    const slope = covariance / variance;
    const explained = (slope * covariance) / ((own - (color * color) / window) / window + 1e-6);
    this.#luma = luma / window;
    this.#color = color / window;
    this.#slope = slope > steepest ? steepest : slope < -steepest ? -steepest : slope;
    this.#trust = explained <= 0 ? 0 : explained >= 1 ? 1 : Math.sqrt(explained);
    [this.#least, this.#most] = [least, most];
  }

  /** Returns by how much a color difference changes. @param detail by how much the brightness exceeds a smooth one */
  change(color: number, luma: number, detail: number): number {
    const [least, most] = [this.#least, this.#most];
    const range = most - least;
    if (range < leastRange) {
      return 0;
    }
    const [low, high] = [least - excess * range, most + excess * range];
    const guided =
      replaced * (this.#color + this.#slope * (luma - this.#luma)) +
      (1 - replaced) * (color + this.#slope * detail);
    const bound = guided < low ? low : guided > high ? high : guided;
    const middle = (least + most) / 2;
    const steep = middle + gain * (color - middle);
    const alone = steep < least ? least : steep > most ? most : steep;
    return this.#trust * bound + (1 - this.#trust) * alone - color;
  }
}
