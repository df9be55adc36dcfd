import type { Dimensions } from '../formats/dimensions.ts';
import { isOpaque, type Pixels } from './pixels.ts';

/** A part of an image in its own pixels, which may be fractional. */
export interface Part extends Dimensions {
  left: number;
  top: number;
}

/** The source pixels for each new pixel: the same number of neighbors for each, with weights that add up to 1. */
interface Blends {
  /** The first neighbor of each new pixel. */
  firsts: Int32Array;
  count: number;
  /** The weights of all neighbors of the first new pixel, then those of the second, and so on. */
  weights: Float64Array;
}

/** Maximum number of source rows per new row to hold in memory. */
const mostRows = 128;
/** The reach of the filter, in pixels of the coarser of the two images. */
const radius = 2;

/**
 * Scales a part of an image with a cubic filter (Catmull-Rom) in linear light. The filter is as wide as the area that
 * becomes one pixel, which preserves thin lines and brightness. Transparent pixels lend no color to their neighbors.
 */
export function resize(pixels: Pixels, part: Part, { width, height }: Dimensions): Pixels {
  const across = blends(part.left, part.width, width, pixels.width);
  const down = blends(part.top, part.height, height, pixels.height);
  const channels = isOpaque(pixels) ? 3 : 4;
  const rgba = new Uint8Array(width * height * 4);
  (down.count > mostRows ? addAsRead : addWhenRead)(pixels, across, down, channels, rgba);
  return { width, height, rgba };
}

/** Reads all source rows of a new row and then adds them up. This is the fastest method. */
function addWhenRead(
  pixels: Pixels,
  across: Blends,
  down: Blends,
  channels: Channels,
  rgba: Uint8Array,
): void {
  const [width, height] = [across.firsts.length, down.firsts.length];
  /** Rows in the new width that are still needed, each at its number modulo their count. */
  const rows = Array.from({ length: down.count }, () => new Float64Array(width * channels));
  const source = new Float64Array(pixels.width * channels);
  const sums = new Float64Array(width * channels);
  let next = 0;
  for (let y = 0; y < height; y++) {
    const first = down.firsts[y] ?? 0;
    for (next = Math.max(next, first); next < first + down.count; next++) {
      readRow(pixels, next, source, channels);
      scaleRow(source, across, rows[next % down.count] ?? sums, channels);
    }
    const needed = rows.map((_, tap) => rows[(first + tap) % down.count] ?? sums);
    addRows(needed, down.weights.subarray(y * down.count), sums);
    writeRow(sums, rgba, y * width * 4, channels);
  }
}

/** Adds each source row to all its new rows as soon as it is read. This takes the least memory. */
function addAsRead(pixels: Pixels, across: Blends, down: Blends, channels: Channels, rgba: Uint8Array): void {
  const [width, height] = [across.firsts.length, down.firsts.length];
  const source = new Float64Array(pixels.width * channels);
  const row = new Float64Array(width * channels);
  /** Unfinished new rows, from the row `done` on. */
  const begun: Float64Array[] = [];
  for (let done = 0, next = down.firsts[0] ?? 0; done < height; next++) {
    readRow(pixels, next, source, channels);
    scaleRow(source, across, row, channels);
    while (done + begun.length < height && (down.firsts[done + begun.length] ?? 0) <= next) {
      begun.push(new Float64Array(width * channels));
    }
    for (const [index, sums] of begun.entries()) {
      const tap = next - (down.firsts[done + index] ?? 0);
      addRow(row, down.weights[(done + index) * down.count + tap] ?? 0, sums);
    }
    // At the end of the image, neighbors end together.
    while (begun[0] && next === (down.firsts[done] ?? 0) + down.count - 1) {
      writeRow(begun[0], rgba, done * width * 4, channels);
      begun.shift();
      done++;
    }
  }
}

/** Three without alpha, four with it. */
type Channels = 3 | 4;

/** Reads a row in linear light, weighted by alpha if there is any. */
function readRow({ width, rgba }: Pixels, y: number, row: Float64Array, channels: Channels): void {
  for (let from = y * width * 4, to = 0; to < row.length; from += 4, to += channels) {
    const alpha = channels === 4 ? (rgba[from + 3] ?? 0) : 1;
    row[to] = alpha * lightOf(rgba[from]);
    row[to + 1] = alpha * lightOf(rgba[from + 1]);
    row[to + 2] = alpha * lightOf(rgba[from + 2]);
    if (channels === 4) {
      row[to + 3] = alpha;
    }
  }
}

function scaleRow(source: Float64Array, across: Blends, row: Float64Array, channels: Channels): void {
  const { firsts, count, weights } = across;
  for (let x = 0, to = 0, at = 0; x < firsts.length; x++, to += channels) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    for (let end = at + count, from = (firsts[x] ?? 0) * channels; at < end; at++, from += channels) {
      const weight = weights[at] ?? 0;
      red += weight * (source[from] ?? 0);
      green += weight * (source[from + 1] ?? 0);
      blue += weight * (source[from + 2] ?? 0);
      if (channels === 4) {
        alpha += weight * (source[from + 3] ?? 0);
      }
    }
    row[to] = red;
    row[to + 1] = green;
    row[to + 2] = blue;
    if (channels === 4) {
      row[to + 3] = alpha;
    }
  }
}

/** Adds up rows with their weights, in groups of four where possible. */
function addRows(rows: readonly Float64Array[], weights: Float64Array, sums: Float64Array): void {
  sums.fill(0);
  let tap = 0;
  for (; tap + 4 <= rows.length; tap += 4) {
    const [one = sums, two = sums, three = sums, four = sums] = rows.slice(tap, tap + 4);
    const [a = 0, b = 0, c = 0, d = 0] = weights.subarray(tap, tap + 4);
    for (let at = 0; at < sums.length; at++) {
      sums[at] =
        (sums[at] ?? 0) +
        a * (one[at] ?? 0) +
        b * (two[at] ?? 0) +
        c * (three[at] ?? 0) +
        d * (four[at] ?? 0);
    }
  }
  for (; tap < rows.length; tap++) {
    addRow(rows[tap] ?? sums, weights[tap] ?? 0, sums);
  }
}

function addRow(row: Float64Array, weight: number, sums: Float64Array): void {
  for (let at = 0; at < sums.length; at++) {
    sums[at] = (sums[at] ?? 0) + weight * (row[at] ?? 0);
  }
}

function writeRow(sums: Float64Array, rgba: Uint8Array, start: number, channels: Channels): void {
  for (let at = 0, to = start; at < sums.length; at += channels, to += 4) {
    const alpha = channels === 4 ? (sums[at + 3] ?? 0) : 255;
    if (alpha > 0) {
      const scale = channels === 4 ? steps / alpha : steps;
      rgba[to] = levelOf((sums[at] ?? 0) * scale);
      rgba[to + 1] = levelOf((sums[at + 1] ?? 0) * scale);
      rgba[to + 2] = levelOf((sums[at + 2] ?? 0) * scale);
      rgba[to + 3] = Math.min(255, alpha + 0.5);
    }
  }
}

/** Returns the blends of `length` source pixels from `start` into `to` new ones. */
function blends(start: number, length: number, to: number, available: number): Blends {
  const scale = length / to;
  const width = Math.max(scale, 1);
  const count = Math.min(available, Math.ceil(2 * radius * width));
  const firsts = new Int32Array(to);
  const weights = new Float64Array(to * count);
  for (let index = 0; index < to; index++) {
    const centre = start + (index + 0.5) * scale - 0.5;
    const first = Math.max(0, Math.min(available - count, Math.ceil(centre - radius * width)));
    const own = weights.subarray(index * count, (index + 1) * count);
    let sum = 0;
    for (let tap = 0; tap < count; tap++) {
      sum += own[tap] = cubic(Math.abs(first + tap - centre) / width);
    }
    firsts[index] = first;
    own.forEach((weight, tap) => {
      own[tap] = weight / sum;
    });
  }
  return { firsts, count, weights };
}

function cubic(distance: number): number {
  if (distance < 1) {
    return 1.5 * distance ** 3 - 2.5 * distance ** 2 + 1;
  }
  return distance < 2 ? -0.5 * distance ** 3 + 2.5 * distance ** 2 - 4 * distance + 2 : 0;
}

/** The linear light of each sRGB level, from 0 to 1. */
const lights = Float64Array.from({ length: 256 }, (_, level) => {
  const value = level / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

function lightOf(level: number | undefined): number {
  return lights[level ?? 0] ?? 0;
}

/** Number of steps of light, enough for every level to survive the round trip. */
const steps = 1 << 14;
const levels = Uint8Array.from({ length: steps + 1 }, (_, step) => {
  const light = step / steps;
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
});

function levelOf(light: number): number {
  const step = (light + 0.5) | 0;
  return levels[step < 0 ? 0 : step > steps ? steps : step] ?? 0;
}
