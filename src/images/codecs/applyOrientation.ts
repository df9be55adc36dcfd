import { isQuarterTurn, type Orientation, readOrientation, upright } from '../formats/animation.ts';
import { type Pixels, release, asPixelWords } from './pixels.ts';
import type { Dimensions } from '../formats/dimensions.ts';
import { decodeImage, imageSize, requireSize } from './codecSet.ts';

export async function uprightSize(bytes: Uint8Array): Promise<Dimensions> {
  return upright(imageSize(bytes), bytes);
}

/**
 * Decodes an image with its EXIF orientation applied. Parameters and errors as for `decodeImage`.
 *
 * @param change changes the pixels as they are stored, in place
 */
export async function decodeUpright(
  bytes: Uint8Array,
  onFlaw?: (flaw: string) => void,
  change?: (stored: Pixels) => void,
): Promise<Pixels> {
  requireSize(await uprightSize(bytes));
  const stored = await decodeImage(bytes, onFlaw);
  change?.(stored);
  const turned = applyOrientation(stored, await readOrientation(bytes));
  if (turned !== stored) {
    release(stored.rgba);
  }
  return turned;
}

/** Applies an EXIF orientation to stored pixels. */
export function applyOrientation(pixels: Pixels, orientation: Orientation): Pixels {
  if (orientation === 1) {
    return pixels;
  }
  const { width: across, height: down } = pixels;
  const [start, aside, below] = strides(orientation, pixels);
  const [width, height] = isQuarterTurn(orientation) ? [down, across] : [across, down];
  const stored = asPixelWords(pixels.rgba);
  const turned = new Uint32Array(stored.length);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, from = start + y * below; x < width; x++, from += aside) {
      turned[to++] = stored[from] ?? 0;
    }
  }
  return { width, height, rgba: new Uint8Array(turned.buffer) };
}

/** Returns the index of the first stored pixel, and the index steps to its right and lower neighbors. */
function strides(
  orientation: Exclude<Orientation, 1>,
  { width, height }: Pixels,
): [start: number, aside: number, below: number] {
  const [right, bottom] = [width - 1, (height - 1) * width];
  switch (orientation) {
    case 2:
      return [right, -1, width];
    case 3:
      return [bottom + right, -1, -width];
    case 4:
      return [bottom, 1, -width];
    case 5:
      return [0, width, 1];
    case 6:
      return [bottom, -width, 1];
    case 7:
      return [bottom + right, -width, -1];
    case 8:
      return [right, width, -1];
  }
}
