import { Codecs, type Encoding, type Pixels } from '../images/codecs/codecs.ts';
import { MAX_IMAGE_BYTES, type EncodedImage } from './imageHost.ts';
import type { ImageFormat, Size } from './models.ts';
import { PaintThread, type PaintJob } from './painter/paintThread.ts';

/** What one request asks to be made. */
export interface ImageOrder {
  prompt: string;
  /** Number of images. */
  n: number;
  format: ImageFormat;
  subject:
    | { kind: 'generation'; size: Size }
    /** Input files as they came, and the size of the result where it is not that of the first input. */
    | { kind: 'edit'; inputs: readonly [Uint8Array, ...Uint8Array[]]; mask?: Uint8Array; size?: Size };
}

/** Makes the images of orders, each in threads of its own. */
export class ImageMaker {
  readonly #painter = new PaintThread();
  readonly #codecs = new Codecs();

  /**
   * The images of an order, each different from the others.
   * @throws Error whose message says why the images could not be made
   */
  async make(order: ImageOrder): Promise<EncodedImage[]> {
    const jobOf = await this.#prepare(order);
    const exact = order.subject.kind === 'edit' && order.subject.mask !== undefined;
    const images: EncodedImage[] = [];
    for (let variant = 0; variant < order.n; variant++) {
      images.push(await this.#encode(await this.#painter.paint(jobOf(variant)), order.format, exact));
    }
    return images;
  }

  /** @throws CodecError for what is no PNG, JPEG or WebP picture of at most 100 megapixels */
  decode(bytes: Uint8Array): Promise<Pixels> {
    return this.#codecs.decode(bytes);
  }

  async dispose(): Promise<void> {
    await Promise.all([this.#painter.dispose(), this.#codecs.dispose()]);
  }

  async #prepare({ prompt, subject }: ImageOrder): Promise<(variant: number) => PaintJob> {
    if (subject.kind === 'generation') {
      return (variant) => ({ kind: 'paint', prompt, variant, ...subject.size });
    }
    const [first, ...others] = subject.inputs;
    const inputs: [Pixels, ...Pixels[]] = [await this.decode(first)];
    for (const other of others) {
      inputs.push(await this.decode(other));
    }
    const edit = {
      inputs,
      ...(subject.mask !== undefined && { mask: await this.decode(subject.mask) }),
      ...(subject.size !== undefined && { size: subject.size }),
    };
    return (variant) => ({ kind: 'repaint', prompt, variant, ...edit });
  }

  /** @param exact no pixel may change by the encoding, so that what a mask protects stays as it was */
  async #encode(pixels: Pixels, format: ImageFormat, exact: boolean): Promise<EncodedImage> {
    const lossless: Encoding = { format: 'webp', lossless: true };
    const encodings: [Encoding, Encoding] = exact
      ? [format === 'webp' ? lossless : { format: 'png' }, lossless]
      : [{ format }, { format: 'jpeg' }];
    let image: EncodedImage | undefined;
    for (const encoding of encodings) {
      const bytes = Buffer.from(await this.#codecs.encode(pixels, encoding));
      image = { format: encoding.format, bytes };
      // A picture that would be too large to be stored is tried once more in a format that makes it smaller.
      if (bytes.length <= MAX_IMAGE_BYTES) {
        break;
      }
    }
    if (image === undefined) {
      throw new Error('The picture could not be encoded.');
    }
    return image;
  }
}
