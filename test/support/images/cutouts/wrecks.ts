import { fractal, valueNoise } from '../../../../src/demo/painter/noise.ts';
import { seededRandom } from '../../../../src/demo/http/random.ts';
import type { Pixels } from '../../../../src/images/codecs/pixels.ts';

/** Changes the alpha of a pixel, all from 0 to 1 but the place, which is in pixels. */
type Change = (alpha: number, x: number, y: number) => number;

/** Returns what goes wrong with an image of a size; the seed says where. */
type Wreck = (size: Pixels, seed: number) => Change;

/** Ways in which cut-outs of something solid go wrong. */
export const wrecks = {
  'nothing left': () => () => 0,
  'nothing removed': () => () => 1,
  'inside out': () => (alpha) => 1 - alpha,
  'see-through': () => (alpha) => alpha * 0.6,
  'ground left in a veil': () => (alpha) => Math.max(alpha, 0.15),
  'ground left on one side':
    ({ width }) =>
    (alpha, x) =>
      x > width * 0.7 ? 1 : alpha,
  'moth-eaten finely': (_, seed) => {
    const noise = valueNoise(seed);
    return (alpha, x, y) => (noise(x / 2, y / 2) > 0.72 ? 0 : alpha);
  },
  'moth-eaten coarsely': ({ width, height }, seed) => {
    const noise = valueNoise(seed);
    const size = Math.min(width, height) / 40;
    return (alpha, x, y) => (noise(x / size, y / size) > 0.66 ? 0 : alpha);
  },
  'half gone in clouds': ({ width, height }, seed) => {
    const noise = fractal(valueNoise(seed), 3);
    const size = Math.min(width, height) / 5;
    return (alpha, x, y) => alpha * Math.max(0, Math.min(1, 2 * noise(x / size, y / size) - 0.5));
  },
  crumbs: (_, seed) => {
    const random = seededRandom(seed);
    const crumbs = new Set(
      Array.from({ length: 60 }, () => random.integer(0, 15) * 16 + random.integer(0, 15)),
    );
    return (_, x, y) => Number(crumbs.has((x >> 4) + (y >> 4) * 16) && x % 16 < 6 && y % 16 < 6);
  },
} satisfies Record<string, Wreck>;

/** Returns a cut-out with another alpha. */
export function wrecked(pixels: Pixels, wreck: Wreck, seed: number): Pixels {
  const { width, height } = pixels;
  const rgba = pixels.rgba.slice();
  const change = wreck(pixels, seed);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * 4 + 3;
    rgba[at] = Math.round(255 * change((rgba[at] ?? 0) / 255, pixel % width, Math.floor(pixel / width)));
  }
  return { width, height, rgba };
}
