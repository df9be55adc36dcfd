import { emptyTile, fullTile, type MaskPixels, tileSide } from './maskPixels.ts';

/** Whether a shape is added to the edited area or subtracted from it. */
export type Mode = 'add' | 'subtract';

/** Draws on a copy of a mask. The first write to a tile copies it, so that the original stays unchanged. */
export class MaskWriter implements MaskPixels {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly tiles: Uint8Array[];
  /** Buffer for the coverage of one row. */
  readonly coverage: Uint8Array;
  readonly #own = new Set<number>();

  constructor({ width, height, columns, tiles }: MaskPixels) {
    this.width = width;
    this.height = height;
    this.columns = columns;
    this.tiles = [...tiles];
    this.coverage = new Uint8Array(width);
  }

  /**
   * Draws the pixels `from` (inclusive) to `to` (exclusive) of a row, with the strength of `coverage` from its start.
   * The strongest shape decides each pixel, so that drawing it again changes nothing.
   */
  merge(mode: Mode, y: number, from: number, to: number): void {
    this.#eachTile(mode, y, from, to, (tile, start, end, x) => {
      this.#mergeRow(mode, tile, start, end, x - from);
    });
  }

  /** Fully draws the pixels `from` (inclusive) to `to` (exclusive) of a row. */
  mergeSolid(mode: Mode, y: number, from: number, to: number): void {
    this.#eachTile(mode, y, from, to, (tile, start, end) => {
      tile.fill(mode === 'add' ? 255 : 0, start, end);
    });
  }

  flood(mode: Mode): void {
    this.tiles.fill(mode === 'add' ? fullTile : emptyTile);
    this.#own.clear();
  }

  invert(): void {
    for (const [index, tile] of this.tiles.entries()) {
      if (tile === emptyTile) {
        this.tiles[index] = fullTile;
      } else if (tile === fullTile) {
        this.tiles[index] = emptyTile;
      } else {
        const words = wordsOf(this.#writable(index));
        for (let at = 0; at < words.length; at++) {
          words[at] = ~(words[at] ?? 0);
        }
      }
    }
  }

  /** Returns the current state, which later writes do not change. */
  finish(): MaskPixels {
    for (const index of this.#own) {
      const tile = this.tiles[index] ?? emptyTile;
      this.tiles[index] = [emptyTile, fullTile].find((shared) => isSame(tile, shared)) ?? tile;
    }
    this.#own.clear();
    const { width, height, columns } = this;
    return { width, height, columns, tiles: [...this.tiles] };
  }

  /** Calls `change` for each tile's part of a row segment, with the x at which that part begins. */
  #eachTile(
    mode: Mode,
    y: number,
    from: number,
    to: number,
    change: (tile: Uint8Array, start: number, end: number, x: number) => void,
  ): void {
    const row = Math.floor(y / tileSide) * this.columns;
    const done = mode === 'add' ? fullTile : emptyTile;
    for (let x = from; x < to;) {
      const column = Math.floor(x / tileSide);
      const end = Math.min(to, (column + 1) * tileSide);
      const index = row + column;
      if (this.tiles[index] !== done) {
        const start = (y % tileSide) * tileSide + x - column * tileSide;
        change(this.#writable(index), start, start + end - x, x);
      }
      x = end;
    }
  }

  #mergeRow(mode: Mode, tile: Uint8Array, start: number, end: number, from: number): void {
    const { coverage } = this;
    const offset = from - start;
    if (mode === 'add') {
      for (let at = start; at < end; at++) {
        const value = coverage[at + offset] ?? 0;
        if (value > (tile[at] ?? 0)) {
          tile[at] = value;
        }
      }
    } else {
      for (let at = start; at < end; at++) {
        const value = 255 - (coverage[at + offset] ?? 0);
        if (value < (tile[at] ?? 0)) {
          tile[at] = value;
        }
      }
    }
  }

  #writable(index: number): Uint8Array {
    const tile = this.tiles[index] ?? emptyTile;
    if (this.#own.has(index)) {
      return tile;
    }
    const copy = tile.slice();
    this.tiles[index] = copy;
    this.#own.add(index);
    return copy;
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  for (let at = 0; at < words.length; at++) {
    if (words[at] !== others[at]) {
      return false;
    }
  }
  return true;
}

function wordsOf(tile: Uint8Array): Uint32Array {
  return new Uint32Array(tile.buffer, tile.byteOffset, tile.byteLength / 4);
}
