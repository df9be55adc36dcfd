import type { Dimensions } from './dimensions.ts';

/** What width and height of a texture can be multiples of; or else they are powers of two. */
export const allMultiples = [16, 'powerOfTwo'] as const;

export type Multiples = (typeof allMultiples)[number];

/** Returns the next size whose width and height are multiples, or the size itself where none are asked for. */
export function roundedUp({ width, height }: Dimensions, multiples: Multiples | undefined): Dimensions {
  const round = (length: number): number => {
    switch (multiples) {
      case undefined:
        return length;
      case 16:
        return Math.ceil(length / 16) * 16;
      case 'powerOfTwo':
        return 2 ** (32 - Math.clz32(length - 1));
    }
  };
  return { width: round(width), height: round(height) };
}
