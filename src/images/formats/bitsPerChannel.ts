import { sniffImage } from './sniff.ts';

/** How many bits each channel of decoded pixels needs at least: 16 for some PNG files, 8 for everything else. */
export function bitsPerChannel(bytes: Uint8Array): 8 | 16 {
  // Behind the mark, the head of the first chunk, and the size.
  return sniffImage(bytes)?.extension === 'png' && bytes[24] === 16 ? 16 : 8;
}
