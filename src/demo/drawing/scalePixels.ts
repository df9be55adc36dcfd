import type { Pixels } from '../../images/codecs/codecs.ts';

/** Scales an image. Each new pixel is mixed from the four nearest old ones. */
export function resize(pixels: Pixels, width: number, height: number): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  const last = { x: pixels.width - 1, y: pixels.height - 1 };
  for (let row = 0; row < height; row++) {
    const y = Math.min(last.y, Math.max(0, ((row + 0.5) * pixels.height) / height - 0.5));
    const top = Math.floor(y);
    const bottom = Math.min(last.y, top + 1);
    for (let column = 0; column < width; column++) {
      const x = Math.min(last.x, Math.max(0, ((column + 0.5) * pixels.width) / width - 0.5));
      const left = Math.floor(x);
      const right = Math.min(last.x, left + 1);
      for (let channel = 0; channel < 4; channel++) {
        const at = (fromX: number, fromY: number): number =>
          pixels.rgba[(fromY * pixels.width + fromX) * 4 + channel] ?? 0;
        const upper = at(left, top) + (at(right, top) - at(left, top)) * (x - left);
        const lower = at(left, bottom) + (at(right, bottom) - at(left, bottom)) * (x - left);
        rgba[(row * width + column) * 4 + channel] = upper + (lower - upper) * (y - top) + 0.5;
      }
    }
  }
  return { width, height, rgba };
}
