import * as english from '../../common/english.ts';
import { type Dimensions, roundedUp } from '../formats/dimensions.ts';
import type { Finish, Fit } from '../formats/finish.ts';
import { CodecError } from '../codecs/pixels.ts';
import type { Part } from '../codecs/resize.ts';

/** The position of an image in the finished one. */
export interface Placement {
  /** The visible part of the image, in its pixels. Fractional only if it is scaled. */
  taken: Part;
  /** The whole pixels that it covers in the finished image. */
  place: Part;
  canvas: Dimensions;
}

const middle = { x: 0.5, y: 0.5 };

/**
 * Places an image, or a subject in it.
 *
 * @param own size of the upright image
 * @param subject the part that remains after trimming, in whole pixels; undefined if it is not trimmed
 * @throws CodecError when margins leave no room for it
 */
export function placementOf(own: Dimensions, how: Finish, subject: Part | undefined): Placement {
  const whole = subject ?? { left: 0, top: 0, width: own.width, height: own.height };
  const margin = subject && how.trim ? marginOf(how.trim, how.size, subject) : 0;
  const asked = how.size ?? widened(whole, 2 * margin);
  const canvas = roundedUp(asked, how.multiples);
  const fit = how.fit ?? { by: 'crop' };
  // Rounding up its own size is no reason to scale an image that can be padded.
  const room = widened(fit.by === 'pad' && !how.size ? asked : canvas, -2 * margin);
  if (Math.min(room.width, room.height) < 1) {
    throw new CodecError(
      english.t(
        'Margins of {0} pixels leave no room in {1} × {2} pixels.',
        margin,
        asked.width,
        asked.height,
      ),
    );
  }
  const size = fit.by === 'pad' ? contained(whole, room, fit.room) : room;
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

/** Whether an image keeps its size, and all visible pixels keep their positions. */
export function staysInPlace({ taken, place, canvas }: Placement, own: Dimensions): boolean {
  return isSame(canvas, own) && isSame(taken, place) && taken.left === place.left && taken.top === place.top;
}

export function isSame(one: Dimensions, other: Dimensions): boolean {
  return one.width === other.width && one.height === other.height;
}

/** Returns the margin in pixels of the finished image. Percentages below 50 always leave room. */
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

/** Returns the largest size of the same proportions that fits into a room, or into a share of its sides. */
function contained({ width, height }: Dimensions, room: Dimensions, share = 1): Dimensions {
  const scale = share * Math.min(room.width / width, room.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Returns the focus of the crop, in the image's pixels. */
function focusIn(
  own: Dimensions,
  { focus = middle }: Extract<Fit, { by: 'crop' }>,
): { x: number; y: number } {
  return { x: focus.x * own.width, y: focus.y * own.height };
}

/** Returns the largest part with the proportions of a room, centered as near to a point as possible. */
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
