import { largestSide } from '../../common/requestValues.ts';
import type { StudioInput, StudioModel } from '../protocol/state.ts';

type Size = Pick<StudioInput, 'width' | 'height'>;

/** Formats a size as requests name it: `1024x768`. */
export function sizeValue({ width, height }: Size): string {
  return `${width}x${height}`;
}

/** Parses `<width>x<height>`; undefined if it is not a possible size of an image. */
export function parseSize(text: string): Size | undefined {
  const [, width = 0, height = 0] = /^(\d{1,5})x(\d{1,5})$/.exec(text)?.map(Number) ?? [];
  const isPossible = width >= 1 && height >= 1 && width <= largestSide && height <= largestSide;
  return isPossible ? { width, height } : undefined;
}

/** Returns the size of an image if the model supports it, or else the size of the most similar shape. */
export function likeImage(image: Size, { sizes }: Pick<StudioModel, 'sizes'>): string {
  const wanted = sizeValue(image);
  const known = sizes.filter((size) => parseSize(size));
  return known.length === 0
    ? wanted
    : known.reduce((best, size) => (unlikeness(size, image) < unlikeness(best, image) ? size : best));
}

/** Returns how different a size is from that of an image: first in shape, then in area. */
function unlikeness(size: string, image: Size): number {
  const { width, height } = parseSize(size) ?? image;
  const shape = Math.abs(Math.log((width * image.height) / (height * image.width)));
  const area = Math.abs(Math.log((width * height) / (image.width * image.height)));
  return 100 * shape + area;
}
