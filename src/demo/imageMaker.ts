import type { EncodedImage } from './imageHost.ts';
import type { ImageFormat } from './models.ts';
import { paint } from './painter/painter.ts';
import { encodePng } from './painter/png.ts';

/** What one request asks to be made. */
export interface ImageOrder {
  prompt: string;
  size: { width: number; height: number };
  /** Number of images. */
  n: number;
  format: ImageFormat;
}

/** Makes the images of an order, one order after the other. */
export class ImageMaker {
  #last: Promise<unknown> = Promise.resolve();

  /** @throws Error whose message says why the images could not be made */
  make(order: ImageOrder): Promise<EncodedImage[]> {
    const made = this.#last.then(() => makeAll(order));
    this.#last = made.catch(() => undefined);
    return made;
  }
}

async function makeAll({ prompt, size, n }: ImageOrder): Promise<EncodedImage[]> {
  const images: EncodedImage[] = [];
  for (let variant = 0; variant < n; variant++) {
    images.push({ format: 'png', bytes: await encodePng(paint({ prompt, ...size, variant })) });
  }
  return images;
}
