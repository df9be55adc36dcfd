import { createHash } from 'node:crypto';
import type { PaintCall } from './tools.ts';

/**
 * Returns what tells a call from others, however its arguments are written; words for a page make no other image.
 *
 * @param uris those of its files
 */
export function digestOf({ tool, input }: PaintCall, uris: readonly string[]): string {
  const { altText: _, path: __, images: ___, mask: ____, size, fit = 'crop', ...rest } = input;
  const given = {
    n: 1,
    overwrite: false,
    transparent: false,
    ...rest,
    uris,
    hasMask: input.mask !== undefined,
    ...(size !== undefined && { size, fit }),
  };
  const sorted = Object.entries(given).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tool, sorted]))
    .digest('hex');
}
