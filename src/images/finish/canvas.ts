import type { Dimensions } from '../formats/dimensions.ts';
import type { Fit } from '../formats/finish.ts';
import type { Rgb } from '../cutout/matte.ts';
import { type Pixels, asPixelWords } from '../codecs/pixels.ts';
import type { Part } from '../codecs/resize.ts';

/** The surroundings of an image: transparent, the pixels at its edge, or a color like `#ff8800`. */
export type Fill = Extract<Fit, { by: 'pad' }>['fill'];

/** Returns a part of an image that lies in whole pixels. */
export function cut({ width, rgba }: Pixels, part: Part): Pixels {
  const cut = new Uint8Array(part.width * part.height * 4);
  for (let y = 0; y < part.height; y++) {
    const start = ((part.top + y) * width + part.left) * 4;
    cut.set(rgba.subarray(start, start + part.width * 4), y * part.width * 4);
  }
  return { width: part.width, height: part.height, rgba: cut };
}

export function surround(
  pixels: Pixels,
  { left, top }: Pick<Part, 'left' | 'top'>,
  canvas: Dimensions,
  fill: Fill,
): Pixels {
  const rgba = new Uint8Array(canvas.width * canvas.height * 4);
  const to = new Uint32Array(rgba.buffer);
  const from = asPixelWords(pixels.rgba);
  if (fill !== 'transparent' && fill !== 'edge') {
    to.fill(asPixelWords(Uint8Array.of(...channelsOf(fill), 255))[0] ?? 0);
  }
  const [firstRow, endRow] = fill === 'edge' ? [0, canvas.height] : [top, top + pixels.height];
  for (let y = firstRow; y < endRow; y++) {
    const row = Math.max(0, Math.min(pixels.height - 1, y - top)) * pixels.width;
    const line = to.subarray(y * canvas.width, (y + 1) * canvas.width);
    line.set(from.subarray(row, row + pixels.width), left);
    if (fill === 'edge') {
      line.fill(from[row] ?? 0, 0, left);
      line.fill(from[row + pixels.width - 1] ?? 0, left + pixels.width);
    }
  }
  return { ...canvas, rgba };
}

/** Lays an image on a color in place, as browsers do. */
export function flatten({ rgba }: Pixels, [red, green, blue]: Rgb): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] ?? 0;
    if (alpha < 255) {
      rgba[at] = over(rgba[at], red, alpha);
      rgba[at + 1] = over(rgba[at + 1], green, alpha);
      rgba[at + 2] = over(rgba[at + 2], blue, alpha);
      rgba[at + 3] = 255;
    }
  }
}

/** Returns the level of a channel over another with an alpha from 0 to 255. */
function over(level: number | undefined, under: number, alpha: number): number {
  return Math.round(((level ?? 0) * alpha + under * (255 - alpha)) / 255);
}

export function channelsOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
