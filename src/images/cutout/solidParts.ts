import { asPixelWords, type Pixels } from '../codecs/pixels.ts';
import { clear, opaque } from './alphaMap.ts';
import type { Rgb } from './surface.ts';

/** Width of a sharp outline in pixels: the least, and as a share of the longer side. */
const [leastEdge, edgeShare] = [3, 1 / 300];
/** Minimum number of pixels that are farther from an outline than its width, in an even area and in any. */
const [leastEven, leastCore] = [150, 12];
/** Minimum alpha of an even area: below it, something is seen through. */
const leastAlpha = 96;
/** Maximum difference of alpha over the width of an outline in an even area, as a share. */
const evenness = 0.12;
/** Minimum share of pixels in an even area around which alpha is even. */
const evenShare = 0.8;
/** Minimum share of alpha that is reached over the width of a sharp outline, and of the outline that is sharp. */
const [sharpRise, sharpShare] = [0.7, 0.7];
/** Maximum level of something dark. */
const darkest = 48;
/** Minimum dark share of a shadow, and of its outline that no opaque part covers. */
const [darkShare, bareShare] = [0.8, 0.3];

/**
 * Makes half-transparent areas with a sharp outline opaque, in place. Glass, smoke, and shadows have highlights, fade
 * out, or are thin; an area with one even alpha is a solid part in a color like the background's.
 *
 * @param isEven only areas with an even alpha
 * @param key the background's color, if it is still in the pixels' colors
 * @returns the number of pixels in these areas
 */
export function fillSolidParts(pixels: Pixels, { isEven, key }: { isEven: boolean; key?: Rgb }): number {
  return new HalfParts(pixels, key).fill(isEven);
}

/** The half-transparent areas of an image. */
class HalfParts {
  readonly #pixels: Pixels;
  readonly #words: Uint32Array;
  readonly #reach: number;
  readonly #key: Rgb | undefined;
  /** Pixels that were looked at; only where there are such areas. */
  #seen: Uint8Array | undefined;

  constructor(pixels: Pixels, key: Rgb | undefined) {
    this.#pixels = pixels;
    this.#key = key;
    this.#words = asPixelWords(pixels.rgba);
    this.#reach = Math.max(leastEdge, Math.round(Math.max(pixels.width, pixels.height) * edgeShare));
  }

  fill(isEven: boolean): number {
    const { width, height } = this.#pixels;
    const reach = this.#reach;
    let filled = 0;
    for (let y = reach; y < height - reach; y += 2) {
      for (let pixel = y * width + reach, end = (y + 1) * width - reach; pixel < end; pixel += 2) {
        if (this.#isHalf(pixel) && this.#seen?.[pixel] !== 1 && this.#isCore(pixel)) {
          const part = this.#partAround(pixel);
          if (this.#isSolid(part, isEven)) {
            this.#makeOpaque(part);
            filled += part.length;
          }
        }
      }
    }
    return filled;
  }

  #alpha(pixel: number): number {
    return (this.#words[pixel] ?? 0) >>> 24;
  }

  #isHalf(pixel: number): boolean {
    const alpha = this.#alpha(pixel);
    return alpha > clear && alpha < opaque;
  }

  /** Whether a pixel that isn't near the border of the image is half-transparent with everything around it. */
  #isCore(pixel: number): boolean {
    const [across, down] = [this.#reach, this.#reach * this.#pixels.width];
    return (
      this.#isHalf(pixel - across) &&
      this.#isHalf(pixel + across) &&
      this.#isHalf(pixel - down) &&
      this.#isHalf(pixel + down)
    );
  }

  #partAround(start: number): number[] {
    const { width, height } = this.#pixels;
    const seen = (this.#seen ??= new Uint8Array(width * height));
    seen[start] = 1;
    const part = [start];
    for (const pixel of part) {
      const x = pixel % width;
      for (const near of [
        x > 0 ? pixel - 1 : -1,
        x < width - 1 ? pixel + 1 : -1,
        pixel - width,
        pixel + width,
      ]) {
        if (near >= 0 && near < seen.length && seen[near] === 0 && this.#isHalf(near)) {
          seen[near] = 1;
          part.push(near);
        }
      }
    }
    return part;
  }

  #isSolid(part: readonly number[], isEven: boolean): boolean {
    const alphas = new Uint32Array(256);
    let [core, even, dark] = [0, 0, 0];
    for (const pixel of part) {
      if (this.#isInside(pixel) && this.#isCore(pixel)) {
        const alpha = this.#alpha(pixel);
        alphas[alpha] = (alphas[alpha] ?? 0) + 1;
        core++;
        even += this.#isEvenAt(pixel) ? 1 : 0;
        dark += this.#isDark(pixel) ? 1 : 0;
      }
    }
    const middle = medianOf(alphas, core);
    if (core < (isEven ? leastEven : leastCore)) {
      return false;
    }
    const { sharp, soft, covered } = this.#outlineOf(part, middle);
    const isSharp = sharp >= sharpShare * (sharp + soft);
    if (!isEven) {
      return isSharp;
    }
    const isBare = sharp + soft > bareShare * (sharp + soft + covered);
    return (
      isSharp && middle >= leastAlpha && even >= evenShare * core && !(dark >= darkShare * core && isBare)
    );
  }

  #isInside(pixel: number): boolean {
    const { width, height } = this.#pixels;
    const [x, y, reach] = [pixel % width, Math.floor(pixel / width), this.#reach];
    return x >= reach && y >= reach && x < width - reach && y < height - reach;
  }

  #isDark(pixel: number): boolean {
    const { rgba } = this.#pixels;
    const [alpha, color] = [this.#alpha(pixel) / 255, rgba.subarray(pixel * 4, pixel * 4 + 3)];
    const seen = this.#key?.map((level, channel) => level + ((color[channel] ?? 0) - level) / alpha);
    return Math.max(...(seen ?? color)) <= darkest;
  }

  #isEvenAt(pixel: number): boolean {
    const [across, down] = [this.#reach, this.#reach * this.#pixels.width];
    const alpha = this.#alpha(pixel);
    return [-across, across, -down, down].every(
      (way) => Math.abs(this.#alpha(pixel + way) - alpha) <= evenness * alpha,
    );
  }

  /** Counts the pixels at the outline of a part: beside something clear, sharply or softly, or something opaque. */
  #outlineOf(part: readonly number[], middle: number): Record<'sharp' | 'soft' | 'covered', number> {
    const { width } = this.#pixels;
    const counts = { sharp: 0, soft: 0, covered: 0 };
    for (const pixel of part) {
      if (!this.#isInside(pixel)) {
        continue;
      }
      for (const way of [-1, 1, -width, width]) {
        const beside = this.#alpha(pixel + way);
        if (beside <= clear) {
          counts[this.#alpha(pixel - way * (this.#reach - 1)) >= sharpRise * middle ? 'sharp' : 'soft']++;
        } else if (beside >= opaque) {
          counts.covered++;
        }
      }
    }
    return counts;
  }

  /** Makes a part opaque up to its outline, where its alpha rises to what it was inside. */
  #makeOpaque(part: readonly number[]): void {
    const { rgba, width } = this.#pixels;
    const made = Uint8Array.from(part, (pixel) => {
      const alpha = this.#alpha(pixel);
      let [isEdge, most] = [!this.#isInside(pixel), alpha];
      for (const way of isEdge ? [] : [-1, 1, -width, width, -width - 1, -width + 1, width - 1, width + 1]) {
        for (let count = 1; count < this.#reach; count++) {
          const other = this.#alpha(pixel + count * way);
          isEdge ||= other <= clear;
          most = other < opaque ? Math.max(most, other) : most;
        }
      }
      return isEdge ? Math.min(255, (255 * alpha) / most + 0.5) : 255;
    });
    for (const [index, pixel] of part.entries()) {
      rgba[pixel * 4 + 3] = made[index] ?? 255;
    }
  }
}

function medianOf(counts: Uint32Array, total: number): number {
  let below = 0;
  return counts.findIndex((count) => (below += count) * 2 >= total);
}
