import { findCheckerboard, measureGround, opaque, type Rgb } from '../matte/matte.ts';
import { type Pixels, release } from '../pixels.ts';
import { cut } from './canvas.ts';
import { isSame } from './placement.ts';
import { seenPart } from './trimming.ts';

/** A background that was painted inside a clear margin: a checkerboard, a strong flat colour, or a pale or grey one. */
export type InnerGround = { kind: 'checkerboard' } | { kind: 'strong' | 'pale'; colour: Rgb };

/** The least share of the picture that is within the margin. In glass, the few opaque spots are no background. */
const leastPart = 0.25;
/** How far inside the frame is looked at, as a share of the shorter side: its edge may be soft. */
const inset = 0.015;
/** The least share of the frame that is opaque where a background fills it, perhaps with round corners. */
const leastFilled = 0.7;
/** The least difference between the strongest and the weakest channel of a strong colour, in levels. */
const leastStrength = 128;

/** Finds what a clear margin surrounds that should be clear as well. */
export function innerGround(pixels: Pixels): InnerGround | undefined {
  const part = seenPart(pixels, opaque);
  if (!part || part.width * part.height < leastPart * pixels.width * pixels.height) {
    return undefined;
  }
  const inner = isSame(part, pixels) ? pixels : cut(pixels, part);
  try {
    if (findCheckerboard(inner)) {
      return { kind: 'checkerboard' };
    }
    const ground = fillsFrame(inner) ? measureGround(inner) : undefined;
    return (
      ground && {
        kind: strengthOf(ground.colour) >= leastStrength ? 'strong' : 'pale',
        colour: ground.colour,
      }
    );
  } finally {
    if (inner !== pixels) {
      release(inner.rgba);
    }
  }
}

function strengthOf(colour: readonly number[]): number {
  return Math.max(...colour) - Math.min(...colour);
}

/** Whether a picture is opaque nearly all along its four sides. */
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
