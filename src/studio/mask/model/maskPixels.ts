import type { Size } from '../../zoom/zoom.ts';

/** A mask is cut into squares of so many pixels a side: what did not change is shared by all states of the mask. */
export const tileSide = 256;

/** A square in which nothing is to change, and one in which everything is. Shared, and so never written to. */
export const emptyTile = new Uint8Array(tileSide * tileSide);
export const fullTile = new Uint8Array(tileSide * tileSide).fill(255);

/** How much of each pixel is to change, 0 to 255, as tiles in rows. */
export interface MaskPixels extends Size {
  /** Tiles in a row. */
  readonly columns: number;
  readonly tiles: readonly Uint8Array[];
}

/** A mask in which nothing is to change. */
export function blankMask({ width, height }: Size): MaskPixels {
  const columns = Math.ceil(width / tileSide);
  const rows = Math.ceil(height / tileSide);
  return { width, height, columns, tiles: Array.from({ length: columns * rows }, () => emptyTile) };
}

/** One row of pixels, from the left on. */
export function copyRow({ width, columns, tiles }: MaskPixels, y: number, into: Uint8Array): void {
  const start = (y % tileSide) * tileSide;
  const row = Math.floor(y / tileSide) * columns;
  for (let column = 0; column < columns; column++) {
    const left = column * tileSide;
    const length = Math.min(tileSide, width - left);
    into.set((tiles[row + column] ?? emptyTile).subarray(start, start + length), left);
  }
}

/** Whether nothing is to change. */
export function isBlank(mask: MaskPixels): boolean {
  return isUniform(mask, emptyTile);
}

/** Whether everything is to change. */
export function isFull(mask: MaskPixels): boolean {
  return isUniform(mask, fullTile);
}

/** Whether every pixel is as those of a tile of which all are the same. */
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
