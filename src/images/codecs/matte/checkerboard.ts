import type { Pixels } from '../pixels.ts';

/** A checkerboard that was painted into an image. */
export interface Checkerboard {
  /** The side of its squares, in pixels. */
  square: number;
  /** Its two greys, the darker one first, from 0 to 255. */
  greys: readonly [number, number];
}

/** Alpha from which pixels count as opaque. */
export const opaque = 250;

/** The width of the band along the border that is looked at, as a share of the shorter side. */
const bandShare = 0.14;
const samples = 12_000;
/** The most by which the channels of a grey differ, which lossy compression and models disturb. */
const mostChroma = 28;
/** The least shares of the band that either grey has, and that both have: the subject may reach into it. */
const [leastShare, leastTogether] = [0.15, 0.4];
/** How far from a grey pixels are counted to it, in levels. */
const nearGrey = 3;
/** How far apart the two greys are, in levels. White and black squares are a chessboard. */
const contrasts = [8, 150] as const;
/** How far squares agree with those at the right distance, from 0 to 1, where models do not paint them all alike. */
const leastAgreement = 0.3;
/** The sides of squares, in pixels and as a share of the shorter side. */
const smallest = 3;
const largestShare = 0.13;

/** Finds the pattern by which programs show transparency around the subject of an image. */
export function findCheckerboard(pixels: Pixels): Checkerboard | undefined {
  const band = bandOf(pixels);
  const greys = twoGreys(pixels, band);
  if (!greys) {
    return undefined;
  }
  const board = new Board(pixels, greys);
  const square = board.squareSide(band);
  return square === undefined ? undefined : { square, greys };
}

/** Returns positions along the border whose colour is one of the board's. */
export function pixelsOfBoard(pixels: Pixels, { greys }: Checkerboard): number[] {
  return bandOf(pixels).filter((pixel) => {
    const grey = greyAt(pixels.rgba, pixel);
    return grey >= 0 && greys.some((one) => Math.abs(one - grey) <= nearGrey);
  });
}

/** Returns positions in the band along the border. */
function bandOf({ width, height }: Pixels): number[] {
  const depth = Math.max(2, Math.round(Math.min(width, height) * bandShare));
  const area = width * height - Math.max(0, width - 2 * depth) * Math.max(0, height - 2 * depth);
  const band: number[] = [];
  // A step that shares no divisor with the width of squares, so that all of their parts are seen.
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

/** Returns the grey of a pixel, or -1 if it has a colour or isn't opaque. */
function greyAt(rgba: Uint8Array, pixel: number): number {
  const at = pixel * 4;
  const [red, green, blue] = [rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0];
  const isColoured = Math.max(red, green, blue) - Math.min(red, green, blue) > mostChroma;
  return isColoured || (rgba[at + 3] ?? 0) < opaque ? -1 : Math.round((red + green + blue) / 3);
}

/** Returns the two greys that most pixels of a band have. */
function twoGreys({ rgba }: Pixels, band: readonly number[]): Checkerboard['greys'] | undefined {
  const counts = new Float64Array(256);
  for (const pixel of band) {
    const grey = greyAt(rgba, pixel);
    if (grey >= 0) {
      counts[grey] = (counts[grey] ?? 0) + 1 / band.length;
    }
  }
  const one = peakOf(counts, () => true);
  const other = peakOf(counts, (grey) => Math.abs(grey - one.grey) >= contrasts[0]);
  const contrast = Math.abs(one.grey - other.grey);
  const isClear =
    contrast <= contrasts[1] &&
    Math.min(one.share, other.share) > leastShare &&
    one.share + other.share > leastTogether;
  return isClear ? [Math.min(one.grey, other.grey), Math.max(one.grey, other.grey)] : undefined;
}

/** Returns the grey that most pixels are near, of those that are wanted, and the share of these pixels. */
function peakOf(counts: Float64Array, isWanted: (grey: number) => boolean): { grey: number; share: number } {
  let most = { grey: 0, share: -1 };
  for (let grey = 0; grey < counts.length; grey++) {
    const around = counts.subarray(Math.max(0, grey - nearGrey), grey + nearGrey + 1);
    const share = around.reduce((sum, count) => sum + count, 0);
    // Of equal ones, the most frequent grey is in the middle.
    if (isWanted(grey) && share + (counts[grey] ?? 0) / 100 > most.share) {
      most = { grey, share: share + (counts[grey] ?? 0) / 100 };
    }
  }
  return most;
}

/** Looks for squares among pixels of two greys. */
class Board {
  readonly #pixels: Pixels;
  readonly #middle: number;
  readonly #reach: number;

  constructor(pixels: Pixels, [dark, light]: Checkerboard['greys']) {
    this.#pixels = pixels;
    this.#middle = (dark + light) / 2;
    this.#reach = (light - dark) / 2 + Math.max(6, (light - dark) / 3);
  }

  /** Returns the side of the squares: at this distance colours are opposite across and down, and alike diagonally. */
  squareSide(band: readonly number[]): number | undefined {
    const { width, height } = this.#pixels;
    const largest = Math.floor(Math.min(width, height) * largestShare);
    const found: { square: number; opposition: number }[] = [];
    for (let square = smallest; square <= largest; square += Math.max(1, Math.floor(square / 24))) {
      const opposition = Math.min(-this.#agreement(band, square, 0), -this.#agreement(band, 0, square));
      found.push({ square, opposition });
    }
    // Three and five squares away, colours are opposite too.
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

  /** Returns how often pixels at a distance have the same grey, from -1 (never) to 1 (always). */
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

  /** Returns 1 for the light grey, -1 for the dark one and 0 for everything else. */
  #side(pixel: number): -1 | 0 | 1 {
    const grey = greyAt(this.#pixels.rgba, pixel);
    return grey < 0 || Math.abs(grey - this.#middle) > this.#reach ? 0 : grey > this.#middle ? 1 : -1;
  }
}
