import type { Size } from '../components/zoom.ts';

/** Masks are cut into square tiles of this many pixels a side, so that their states can share unchanged tiles. */
export const tileSide = 256;

/** Tiles in which nothing or everything is edited. They are shared, so they are never written to. */
export const emptyTile = new Uint8Array(tileSide * tileSide);
export const fullTile = new Uint8Array(tileSide * tileSide).fill(255);

/** The edited amount of each pixel, 0 to 255, in rows of tiles. */
export interface MaskPixels extends Size {
  /** Number of tiles in a row. */
  readonly columns: number;
  readonly tiles: readonly Uint8Array[];
}

export function blankMask({ width, height }: Size): MaskPixels {
  const columns = Math.ceil(width / tileSide);
  const rows = Math.ceil(height / tileSide);
  return { width, height, columns, tiles: Array.from({ length: columns * rows }, () => emptyTile) };
}

export function copyRow({ width, columns, tiles }: MaskPixels, y: number, into: Uint8Array): void {
  const start = (y % tileSide) * tileSide;
  const row = Math.floor(y / tileSide) * columns;
  for (let column = 0; column < columns; column++) {
    const left = column * tileSide;
    const length = Math.min(tileSide, width - left);
    into.set((tiles[row + column] ?? emptyTile).subarray(start, start + length), left);
  }
}

export function isBlank(mask: MaskPixels): boolean {
  return isUniform(mask, emptyTile);
}

export function isFull(mask: MaskPixels): boolean {
  return isUniform(mask, fullTile);
}

/** Whether every pixel equals those of a uniform tile. */
function isUniform(mask: MaskPixels, tile: Uint8Array): boolean {
  if (mask.tiles.every((other) => other === tile)) {
    return true;
  }
  const [wanted] = tile;
  const row = new Uint8Array(mask.width);
  for (let y = 0; y < mask.height; y++) {
    copyRow(mask, y, row);
    if (row.some((value) => value !== wanted)) {
      return false;
    }
  }
  return true;
}

/** Sums of the values in tiles, which never change once they belong to a finished mask. */
const sums = new WeakMap<Uint8Array, number>();

/** Returns how much of a finished mask is edited, from 0 to 1. */
export function coverageOf({ width, height, columns, tiles }: MaskPixels): number {
  const marked = tiles.reduce((sum, tile, index) => {
    const across = Math.min(tileSide, width - (index % columns) * tileSide);
    const down = Math.min(tileSide, height - Math.floor(index / columns) * tileSide);
    return sum + sumOf(tile, across, down);
  }, 0);
  return marked / (255 * width * height);
}

function sumOf(tile: Uint8Array, across: number, down: number): number {
  if (tile === emptyTile || tile === fullTile) {
    return tile === fullTile ? 255 * across * down : 0;
  }
  let sum = sums.get(tile);
  if (sum === undefined) {
    sum = 0;
    for (let y = 0; y < down; y++) {
      for (let at = y * tileSide; at < y * tileSide + across; at++) {
        sum += tile[at] ?? 0;
      }
    }
    sums.set(tile, sum);
  }
  return sum;
}
