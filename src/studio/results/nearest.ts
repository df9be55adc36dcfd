/** Bounds on the screen. */
export type Rectangle = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** Returns the tile that a key moves to: along the line, to the nearest of the next line, or to the ends. */
export function nearest(tiles: readonly Rectangle[], from: number, key: string): number | undefined {
  const here = tiles[from];
  if (!here) {
    return undefined;
  }
  switch (key) {
    case 'ArrowRight':
      return from + 1 < tiles.length ? from + 1 : undefined;
    case 'ArrowLeft':
      return from > 0 ? from - 1 : undefined;
    case 'ArrowDown':
      return nearestOf(tiles, here, ({ top }) => top >= here.bottom);
    case 'ArrowUp':
      return nearestOf(tiles, here, ({ bottom }) => bottom <= here.top);
    case 'Home':
      return 0;
    case 'End':
      return tiles.length - 1;
    default:
      return undefined;
  }
}

function nearestOf(
  tiles: readonly Rectangle[],
  here: Rectangle,
  isThere: (tile: Rectangle) => boolean,
): number | undefined {
  let best: number | undefined;
  let least = Infinity;
  for (const [index, tile] of tiles.entries()) {
    // The nearest line wins, then the nearest column.
    const distance = Math.abs(tile.top - here.top) * 1000 + Math.abs(tile.left - here.left);
    if (isThere(tile) && distance < least) {
      best = index;
      least = distance;
    }
  }
  return best;
}
