import type { Pixels } from '../pixels.ts';
import { findCheckerboard, opaque, type Checkerboard } from './checkerboard.ts';

/** What an image has for transparency. */
export type AlphaKind =
  /** An alpha channel that says something. */
  | { kind: 'alpha' }
  | { kind: 'opaque' }
  /** Nothing but the pattern by which programs show transparency, painted around the subject. */
  | ({ kind: 'checkerboard' } & Checkerboard);

/** The least share of pixels that are not opaque in an image with alpha. A few stray ones do not count. */
const leastShare = 0.002;

/** Whether an image has an alpha channel that says something: some of its pixels are not opaque. */
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

/** Tells a real alpha channel from an opaque image, and from one with a painted checkerboard. */
export function alphaKind(pixels: Pixels): AlphaKind {
  if (hasRealAlpha(pixels)) {
    return { kind: 'alpha' };
  }
  const board = findCheckerboard(pixels);
  return board ? { kind: 'checkerboard', ...board } : { kind: 'opaque' };
}
