import { pngFile } from '../support/images/pngFile.ts';

/** A black PNG of one bit a pixel: a small file, however many pixels it has. */
export function blankPng(width: number, height: number): Buffer {
  const lines = new Uint8Array((1 + Math.ceil(width / 8)) * height);
  return pngFile({ width, height, bitDepth: 1, colourType: 0, lines });
}
