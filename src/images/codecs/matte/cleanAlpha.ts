import { opaqueWord, type Pixels, wordsOf } from '../pixels.ts';

/** Alpha up to which a pixel may be a speck, and from which a neighbour shows that it isn't. */
const [faint, firm] = [40, 64];
/** The least pixels, as numbers, that aren't clear and that aren't faint. */
const [leastFaint, leastFirm] = [2 ** 24, (faint + 1) * 2 ** 24];
/** The fewest pixels that aren't clear, among the 25 around one, in a soft edge or smoke. */
const fewest = 11;

/** Clears faint pixels that stand nearly alone, in place: lossy compression strews them around edges. */
export function removeSpecks(pixels: Pixels): void {
  const { width, rgba } = pixels;
  const words = wordsOf(rgba);
  for (let pixel = 0; pixel < words.length; pixel++) {
    const word = words[pixel] ?? 0;
    if (word >= leastFaint && word < leastFirm && isAlone(pixels, pixel % width, Math.floor(pixel / width))) {
      rgba[pixel * 4 + 3] = 0;
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

/** Alpha from which a pixel closes a hole in. */
const closed = 224;
/** Alpha from which a pixel between opaque ones is the seam of two colours of the subject, and no hole. */
const seam = 128;
/** The area of the largest pinholes, as a share of the image. */
const pinholeShare = 2e-5;

/**
 * Fills holes in a subject that are too small to be meant, in place, with the colour around them, and closes seams.
 * Larger holes, such as the middle of a ring, stay.
 */
export function fillPinholes(pixels: Pixels): void {
  const { width, height, rgba } = pixels;
  const finder = new HoleFinder(pixels, Math.max(2, Math.round(width * height * pinholeShare)));
  const words = wordsOf(rgba);
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

/** Whether a pixel has opaque ones two pixels away on all sides. */
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

/** Collects open regions that are small and enclosed. Each pixel is looked at once. */
class HoleFinder {
  readonly #pixels: Pixels;
  /** The pixels that were looked at: those of large regions, and of the one that is being collected. */
  readonly #seen: Uint8Array;
  readonly #region: Int32Array;

  constructor(pixels: Pixels, most: number) {
    this.#pixels = pixels;
    this.#seen = new Uint8Array(pixels.width * pixels.height);
    this.#region = new Int32Array(most);
  }

  /** Returns the open pixels around one, or none if they are many, reach the border or were found to before. */
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
          // Above and below the image, nothing was seen.
        } else if (!region.subarray(0, count).includes(near)) {
          return none;
        }
      }
    }
    return region.subarray(0, count);
  }
}

/** Gives a hole the mean colour of the pixels around it. */
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
