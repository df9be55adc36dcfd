import type { Pixels } from '../pixels.ts';

/** Alpha up to which a pixel may be a speck, and from which a neighbour shows that it isn't. */
const [faint, firm] = [40, 64];
/** The fewest pixels that aren't clear, among the 25 around one, in a soft edge or smoke. */
const fewest = 11;

/** Clears faint pixels that stand nearly alone, in place: lossy compression strews them around edges. */
export function removeSpecks(pixels: Pixels): void {
  const { width, rgba } = pixels;
  for (let at = 3; at < rgba.length; at += 4) {
    const alpha = rgba[at] ?? 0;
    if (alpha > 0 && alpha <= faint) {
      const pixel = at >> 2;
      if (isAlone(pixels, pixel % width, Math.floor(pixel / width))) {
        rgba[at] = 0;
      }
    }
  }
}

function isAlone({ width, height, rgba }: Pixels, x: number, y: number): boolean {
  const [left, right] = [Math.max(0, x - 2), Math.min(width - 1, x + 2)];
  const [top, bottom] = [Math.max(0, y - 2), Math.min(height - 1, y + 2)];
  let count = 0;
  for (let nearY = top; nearY <= bottom; nearY++) {
    for (let nearX = left; nearX <= right; nearX++) {
      const alpha = rgba[(nearY * width + nearX) * 4 + 3] ?? 0;
      if (alpha >= firm && Math.abs(nearX - x) < 2 && Math.abs(nearY - y) < 2) {
        return false;
      }
      count += alpha > 0 ? 1 : 0;
    }
  }
  return count < fewest;
}
