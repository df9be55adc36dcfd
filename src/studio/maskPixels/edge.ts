import { emptyTile, fullTile, type MaskPixels, tileSide } from './maskPixels.ts';

/** Part of a mask, row by row, with pixels around it; those outside of the mask repeat its border. */
interface Part {
  values: Uint8Array;
  side: number;
}

/** Moves the edge of a mask inward by this many pixels, or outward if they are negative. It stays as soft as it is. */
export function choked(mask: MaskPixels, pixels: number): MaskPixels {
  const radius = Math.abs(pixels);
  return pixels === 0
    ? mask
    : eachTile(mask, radius, (part) => inner(moved(part, radius, pixels < 0), radius));
}

/** Makes the edge of a mask softer by this many pixels. Nothing becomes more opaque: it fades inward. */
export function feathered(mask: MaskPixels, pixels: number): MaskPixels {
  return eachTile(mask, 2 * pixels, (part) => {
    const soft = blurred(moved(part, pixels, false), pixels);
    const before = inner(part, 2 * pixels);
    return inner(soft, 2 * pixels).map((value, at) => Math.min(value, before[at] ?? 0));
  });
}

/** Changes each tile that has an edge within reach. @param change gets it with `margin` pixels around it */
function eachTile(mask: MaskPixels, margin: number, change: (part: Part) => Uint8Array): MaskPixels {
  const { columns, tiles } = mask;
  return {
    ...sizeOf(mask),
    columns,
    tiles: tiles.map((tile, index) => {
      const isUniform = tile === emptyTile || tile === fullTile;
      if (isUniform && around(mask, index).every((other) => other === tile)) {
        return tile;
      }
      const part = partOf(mask, index, margin);
      // Only what is in reach counts.
      if (isUniform && part.values.every((value) => value === tile[0])) {
        return tile;
      }
      const made = change(part);
      const [first] = made;
      const isSame = (first === 0 || first === 255) && made.every((value) => value === first);
      return isSame ? (first === 0 ? emptyTile : fullTile) : made;
    }),
  };
}

function sizeOf({ width, height }: MaskPixels): { width: number; height: number } {
  return { width, height };
}

/** Returns the tiles beside one, also across its corners. */
function around({ columns, tiles }: MaskPixels, index: number): Uint8Array[] {
  const [column, row] = [index % columns, Math.floor(index / columns)];
  return [-1, 0, 1].flatMap((down) =>
    [-1, 0, 1].flatMap((across) => {
      const isInside = column + across >= 0 && column + across < columns;
      return (isInside && tiles[(row + down) * columns + column + across]) || [];
    }),
  );
}

function partOf({ width, height, columns, tiles }: MaskPixels, index: number, margin: number): Part {
  const side = tileSide + 2 * margin;
  const left = (index % columns) * tileSide - margin;
  const top = Math.floor(index / columns) * tileSide - margin;
  const values = new Uint8Array(side * side);
  for (let y = 0; y < side; y++) {
    const down = Math.min(height - 1, Math.max(0, top + y));
    const row = Math.floor(down / tileSide) * columns;
    const start = (down % tileSide) * tileSide;
    for (let x = 0; x < side; x++) {
      const across = Math.min(width - 1, Math.max(0, left + x));
      values[y * side + x] = tiles[row + Math.floor(across / tileSide)]?.[start + (across % tileSide)] ?? 0;
    }
  }
  return { values, side };
}

/** Returns a part without the pixels around it. */
function inner({ values, side }: Part, margin: number): Uint8Array {
  const tile = new Uint8Array(tileSide * tileSide);
  for (let y = 0; y < tileSide; y++) {
    const start = (y + margin) * side + margin;
    tile.set(values.subarray(start, start + tileSide), y * tileSide);
  }
  return tile;
}

/** Gives each pixel the least value within a disc, or the greatest. */
function moved({ values, side }: Part, radius: number, isOutward: boolean): Part {
  // The least of the inverse is the greatest.
  const from = isOutward ? values.map((value) => 255 - value) : values;
  const least = new Uint8Array(from.length).fill(255);
  const lowest = new Uint8Array(side);
  for (let away = 0; away <= radius; away++) {
    const reach = Math.floor(Math.sqrt(radius * radius - away * away));
    for (let y = 0; y < side; y++) {
      lowest.fill(255);
      lowerRow(lowest, from.subarray(y * side, (y + 1) * side), reach);
      for (const other of [y - away, y + away].filter((row) => row >= 0 && row < side)) {
        lower(least.subarray(other * side, (other + 1) * side), lowest);
      }
    }
  }
  return { values: isOutward ? least.map((value) => 255 - value) : least, side };
}

/** Lowers each value to another one, if that is less. */
function lower(values: Uint8Array, others: Uint8Array): void {
  for (let at = 0; at < values.length; at++) {
    const other = others[at] ?? 0;
    if (other < (values[at] ?? 0)) {
      values[at] = other;
    }
  }
}

/** Lowers each value to the least of a row that is at most `reach` away. */
function lowerRow(values: Uint8Array, row: Uint8Array, reach: number): void {
  // Positions whose values rise: the first one is the least in reach.
  const rising = new Uint32Array(row.length);
  let [first, end] = [0, 0];
  for (let x = 0; x < row.length + reach; x++) {
    if (x < row.length) {
      const value = row[x] ?? 0;
      while (end > first && (row[rising[end - 1] ?? 0] ?? 0) >= value) {
        end -= 1;
      }
      rising[end] = x;
      end += 1;
    }
    const at = x - reach;
    if (at >= 0) {
      if ((rising[first] ?? 0) < at - reach) {
        first += 1;
      }
      const least = row[rising[first] ?? 0] ?? 0;
      if (least < (values[at] ?? 0)) {
        values[at] = least;
      }
    }
  }
}

/** Gives each pixel the mean of a square around it. */
function blurred({ values, side }: Part, radius: number): Part {
  const across = meanOfRows(values, side, radius);
  const down = meanOfRows(turned(across, side), side, radius);
  return { values: turned(down, side), side };
}

function meanOfRows(values: Uint8Array, side: number, radius: number): Uint8Array {
  const means = new Uint8Array(values.length);
  for (let start = 0; start < values.length; start += side) {
    let [sum, count] = [0, 0];
    for (let x = -radius; x < side; x++) {
      if (x + radius < side) {
        sum += values[start + x + radius] ?? 0;
        count += 1;
      }
      if (x - radius > 0) {
        sum -= values[start + x - radius - 1] ?? 0;
        count -= 1;
      }
      if (x >= 0) {
        means[start + x] = Math.round(sum / count);
      }
    }
  }
  return means;
}

/** Swaps rows and columns. */
function turned(values: Uint8Array, side: number): Uint8Array {
  const swapped = new Uint8Array(values.length);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      swapped[x * side + y] = values[y * side + x] ?? 0;
    }
  }
  return swapped;
}
