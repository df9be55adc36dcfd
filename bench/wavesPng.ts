import { encodeImage } from '../src/images/codecs/codecSet.ts';

/** Returns a square PNG of waves in all colors, so that no two places look the same. @param side in pixels */
export async function wavesPng(side: number): Promise<Uint8Array> {
  const rgba = new Uint8Array(4 * side * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const at = 4 * (y * side + x);
      rgba[at] = 128 + 127 * Math.sin(x / 90);
      rgba[at + 1] = 128 + 127 * Math.sin(y / 70);
      rgba[at + 2] = (x ^ y) & 255;
      rgba[at + 3] = 255;
    }
  }
  return encodeImage({ width: side, height: side, rgba }, { format: 'png' });
}
