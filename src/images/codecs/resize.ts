import type { Dimensions } from '../formats/dimensions.ts';
import type { Pixels } from './pixels.ts';

/** A part of an image in its own pixels, which may be fractional. */
export interface Part extends Dimensions {
  left: number;
  top: number;
}

/** The old pixels that make up a new one: neighbours from `first` on, with weights that add up to 1. */
interface Blend {
  first: number;
  weights: Float32Array;
}

/** The reach of the filter, in pixels of the coarser of the two images. */
const radius = 2;

/**
 * Scales a part of an image with a cubic filter (Catmull-Rom) in linear light. The filter is as wide as the area that
 * becomes one pixel, which preserves thin lines and brightness. Transparent pixels lend no colour to their neighbours.
 */
export function resize(pixels: Pixels, part: Part, { width, height }: Dimensions): Pixels {
  const across = blends(part.left, part.width, width, pixels.width);
  const down = blends(part.top, part.height, height, pixels.height);
  const rgba = new Uint8Array(width * height * 4);
  /** The rows in the new width that are still needed. */
  const rows = new Map<number, Float32Array>();
  const sums = new Float32Array(width * 4);
  for (const [y, { first, weights }] of down.entries()) {
    for (const row of rows.keys()) {
      if (row < first) {
        rows.delete(row);
      }
    }
    sums.fill(0);
    for (const [offset, weight] of weights.entries()) {
      const row = rows.get(first + offset) ?? rowOf(pixels, first + offset, across);
      rows.set(first + offset, row);
      for (let at = 0; at < sums.length; at++) {
        sums[at] = (sums[at] ?? 0) + weight * (row[at] ?? 0);
      }
    }
    writeRow(sums, rgba, y * sums.length);
  }
  return { width, height, rgba };
}

/** Scales one row to the new width, in linear light weighted by alpha. */
function rowOf({ width, rgba }: Pixels, y: number, across: readonly Blend[]): Float32Array {
  const start = y * width * 4;
  const row = new Float32Array(across.length * 4);
  for (const [x, { first, weights }] of across.entries()) {
    let [red, green, blue, alpha] = [0, 0, 0, 0];
    for (let offset = 0, from = start + first * 4; offset < weights.length; offset++, from += 4) {
      const weight = (weights[offset] ?? 0) * (rgba[from + 3] ?? 0);
      red += weight * lightOf(rgba[from]);
      green += weight * lightOf(rgba[from + 1]);
      blue += weight * lightOf(rgba[from + 2]);
      alpha += weight;
    }
    row.set([red, green, blue, alpha], x * 4);
  }
  return row;
}

function writeRow(sums: Float32Array, rgba: Uint8Array, start: number): void {
  for (let at = 0; at < sums.length; at += 4) {
    const alpha = sums[at + 3] ?? 0;
    rgba[start + at + 3] = Math.max(0, Math.min(255, Math.round(alpha)));
    if (alpha > 0) {
      for (let channel = at; channel < at + 3; channel++) {
        rgba[start + channel] = levelOf((sums[channel] ?? 0) / alpha);
      }
    }
  }
}

/** Returns a blend of the `length` old pixels from `start` for each of `to` new ones. */
function blends(start: number, length: number, to: number, available: number): Blend[] {
  const scale = length / to;
  const width = Math.max(scale, 1);
  return Array.from({ length: to }, (_, index) => {
    const centre = start + (index + 0.5) * scale - 0.5;
    const first = Math.max(0, Math.ceil(centre - radius * width));
    const last = Math.min(available - 1, Math.floor(centre + radius * width));
    const weights = Float32Array.from({ length: last - first + 1 }, (_, offset) =>
      cubic(Math.abs(first + offset - centre) / width),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

function cubic(distance: number): number {
  if (distance < 1) {
    return 1.5 * distance ** 3 - 2.5 * distance ** 2 + 1;
  }
  return distance < 2 ? -0.5 * distance ** 3 + 2.5 * distance ** 2 - 4 * distance + 2 : 0;
}

/** The linear light of each sRGB level, from 0 to 1. */
const lights = Float32Array.from({ length: 256 }, (_, level) => {
  const value = level / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

function lightOf(level: number | undefined): number {
  return lights[level ?? 0] ?? 0;
}

/** The number of steps of light, enough for every level to survive the round trip. */
const steps = 1 << 14;
const levels = Uint8Array.from({ length: steps + 1 }, (_, step) => {
  const light = step / steps;
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
});

function levelOf(light: number): number {
  return levels[Math.round(Math.max(0, Math.min(1, light)) * steps)] ?? 0;
}
