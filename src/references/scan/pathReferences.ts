import { namesImage } from '../addresses.ts';
import type { Notation, Reference, Words } from '../reference.ts';

/** Returns the reference of an address that is a path as it is; none if it names no image. */
export function pathReferences(
  address: string,
  start: number,
  words: Words,
  notation: Notation = 'path',
): Reference[] {
  return namesImage(address, notation)
    ? [{ address, start, end: start + address.length, notation, words, size: {} }]
    : [];
}
