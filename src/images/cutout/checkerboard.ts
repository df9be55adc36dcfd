import type { Pixels } from '../codecs/pixels.ts';

export interface Checkerboard {
  /** The side of its squares, in pixels. */
  square: number;
  /** Its two grays, the darker one first, from 0 to 255. */
  grays: readonly [number, number];
}

/** Minimum alpha of an opaque pixel. */
export const opaque = 250;

/** Width of the inspected band along the border, as a share of the shorter side. */
const bandShare = 0.14;
const samples = 12_000;
/** Maximum difference between the channels of a gray, which lossy compression and models disturb. */
const mostChroma = 28;
/** Minimum share of either gray in the band, and of both together: the subject may reach into it. */
const [leastShare, leastTogether] = [0.15, 0.4];
/** Tolerance for pixels of a gray, in levels. */
const nearGray = 3;
/** Minimum and maximum contrast of the two grays, in levels. White and black squares are a chessboard. */
const contrasts = [8, 150] as const;
/** Minimum agreement of squares with those at the right distance, from 0 to 1. Models don't paint all alike. */
const leastAgreement = 0.3;
/** The sides of squares, in pixels and as a share of the shorter side. */
const smallest = 3;
const largestShare = 0.13;

/** Finds a painted checkerboard, the usual pattern for transparency, around the subject of an image. */
export function findCheckerboard(pixels: Pixels): Checkerboard | undefined {
  const band = bandOf(pixels);
  const grays = twoGrays(pixels, band);
  if (!grays) {
    return undefined;
  }
  const board = new Board(pixels, grays);
  const square = board.squareSide(band);
  return square === undefined ? undefined : { square, grays };
}

/** Returns positions along the border with a color of the board. */
export function pixelsOfBoard(pixels: Pixels, { grays }: Checkerboard): number[] {
  return bandOf(pixels).filter((pixel) => {
    const gray = grayAt(pixels.rgba, pixel);
    return gray >= 0 && grays.some((one) => Math.abs(one - gray) <= nearGray);
  });
}

/** Returns positions in the band along the border. */
function bandOf({ width, height }: Pixels): number[] {
  const depth = Math.max(2, Math.round(Math.min(width, height) * bandShare));
  const area = width * height - Math.max(0, width - 2 * depth) * Math.max(0, height - 2 * depth);
  const band: number[] = [];
  // An odd step samples all parts of squares with an even width.
  const step = Math.max(1, Math.floor(area / samples)) | 1;
  let index = 0;
  for (let y = 0; y < height; y++) {
    const isEdge = y < depth || y >= height - depth;
    for (let x = 0; x < width; x++) {
      if (!isEdge && x === depth) {
        x = width - depth;
      }
      if (index++ % step === 0) {
        band.push(y * width + x);
      }
    }
  }
  return band;
}

/** Returns the gray of a pixel, or -1 if it has a color or isn't opaque. */
function grayAt(rgba: Uint8Array, pixel: number): number {
  const at = pixel * 4;
  const [red, green, blue] = [rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0];
  const isColored = Math.max(red, green, blue) - Math.min(red, green, blue) > mostChroma;
  return isColored || (rgba[at + 3] ?? 0) < opaque ? -1 : Math.round((red + green + blue) / 3);
}

/** Returns the two most frequent grays of a band. */
function twoGrays({ rgba }: Pixels, band: readonly number[]): Checkerboard['grays'] | undefined {
  const counts = new Float64Array(256);
  for (const pixel of band) {
    const gray = grayAt(rgba, pixel);
    if (gray >= 0) {
      counts[gray] = (counts[gray] ?? 0) + 1 / band.length;
    }
  }
  const one = peakOf(counts, () => true);
  const other = peakOf(counts, (gray) => Math.abs(gray - one.gray) >= contrasts[0]);
  const contrast = Math.abs(one.gray - other.gray);
  const isClear =
    contrast <= contrasts[1] &&
    Math.min(one.share, other.share) > leastShare &&
    one.share + other.share > leastTogether;
  return isClear ? [Math.min(one.gray, other.gray), Math.max(one.gray, other.gray)] : undefined;
}

/** Returns the wanted gray with the most pixels near it, and the share of these pixels. */
function peakOf(counts: Float64Array, isWanted: (gray: number) => boolean): { gray: number; share: number } {
  let most = { gray: 0, share: -1 };
  for (let gray = 0; gray < counts.length; gray++) {
    const around = counts.subarray(Math.max(0, gray - nearGray), gray + nearGray + 1);
    const share = around.reduce((sum, count) => sum + count, 0);
    // Of equal ones, the most frequent gray is in the middle.
    if (isWanted(gray) && share + (counts[gray] ?? 0) / 100 > most.share) {
      most = { gray, share: share + (counts[gray] ?? 0) / 100 };
    }
  }
  return most;
}

/** Looks for squares among pixels of two grays. */
class Board {
  readonly #pixels: Pixels;
  readonly #middle: number;
  readonly #reach: number;

  constructor(pixels: Pixels, [dark, light]: Checkerboard['grays']) {
    this.#pixels = pixels;
    this.#middle = (dark + light) / 2;
    this.#reach = (light - dark) / 2 + Math.max(6, (light - dark) / 3);
  }

  /** Returns the side of the squares: at this distance colors are opposite across and down, and alike diagonally. */
  squareSide(band: readonly number[]): number | undefined {
    const { width, height } = this.#pixels;
    const largest = Math.floor(Math.min(width, height) * largestShare);
    const found: { square: number; opposition: number }[] = [];
    for (let square = smallest; square <= largest; square += Math.max(1, Math.floor(square / 24))) {
      const opposition = Math.min(-this.#agreement(band, square, 0), -this.#agreement(band, 0, square));
      found.push({ square, opposition });
    }
    // Three and five squares away, colors are opposite, too.
    const most = Math.max(leastAgreement, ...found.map(({ opposition }) => opposition));
    const index = found.findIndex(
      ({ opposition }, at) => opposition >= 0.7 * most && opposition >= (found[at + 1]?.opposition ?? 0),
    );
    const square = found[index]?.square;
    return square !== undefined && this.#isBoard(band, square) ? square : undefined;
  }

  #isBoard(band: readonly number[], square: number): boolean {
    const half = Math.round(square / 2);
    const across = this.#agreement(band, half, 0);
    const down = this.#agreement(band, 0, half);
    return (
      this.#agreement(band, square, square) > leastAgreement &&
      this.#agreement(band, 2 * square, 0) > leastAgreement / 2 &&
      this.#agreement(band, 0, 2 * square) > leastAgreement / 2 &&
      // In diagonal stripes, columns and rows depend on each other.
      Math.abs(this.#agreement(band, half, half) - across * down) < leastAgreement
    );
  }

  /** Returns how often pixels at a distance have the same gray, from -1 (never) to 1 (always). */
  #agreement(band: readonly number[], across: number, down: number): number {
    const { width, height } = this.#pixels;
    let [sum, count] = [0, 0];
    for (const pixel of band) {
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      if (x + across < width && y + down < height) {
        const product = this.#side(pixel) * this.#side(pixel + down * width + across);
        sum += product;
        count += Math.abs(product);
      }
    }
    return count < 100 ? 0 : sum / count;
  }

  /** Returns 1 for the light gray, -1 for the dark one, and 0 for everything else. */
  #side(pixel: number): -1 | 0 | 1 {
    const gray = grayAt(this.#pixels.rgba, pixel);
    return gray < 0 || Math.abs(gray - this.#middle) > this.#reach ? 0 : gray > this.#middle ? 1 : -1;
  }
}
