import type { Host } from '../../store/host.ts';
import type { Size } from '../../zoom/zoom.ts';
import { decodeMask } from './decodeMask.ts';
import type { MaskPixels } from '../drawing/maskPixels.ts';
import type { StudioStore } from '../../store/studioStore.ts';
import { Painting } from '../drawing/painting.ts';

/** Reads a mask that the host keeps. @throws Error when it is gone or cannot be read */
export async function readMask(host: Host, file: string, size: Size): Promise<MaskPixels> {
  const image = new Image();
  // The pixels of another origin can only be read if requested like this.
  image.crossOrigin = 'anonymous';
  image.src = await host.ask('maskUrl', { file });
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) {
    throw new Error('There is no canvas.');
  }
  context.drawImage(image, 0, 0);
  return decodeMask(context.getImageData(0, 0, width, height), size);
}

const paintings = new WeakMap<StudioStore, Painting>();

/** Returns the painting of this size, which outlives its view. */
export function paintingOf(store: StudioStore, host: Host, { width, height }: Size): Painting {
  const known = paintings.get(store);
  if (known?.mask.width === width && known.mask.height === height) {
    return known;
  }
  const painting = new Painting({ width, height }, (file, size) => readMask(host, file, size));
  paintings.set(store, painting);
  return painting;
}
