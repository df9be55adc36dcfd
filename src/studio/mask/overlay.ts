import type { Zoom } from '../components/zoom.ts';
import type { Area } from '../maskPixels/area.ts';
import { emptyTile, fullTile, type MaskPixels, tileSide } from '../maskPixels/maskPixels.ts';

/** Colors of a screen pixel by the amount edited there, 0 to 255, in odd and even stripes. */
export type OverlayStyle = readonly [Uint32Array, Uint32Array];

const stripe = 6;
/** Length of the dashes of the edge, alternately black and white to be visible on every image. */
const dash = 4;
const black = 0xff000000;
const white = 0xffffffff;
/** Samples of the mask per screen pixel, along each side. */
const samples = 2;
const whole = 255 * samples * samples;

/** @param color red, green, and blue @param strengths of the two stripes, 0 to 1 */
export function overlayStyle(
  [red, green, blue]: readonly [number, number, number],
  strengths: readonly [number, number],
): OverlayStyle {
  const table = (strength: number): Uint32Array =>
    Uint32Array.from(
      { length: 256 },
      (_, amount) => (Math.round(amount * strength) << 24) | (blue << 16) | (green << 8) | red,
    );
  return [table(strengths[0]), table(strengths[1])];
}

/**
 * Draws the visible part of a mask at the resolution of the screen, however large the image is.
 * @returns RGBA, row by row
 */
export function overlayPixels(
  mask: MaskPixels,
  zoom: Zoom,
  { left, top, right, bottom }: Area,
  style: OverlayStyle,
): Uint8ClampedArray<ArrayBuffer> {
  const width = right - left;
  const pixels = new Uint32Array(width * (bottom - top));
  // The pixels to the left and above determine where the edge is.
  const columns = sampledColumns(mask, zoom, left - 1, width + 1);
  let above = new Uint16Array(width + 1);
  let sums = new Uint16Array(width + 1);
  addRow(mask, zoom, top - 1, columns, above);
  for (let y = top; y < bottom; y++) {
    sums.fill(0);
    addRow(mask, zoom, y, columns, sums);
    const start = (y - top) * width - 1;
    for (let at = 1; at <= width; at++) {
      const sum = sums[at] ?? 0;
      const isInside = 2 * sum >= whole;
      const x = left + at - 1;
      if (isInside !== 2 * (sums[at - 1] ?? 0) >= whole || isInside !== 2 * (above[at] ?? 0) >= whole) {
        pixels[start + at] = (Math.floor(x / dash) + Math.floor(y / dash)) % 2 === 0 ? black : white;
      } else if (sum > 0) {
        const table = style[Math.floor((x + y) / stripe) % 2 === 0 ? 0 : 1];
        pixels[start + at] = table[Math.round(sum / (samples * samples))] ?? 0;
      }
    }
    [above, sums] = [sums, above];
  }
  return new Uint8ClampedArray(pixels.buffer);
}

/** For each screen column: the column of tiles to sample, or -1 outside of the image, and the offset in the tile. */
interface Columns {
  tile: Int32Array;
  offset: Int32Array;
}

function sampledColumns({ width }: MaskPixels, zoom: Zoom, left: number, count: number): Columns[] {
  return Array.from({ length: samples }, (_, sample) => {
    const tile = new Int32Array(count).fill(-1);
    const offset = new Int32Array(count);
    for (let at = 0; at < count; at++) {
      const x = Math.floor((left + at + (sample + 0.5) / samples - zoom.x) / zoom.scale);
      if (x >= 0 && x < width) {
        tile[at] = Math.floor(x / tileSide);
        offset[at] = x % tileSide;
      }
    }
    return { tile, offset };
  });
}

function addRow(mask: MaskPixels, zoom: Zoom, screenY: number, columns: Columns[], sums: Uint16Array): void {
  for (let sample = 0; sample < samples; sample++) {
    const y = Math.floor((screenY + (sample + 0.5) / samples - zoom.y) / zoom.scale);
    if (y >= 0 && y < mask.height) {
      for (const column of columns) {
        addSamples(mask, y, column, sums);
      }
    }
  }
}

function addSamples(mask: MaskPixels, y: number, { tile, offset }: Columns, sums: Uint16Array): void {
  const row = Math.floor(y / tileSide) * mask.columns;
  const start = (y % tileSide) * tileSide;
  for (let at = 0; at < tile.length;) {
    const column = tile[at] ?? -1;
    const values = column < 0 ? emptyTile : (mask.tiles[row + column] ?? emptyTile);
    let end = at;
    while (tile[end] === column) {
      end += 1;
    }
    if (values === fullTile) {
      for (; at < end; at++) {
        sums[at] = (sums[at] ?? 0) + 255;
      }
    } else if (values !== emptyTile) {
      for (; at < end; at++) {
        sums[at] = (sums[at] ?? 0) + (values[start + (offset[at] ?? 0)] ?? 0);
      }
    }
    at = end;
  }
}
