import { bitsPerChannel } from '../formats/sniff.ts';
import type { Dimensions } from '../formats/dimensions.ts';
import { withColoursOf } from './colourProfile.ts';
import { encodeImage, formatOf, MAX_PIXELS } from './codecSet.ts';
import { editedLevels } from './mask.ts';
import type { Pixels } from './pixels.ts';
import { decodeUpright, uprightSize } from './turn.ts';

/** The files of a masked edit. */
export interface MaskedEdit {
  /** What the service made. */
  answer: Uint8Array;
  original: Uint8Array;
  /** Of either convention. */
  mask: Uint8Array;
}

/**
 * Why the pixels outside the mask could not be kept: the answer has another size than the original, the original is
 * gone or of a kind that cannot be read, the mask is of no use, the answer cannot be read, or there are more than 100
 * megapixels.
 */
export type NotKept = 'size' | 'original' | 'kind' | 'mask' | 'unreadable' | 'too_large';

/** What became of it. */
export type KeptOutside =
  | {
      kept: true;
      bytes: Uint8Array;
      mediaType: 'image/png' | 'image/webp';
      /** False where the original has more bits a channel than the eight that the pixels are rounded to. */
      isExact: boolean;
    }
  | { kept: false; why: NotKept };

/** How wide the soft edge is, inside the mask, in pixels. */
const edge = 4;
/** What a step to the next pixel, and a diagonal one, counts in a distance. */
const straight = 3;
const diagonal = 4;
const full = (edge + 1) * straight;

/**
 * Puts the original's pixels back outside the mask, every one as it was, in eight bits a channel; inside, the answer shows through a soft edge.
 * The result is lossless: WebP where the original is WebP, else PNG; its colours mean what the original's do. An EXIF
 * orientation is applied to all three.
 */
export async function keepOutside(edit: MaskedEdit): Promise<KeptOutside> {
  try {
    return await compose(edit);
  } catch (error) {
    if (error instanceof Impossible) {
      return { kept: false, why: error.why };
    }
    throw error;
  }
}

async function compose({ answer, original, mask }: MaskedEdit): Promise<KeptOutside> {
  const size = await reading('unreadable', uprightSize(answer));
  if (!isSame(size, await reading('kind', uprightSize(original)))) {
    throw new Impossible('size');
  }
  if (!isSame(size, await reading('mask', uprightSize(mask)))) {
    throw new Impossible('mask');
  }
  if (size.width * size.height > MAX_PIXELS) {
    throw new Impossible('too_large');
  }
  const read = async (bytes: Uint8Array, why: NotKept): Promise<Pixels> => {
    const pixels = await reading(why, decodeUpright(bytes));
    if (!isSame(pixels, size)) {
      // Not as large as its own header says.
      throw new Impossible(why);
    }
    return pixels;
  };
  const shares = answerShares(await read(mask, 'mask'));
  const pixels = await read(original, 'kind');
  blend(pixels.rgba, (await read(answer, 'unreadable')).rgba, shares);
  const isWebp = formatOf(original) === 'webp';
  const bytes = await encodeImage(pixels, isWebp ? { format: 'webp', lossless: true } : { format: 'png' });
  return {
    kept: true,
    bytes: await withColoursOf(bytes, original),
    isExact: bitsPerChannel(original) === 8,
    mediaType: isWebp ? 'image/webp' : 'image/png',
  };
}

class Impossible extends Error {
  readonly why: NotKept;

  constructor(why: NotKept) {
    super(why);
    this.why = why;
  }
}

async function reading<T>(why: NotKept, work: Promise<T>): Promise<T> {
  return work.catch(() => {
    throw new Impossible(why);
  });
}

function isSame(one: Dimensions, other: Dimensions): boolean {
  return one.width === other.width && one.height === other.height;
}

/** How much of the answer each pixel takes, from 0 outside the mask to 255 well inside it. */
function answerShares(mask: Pixels): Uint8Array {
  const levels = editedLevels(mask);
  const depths = depthsInside(levels, mask);
  return levels.map((level, pixel) => Math.min(level, Math.round(((depths[pixel] ?? 0) * 255) / full)));
}

/**
 * How far each pixel lies inside the mask, up to the width of the edge: two sweeps, each taking the shortest way over
 * the neighbours that it has passed. The border of the picture is no edge.
 */
function depthsInside(levels: Uint8Array, { width, height }: Dimensions): Uint8Array {
  const depths = levels.map((level) => (level === 0 ? 0 : full));
  const shorten = (at: number, x: number, ahead: -1 | 1, row: number): void => {
    // In the row that was passed before, and the pixel before in this one.
    const over = at + ahead * width;
    const isRow = row >= 0 && row < height;
    const reach = (from: number, inside: boolean, step: number): number =>
      inside ? (depths[from] ?? 0) + step : full;
    depths[at] = Math.min(
      depths[at] ?? 0,
      reach(at + ahead, x + ahead >= 0 && x + ahead < width, straight),
      reach(over, isRow, straight),
      reach(over - 1, isRow && x > 0, diagonal),
      reach(over + 1, isRow && x < width - 1, diagonal),
    );
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      shorten(y * width + x, x, -1, y - 1);
    }
  }
  for (let y = height - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--) {
      shorten(y * width + x, x, 1, y + 1);
    }
  }
  return depths;
}

/** Lays the answer over the original; where either is transparent, colours weigh as much as they are seen. */
function blend(original: Uint8Array, answer: Uint8Array, shares: Uint8Array): void {
  for (let pixel = 0, at = 0; pixel < shares.length; pixel++, at += 4) {
    const share = shares[pixel] ?? 0;
    if (share === 0) {
      continue;
    }
    if (share === 255) {
      original.set(answer.subarray(at, at + 4), at);
      continue;
    }
    const over = share * (answer[at + 3] ?? 0);
    const under = (255 - share) * (original[at + 3] ?? 0);
    const both = over + under;
    if (both === 0) {
      continue;
    }
    for (let channel = at; channel < at + 3; channel++) {
      original[channel] = Math.round(
        ((answer[channel] ?? 0) * over + (original[channel] ?? 0) * under) / both,
      );
    }
    original[at + 3] = Math.round(both / 255);
  }
}
