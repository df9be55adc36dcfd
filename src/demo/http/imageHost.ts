import { randomBytes } from 'node:crypto';
import type { DemoClock } from './demoClock.ts';
import type { ImageFormat } from './modelCatalog.ts';

/** How long an asynchronous result can be fetched, in milliseconds (docs/service.md, "Limits"). */
export const RETENTION = 6 * 60 * 60 * 1000;
/** Maximum size of one temporary image, in bytes (docs/service.md, "Limits"). */
export const MAX_IMAGE_BYTES = 20_000_000;

export interface EncodedImage {
  format: ImageFormat;
  bytes: Buffer;
}

const PATH = '/api/async-images/';
const EXTENSIONS: Record<ImageFormat, string> = { png: 'png', jpeg: 'jpg', webp: 'webp' };

/** Keeps the results of asynchronous tasks for six hours of the service's clock. */
export class ImageHost {
  readonly #clock: DemoClock;
  readonly #images = new Map<string, EncodedImage>();

  constructor(clock: DemoClock) {
    this.#clock = clock;
  }

  /**
   * Stores an image and returns its path on the result host, `/api/async-images/<file_name>.<ext>`.
   * @throws RangeError when it is larger than 20 MB
   */
  store(image: EncodedImage): string {
    if (image.bytes.length > MAX_IMAGE_BYTES) {
      throw new RangeError(
        `The image has ${image.bytes.length} bytes, more than the 20 MB that can be stored.`,
      );
    }
    const path = `${PATH}${randomBytes(16).toString('hex')}.${EXTENSIONS[image.format]}`;
    this.#images.set(path, image);
    this.#clock.schedule(RETENTION, () => {
      this.#images.delete(path);
    });
    return path;
  }

  /** Returns the image at a path, unless it never existed or its retention is over. */
  find(path: string): EncodedImage | undefined {
    return this.#images.get(path);
  }
}
