import { findCheckerboard, measureBackground, opaque, type Rgb } from '../cutout/matte.ts';
import { type Pixels, release } from '../codecs/pixels.ts';
import { cut } from './canvas.ts';
import { isSame } from './placement.ts';
import { seenPart } from './trimming.ts';

/** A background painted inside a clear margin: a checkerboard, a strong flat color, or a pale or gray one. */
export type InnerBackground = { kind: 'checkerboard' } | { kind: 'strong' | 'pale'; color: Rgb };

/** Minimum share of the image within the margin. In glass, the few opaque spots are no background. */
const leastPart = 0.25;
/** Inset from the frame, as a share of the shorter side: its edge may be soft. */
const inset = 0.015;
/** Minimum opaque share of a frame that a background fills, perhaps with round corners. */
const leastFilled = 0.7;
/** Minimum difference between the strongest and the weakest channel of a strong color, in levels. */
const leastStrength = 128;

/** Finds a background within a clear margin that should be clear as well. */
export function innerBackground(pixels: Pixels): InnerBackground | undefined {
  const part = seenPart(pixels, opaque);
  if (!part || part.width * part.height < leastPart * pixels.width * pixels.height) {
    return undefined;
  }
  const inner = isSame(part, pixels) ? pixels : cut(pixels, part);
  try {
    if (findCheckerboard(inner)) {
      return { kind: 'checkerboard' };
    }
    const background = fillsFrame(inner) ? measureBackground(inner) : undefined;
    return (
      background && {
        kind: strengthOf(background.color) >= leastStrength ? 'strong' : 'pale',
        color: background.color,
      }
    );
  } finally {
    if (inner !== pixels) {
      release(inner.rgba);
    }
  }
}

function strengthOf(color: readonly number[]): number {
  return Math.max(...color) - Math.min(...color);
}

function fillsFrame({ width, height, rgba }: Pixels): boolean {
  const depth = Math.min(Math.ceil(Math.min(width, height) * inset), (Math.min(width, height) - 1) >> 1);
  let [filled, count] = [0, 0];
  const look = (x: number, y: number): void => {
    filled += Number((rgba[(y * width + x) * 4 + 3] ?? 0) >= opaque);
    count++;
  };
  for (let x = depth; x < width - depth; x++) {
    look(x, depth);
    look(x, height - 1 - depth);
  }
  for (let y = depth; y < height - depth; y++) {
    look(depth, y);
    look(width - 1 - depth, y);
  }
  return filled >= leastFilled * count;
}
