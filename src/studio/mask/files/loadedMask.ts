import type { Size } from '../../zoom/zoom.ts';
import { blankMask } from '../model/maskPixels.ts';
import type { MaskPixels } from '../model/maskPixels.ts';
import { MaskWriter } from '../model/maskWriter.ts';

/** Pixels of a file, four bytes each. */
export interface Rgba extends Size {
  data: Uint8ClampedArray;
}

/**
 * The mask that a picture means. Where it is transparent is to change; a picture without any transparency is white
 * where it is to change. What lies outside of an image of this size is left out.
 */
export function loadedMask({ width, height, data }: Rgba, size: Size): MaskPixels {
  const byAlpha = hasTransparency(data);
  const writer = new MaskWriter(blankMask(size));
  const right = Math.min(width, size.width);
  for (let y = 0; y < Math.min(height, size.height); y++) {
    for (let x = 0; x < right; x++) {
      const at = 4 * (y * width + x);
      writer.coverage[x] = byAlpha ? 255 - (data[at + 3] ?? 255) : luminance(data, at);
    }
    writer.merge('add', y, 0, right);
  }
  return writer.finish();
}

function hasTransparency(data: Uint8ClampedArray): boolean {
  for (let at = 3; at < data.length; at += 4) {
    if (data[at] !== 255) {
      return true;
    }
  }
  return false;
}

function luminance(data: Uint8ClampedArray, at: number): number {
  const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
  return Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
}
