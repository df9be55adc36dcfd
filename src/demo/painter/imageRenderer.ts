import { Semaphore } from '../../common/semaphore.ts';
import {
  CodecError,
  imageSize,
  type Codecs,
  type Encoding,
  type Pixels,
} from '../../images/finish/codecs.ts';
import { invalidRequest } from '../http/apiError.ts';
import { MAX_IMAGE_BYTES, type EncodedImage } from '../http/imageHost.ts';
import type { ImageFormat, Size } from '../http/modelCatalog.ts';
import { paint } from './painter.ts';
import { repaint } from './repaint.ts';
import { resize } from './canvas.ts';

/** The files of an edit, as received. */
export interface EditFiles {
  inputs: readonly [Uint8Array, ...Uint8Array[]];
  mask?: Uint8Array;
}

export interface ImageOrder {
  prompt: string;
  n: number;
  format: ImageFormat;
  subject:
    | { kind: 'generation'; size: Size; transparent?: boolean }
    /** `size` is given if the result differs in size from the first input. */
    | ({ kind: 'edit'; size?: Size } & EditFiles);
}

/** Maximum number of pixels in concurrent orders, which take several times as much memory. */
const PIXELS_AT_ONCE = 4096 * 4096;

/** Turns files into files, so that pixels stay in the thread that works on them. */
export class ImageRenderer {
  readonly #codecs: Pick<Codecs, 'decode' | 'encode'>;
  readonly #semaphore = new Semaphore(() => PIXELS_AT_ONCE);

  constructor(codecs: Pick<Codecs, 'decode' | 'encode'>) {
    this.#codecs = codecs;
  }

  /** @throws ApiError 400 for input files that cannot be edited */
  make(order: ImageOrder): Promise<EncodedImage[]> {
    return this.#semaphore.use(pixelsOf(order), async () => {
      const draw = await this.#prepare(order);
      const exact = order.subject.kind === 'edit' && order.subject.mask !== undefined;
      const images: EncodedImage[] = [];
      for (let variant = 0; variant < order.n; variant++) {
        images.push(await this.#encode(draw(variant), order.format, exact));
      }
      return images;
    });
  }

  /** @throws ApiError 400 that says which files cannot be edited, and why */
  check(files: EditFiles): Promise<void> {
    return this.#semaphore.use(pixelsOfFiles(files), async () => {
      for (const input of files.inputs) {
        await this.#decode('image', input);
      }
      await this.#decodeMask(files.mask);
    });
  }

  async #prepare({ prompt, subject }: ImageOrder): Promise<(variant: number) => Pixels> {
    if (subject.kind === 'generation') {
      const { size, transparent = false } = subject;
      return (variant) => paint({ prompt, variant, transparent, ...size });
    }
    const { size } = subject;
    const [first, ...others] = subject.inputs;
    const inputs: [Pixels, ...Pixels[]] = [await this.#decode('image', first)];
    for (const other of others) {
      inputs.push(await this.#decode('image', other));
    }
    const mask = await this.#decodeMask(subject.mask);
    return (variant) => {
      const pixels = repaint({ prompt, variant, inputs, ...(mask !== undefined && { mask }) });
      return size === undefined ? pixels : resize(pixels, size.width, size.height);
    };
  }

  async #decodeMask(file: Uint8Array | undefined): Promise<Pixels | undefined> {
    const mask = file && (await this.#decode('mask', file));
    if (mask !== undefined && isOpaque(mask)) {
      throw invalidRequest('mask must be transparent where the image is to be edited.', 'invalid_mask');
    }
    return mask;
  }

  async #decode(field: string, file: Uint8Array): Promise<Pixels> {
    try {
      return await this.#codecs.decode(file);
    } catch (error) {
      if (error instanceof CodecError) {
        throw invalidRequest(`${field}: ${error.message}`, 'invalid_image');
      }
      throw error;
    }
  }

  /** @param exact encodes losslessly, so that the pixels that a mask protects stay unchanged */
  async #encode(pixels: Pixels, format: ImageFormat, exact: boolean): Promise<EncodedImage> {
    const lossless: Encoding = { format: 'webp', lossless: true };
    const [preferred, smaller]: [Encoding, Encoding] = exact
      ? [format === 'webp' ? lossless : { format: 'png' }, lossless]
      : [{ format }, { format: 'jpeg' }];
    const encode = async (encoding: Encoding): Promise<EncodedImage> => ({
      format: encoding.format,
      bytes: Buffer.from(await this.#codecs.encode(pixels, encoding)),
    });
    const image = await encode(preferred);
    // An image that is too large to store is retried in a smaller format.
    return image.bytes.length <= MAX_IMAGE_BYTES ? image : encode(smaller);
  }
}

function isOpaque({ rgba }: Pixels): boolean {
  for (let index = 3; index < rgba.length; index += 4) {
    if (rgba[index] !== 255) {
      return false;
    }
  }
  return true;
}

/** Returns the number of pixels of an order: its inputs and one result. */
function pixelsOf({ subject }: ImageOrder): number {
  const result = subject.size === undefined ? 0 : subject.size.width * subject.size.height;
  return result + (subject.kind === 'edit' ? pixelsOfFiles(subject) : 0);
}

function pixelsOfFiles({ inputs, mask }: EditFiles): number {
  return [...inputs, ...(mask === undefined ? [] : [mask])]
    .map((file) => imageSize(file))
    .reduce((sum, { width, height }) => sum + width * height, 0);
}
