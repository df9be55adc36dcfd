import { type Pixels, opaqueWord, asPixelWords } from '../codecs/pixels.ts';
import { findCheckerboard, opaque, type Checkerboard } from './checkerboard.ts';

/** The kind of transparency in an image. */
export type AlphaKind =
  | { kind: 'alpha' }
  | { kind: 'opaque' }
  /** Only a checkerboard, painted around the subject. */
  | ({ kind: 'checkerboard' } & Checkerboard);

/** Minimum share of pixels that are not opaque in an image with alpha, which excludes stray ones. */
const leastShare = 0.002;

/** Whether an image has an alpha channel with content: some of its pixels are not opaque. */
export function hasRealAlpha({ rgba }: Pixels): boolean {
  const wanted = (rgba.length / 4) * leastShare;
  let [count, least] = [0, 255];
  for (let at = 3; at < rgba.length; at += 4) {
    const alpha = rgba[at] ?? 0;
    if (alpha < opaque) {
      count++;
      least = Math.min(least, alpha);
      if (count > wanted && least < 128) {
        return true;
      }
    }
  }
  return false;
}

/** Distinguishes a real alpha channel, an opaque image, and a painted checkerboard. */
export function alphaKind(pixels: Pixels): AlphaKind {
  if (hasRealAlpha(pixels)) {
    return { kind: 'alpha' };
  }
  const board = findCheckerboard(pixels);
  return board ? { kind: 'checkerboard', ...board } : { kind: 'opaque' };
}

/** Maximum alpha of a speck, and minimum alpha of a neighbor that rules one out. */
const [faint, firm] = [40, 64];
/** The lowest numbers of a pixel that isn't clear, and of one that isn't faint. */
const [leastFaint, leastFirm] = [2 ** 24, (faint + 1) * 2 ** 24];
/** Minimum number of pixels that aren't clear, among the 25 around one, in a soft edge or smoke. */
const fewest = 11;

/** Clears nearly isolated faint pixels, in place: lossy compression scatters them around edges. */
export function removeSpecks(pixels: Pixels): void {
  const { width, rgba } = pixels;
  const words = asPixelWords(rgba);
  for (let pixel = 0; pixel < words.length; pixel++) {
    const word = words[pixel] ?? 0;
    if (word >= leastFaint && word < leastFirm && isAlone(pixels, pixel % width, Math.floor(pixel / width))) {
      rgba[pixel * 4 + 3] = 0;
    }
  }
}

/** Maximum alpha of a loose speck, and maximum area as a share of the image. */
const [mostLoose, looseShare] = [150, 4e-5];

/** Clears small faint areas that don't touch anything firm, in place: halved colors scatter them around edges. */
export function removeLooseSpecks({ width, height, rgba }: Pixels): void {
  const words = asPixelWords(rgba);
  const most = Math.max(12, Math.round(looseShare * width * height));
  const seen = new Uint8Array(words.length);
  for (let start = 0; start < words.length; start++) {
    const first = (words[start] ?? 0) >>> 24;
    if (first === 0 || first > mostLoose || seen[start] === 1) {
      continue;
    }
    const speck = [start];
    seen[start] = 1;
    let isLoose = true;
    for (let next = 0; next < speck.length && isLoose; next++) {
      const pixel = speck[next] ?? 0;
      const x = pixel % width;
      for (const near of [
        x > 0 ? pixel - 1 : -1,
        x < width - 1 ? pixel + 1 : -1,
        pixel - width,
        pixel + width,
      ]) {
        const alpha = near < 0 || near >= words.length ? 0 : (words[near] ?? 0) >>> 24;
        if (alpha > mostLoose || (alpha > 0 && speck.length > most)) {
          isLoose = false;
        } else if (alpha > 0 && seen[near] === 0) {
          seen[near] = 1;
          speck.push(near);
        }
      }
    }
    if (isLoose) {
      for (const pixel of speck) {
        rgba[pixel * 4 + 3] = 0;
      }
    }
  }
}

/** Maximum alpha that is clear, and minimum of what is opaque. */
const [cleared, full] = [12, 243];

/**
 * Makes opaque what is clear or half-transparent and doesn't reach the border, in place: with a background without a hue,
 * that is the subject's own white, black, or gray. Its pixels still have their colors.
 */
export function keepEnclosed({ width, height, rgba }: Pixels): void {
  const words = asPixelWords(rgba);
  const outside = new Uint8Array(words.length);
  spread(outside, width, height, (pixel) => (words[pixel] ?? 0) >>> 24 <= cleared, true);
  const beside = outside.slice();
  spread(beside, width, height, (pixel) => (words[pixel] ?? 0) >>> 24 < full, true);
  for (let pixel = 0; pixel < words.length; pixel++) {
    const alpha = (words[pixel] ?? 0) >>> 24;
    if (alpha <= cleared ? outside[pixel] === 0 : alpha < full && beside[pixel] === 0) {
      rgba[pixel * 4 + 3] = 255;
    } else if (alpha === 0) {
      words[pixel] = 0;
      rgba.fill(0, pixel * 4, pixel * 4 + 3);
    }
  }
}

/** Marks the open pixels that are connected to the border, or to marked ones. */
function spread(
  marks: Uint8Array,
  width: number,
  height: number,
  isOpen: (pixel: number) => boolean,
  fromBorder: boolean,
): void {
  const last = width * height - 1;
  const mark = (pixel: number, back: number): boolean => {
    const x = pixel % width;
    if (marks[pixel] === 1 || !isOpen(pixel)) {
      return false;
    }
    const isEdge = fromBorder && (x === 0 || x === width - 1 || pixel < width || pixel > last - width);
    const hasBeside = back > 0 ? x > 0 : x < width - 1;
    if (isEdge || (hasBeside && marks[pixel - back] === 1) || marks[pixel - back * width] === 1) {
      marks[pixel] = 1;
      return true;
    }
    return false;
  };
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (let pixel = 0; pixel <= last; pixel++) {
      isChanged = mark(pixel, 1) || isChanged;
    }
    for (let pixel = last; pixel >= 0; pixel--) {
      isChanged = mark(pixel, -1) || isChanged;
    }
  }
}

function isAlone({ width, rgba }: Pixels, x: number, y: number): boolean {
  const [left, right] = [Math.max(0, x - 2), Math.min(width - 1, x + 2)];
  let count = 0;
  for (let nearY = y - 2; nearY <= y + 2; nearY++) {
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

/** Minimum alpha of a pixel that encloses a hole. */
const closed = 224;
/** Minimum alpha of a seam: a pixel between two opaque colors of the subject, and no hole. */
const seam = 128;
/** The area of the largest pinholes, as a share of the image. */
const pinholeShare = 2e-5;

/**
 * Fills unintentionally small holes in a subject, in place, with the color around them, and closes seams. Larger
 * holes, such as the middle of a ring, stay.
 */
export function fillPinholes(pixels: Pixels): void {
  const { width, height, rgba } = pixels;
  const finder = new HoleFinder(pixels, Math.max(2, Math.round(width * height * pinholeShare)));
  const words = asPixelWords(rgba);
  for (let pixel = 0; pixel < words.length; pixel++) {
    const word = words[pixel] ?? 0;
    // Most pixels are opaque, or clear beside others.
    if (word >= opaqueWord || (word === 0 && words[pixel - 1] === 0)) {
      continue;
    }
    const alpha = rgba[pixel * 4 + 3] ?? 0;
    if (alpha >= seam && isSeam(pixels, pixel)) {
      rgba[pixel * 4 + 3] = 255;
    } else if (alpha < closed && (rgba[pixel * 4 - 1] ?? 0) >= closed) {
      fill(finder.holeAt(pixel), pixels);
    }
  }
}

function isSeam({ width, rgba }: Pixels, pixel: number): boolean {
  const x = pixel % width;
  const at = pixel * 4 + 3;
  return (
    x > 1 &&
    x < width - 2 &&
    rgba[at - 8] === 255 &&
    rgba[at + 8] === 255 &&
    rgba[at - width * 8] === 255 &&
    rgba[at + width * 8] === 255
  );
}

/** Collects small enclosed open regions, visiting each pixel once. */
class HoleFinder {
  readonly #pixels: Pixels;
  /** Visited pixels: those of large regions, and of the one being collected. */
  readonly #seen: Uint8Array;
  readonly #region: Int32Array;

  constructor(pixels: Pixels, most: number) {
    this.#pixels = pixels;
    this.#seen = new Uint8Array(pixels.width * pixels.height);
    this.#region = new Int32Array(most);
  }

  /** Returns the open region around a pixel; empty if it is large, at the border, or was rejected before. */
  holeAt(start: number): Int32Array {
    const { width, rgba } = this.#pixels;
    const region = this.#region;
    const none = region.subarray(0, 0);
    if (this.#seen[start] === 1) {
      return none;
    }
    this.#seen[start] = 1;
    region[0] = start;
    let count = 1;
    for (let next = 0; next < count; next++) {
      const pixel = region[next] ?? 0;
      const x = pixel % width;
      if (x === 0 || x === width - 1) {
        return none;
      }
      for (const near of [pixel - 1, pixel + 1, pixel - width, pixel + width]) {
        if ((rgba[near * 4 + 3] ?? 0) >= closed) {
          continue;
        }
        if (this.#seen[near] === 0 && count < region.length) {
          this.#seen[near] = 1;
          region[count++] = near;
          // Above and below the image, no pixel was visited.
        } else if (!region.subarray(0, count).includes(near)) {
          return none;
        }
      }
    }
    return region.subarray(0, count);
  }
}

/** Gives a hole the mean color of the pixels around it. */
function fill(hole: Int32Array, { width, rgba }: Pixels): void {
  let [red, green, blue, count] = [0, 0, 0, 0];
  for (const pixel of hole) {
    for (const near of [pixel - 1, pixel + 1, pixel - width, pixel + width]) {
      const at = near * 4;
      if ((rgba[at + 3] ?? 0) >= closed) {
        red += rgba[at] ?? 0;
        green += rgba[at + 1] ?? 0;
        blue += rgba[at + 2] ?? 0;
        count++;
      }
    }
  }
  for (const pixel of hole) {
    rgba.set([red / count, green / count, blue / count, 255], pixel * 4);
  }
}
