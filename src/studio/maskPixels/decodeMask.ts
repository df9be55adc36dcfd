import { isMaskByAlpha, maskLevel } from '../../common/requestValues.ts';
import type { Host } from '../store/host.ts';
import type { Size } from '../components/zoom.ts';
import { blankMask, type MaskPixels } from './maskPixels.ts';
import { MaskWriter } from './maskWriter.ts';

/** Reads a mask that the host keeps. @throws Error when it is gone or can't be read */
export async function readMask(host: Host, file: string, size: Size): Promise<MaskPixels> {
  return decodeMask(await readPixels(await host.ask('maskUrl', { file })), size);
}

/** Reads the pixels of an image. @throws Error when it is gone or can't be read */
export async function readPixels(url: string): Promise<Rgba> {
  const image = new Image();
  // Required to read the pixels of another origin.
  image.crossOrigin = 'anonymous';
  image.src = url;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) {
    throw new Error('There is no canvas.');
  }
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, width, height);
}

/** Pixels of a file, four bytes each. */
export interface Rgba extends Size {
  data: Uint8ClampedArray;
}

/** Decodes a mask file of either convention, and crops it to the size of the image. */
export function decodeMask({ width, height, data }: Rgba, size: Size): MaskPixels {
  const isByAlpha = isMaskByAlpha(data);
  const writer = new MaskWriter(blankMask(size));
  const right = Math.min(width, size.width);
  for (let y = 0; y < Math.min(height, size.height); y++) {
    for (let x = 0; x < right; x++) {
      writer.coverage[x] = maskLevel(data, 4 * (y * width + x), isByAlpha);
    }
    writer.merge('add', y, 0, right);
  }
  return writer.finish();
}

/** Returns the alpha of an image as a mask. */
export function alphaOf({ width, height, data }: Rgba): MaskPixels {
  const writer = new MaskWriter(blankMask({ width, height }));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      writer.coverage[x] = data[4 * (y * width + x) + 3] ?? 0;
    }
    writer.merge('add', y, 0, width);
  }
  return writer.finish();
}
