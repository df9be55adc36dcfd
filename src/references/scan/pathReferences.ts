import { namesImage } from '../addresses.ts';
import type { Reference, Words } from '../reference.ts';

/** Returns the reference of an address that is a path as it is; none if it names no image. */
export function pathReferences(address: string, start: number, words: Words): Reference[] {
  return namesImage(address, 'path')
    ? [{ address, start, end: start + address.length, notation: 'path', words, size: {} }]
    : [];
}
