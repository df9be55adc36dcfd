import type { Dimensions } from '../../formats/dimensions.ts';
import type { Finish, Fit } from '../../formats/finish.ts';
import { roundedUp } from '../../formats/roundedUp.ts';
import { CodecError } from '../pixels.ts';
import type { Part } from '../resize.ts';

/** Where a picture goes in the finished one. */
export interface Placement {
  /** What is taken of the picture, in its pixels. Fractional only if it is scaled. */
  taken: Part;
  /** The whole pixels that it gets in the finished picture. */
  place: Part;
  /** The size of the finished picture. */
  canvas: Dimensions;
}

const middle = { x: 0.5, y: 0.5 };

/**
 * Places a picture, or a subject in it.
 *
 * @param own size of the upright picture
 * @param subject what is left of it after trimming, in whole pixels; undefined if it is not trimmed
 * @throws CodecError when margins leave no room for it
 */
export function placementOf(own: Dimensions, how: Finish, subject: Part | undefined): Placement {
  const whole = subject ?? { left: 0, top: 0, width: own.width, height: own.height };
  const margin = subject && how.trim ? marginOf(how.trim, how.size, subject) : 0;
  const asked = how.size ?? widened(whole, 2 * margin);
  const canvas = roundedUp(asked, how.multiples);
  const fit = how.fit ?? { by: 'crop' };
  // To round up its own size is no reason to scale a picture that can be padded.
  const room = widened(fit.by === 'pad' && !how.size ? asked : canvas, -2 * margin);
  if (Math.min(room.width, room.height) < 1) {
    throw new CodecError(
      `Margins of ${margin} pixels leave no room in ${asked.width} × ${asked.height} pixels.`,
    );
  }
  const size = fit.by === 'pad' ? contained(whole, room) : room;
  return {
    taken: fit.by === 'crop' ? cropped(whole, room, focusIn(own, fit)) : whole,
    place: {
      ...size,
      left: Math.floor((canvas.width - size.width) / 2),
      top: Math.floor((canvas.height - size.height) / 2),
    },
    canvas,
  };
}

/** Whether a picture keeps its size, and all that is seen of it its place. */
export function staysInPlace({ taken, place, canvas }: Placement, own: Dimensions): boolean {
  return isSame(canvas, own) && isSame(taken, place) && taken.left === place.left && taken.top === place.top;
}

/** Whether two sizes are the same. */
export function isSame(one: Dimensions, other: Dimensions): boolean {
  return one.width === other.width && one.height === other.height;
}

/** Returns the margin in pixels of the finished picture. Percentages below 50 always leave room. */
function marginOf(
  { unit, margin }: NonNullable<Finish['trim']>,
  size: Dimensions | undefined,
  subject: Dimensions,
): number {
  if (unit === 'px') {
    return margin;
  }
  return size
    ? Math.floor((Math.min(size.width, size.height) * margin) / 100)
    : Math.round((Math.min(subject.width, subject.height) * margin) / (100 - 2 * margin));
}

function widened({ width, height }: Dimensions, by: number): Dimensions {
  return { width: width + by, height: height + by };
}

/** Returns the largest size of the same proportions that a room holds. */
function contained({ width, height }: Dimensions, room: Dimensions): Dimensions {
  const scale = Math.min(room.width / width, room.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Returns the point that stays in the picture, in its pixels. */
function focusIn(
  own: Dimensions,
  { focus = middle }: Extract<Fit, { by: 'crop' }>,
): { x: number; y: number } {
  return { x: focus.x * own.width, y: focus.y * own.height };
}

/** Returns the largest part with the proportions of a room, as near around a point as it goes. */
function cropped(whole: Part, room: Dimensions, focus: { x: number; y: number }): Part {
  const scale = Math.min(whole.width / room.width, whole.height / room.height);
  const [width, height] = [room.width * scale, room.height * scale];
  const start = (from: number, length: number, taken: number, centre: number): number => {
    const wanted = Math.max(from, Math.min(from + length - taken, centre - taken / 2));
    return scale === 1 ? Math.floor(wanted) : wanted;
  };
  return {
    left: start(whole.left, whole.width, width, focus.x),
    top: start(whole.top, whole.height, height, focus.y),
    width,
    height,
  };
}
