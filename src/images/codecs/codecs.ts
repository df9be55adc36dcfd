import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { WorkerClient } from '../../common/workerClient.ts';
import { CodecError, type Encoding, type Pixels } from './pixels.ts';
import { serveCodecs, type Operations } from './codecWorker.ts';
import type { CompositeOutcome, MaskedEdit } from './compositeMasked.ts';
import type { MaskConvention } from './convertMask.ts';

export { jpegSegments, pngChunks, webpChunks } from '../formats/containers.ts';
export { findDamage } from '../damage/findDamage.ts';
export { RangeReader } from '../formats/rangeReader.ts';
export { sniffImage } from '../formats/sniff.ts';
export { CodecError, type Encoding, type Pixels } from './pixels.ts';
export { imageSize } from './codecSet.ts';
export type { CompositeOutcome, MaskedEdit, CompositeFailure } from './compositeMasked.ts';
export type { MaskConvention } from './convertMask.ts';

/** Marks the threads in which this file serves requests. */
const ROLE = 'limner.codecs';

/** Processes PNG, JPEG and WebP files in a separate thread, one image at a time. */
export class Codecs {
  readonly #worker = new WorkerClient<Operations>({
    open: () => new Worker(new URL(import.meta.url), { workerData: ROLE }),
    keepsProcess: true,
    toError: ({ message }, options) => new CodecError(message, options),
    closed: 'The codecs were closed.',
    broke: 'The codec thread failed.',
    ended: 'The codec thread ended.',
  });

  /**
   * Decodes a file, whose format is recognised by its bytes. An EXIF orientation is not applied.
   * @throws CodecError for other formats, damaged files and more than 100 megapixels
   */
  decode(bytes: Uint8Array): Promise<Pixels> {
    return this.#worker.ask('decode', bytes);
  }

  /** @throws CodecError when the pixels are fewer or more than their size says, or cannot be encoded */
  encode(pixels: Pixels, encoding: Encoding): Promise<Uint8Array> {
    return this.#worker.ask('encode', pixels, encoding);
  }

  /**
   * Converts a file to another format. Its EXIF orientation is applied, and its colour profile is kept.
   * @throws CodecError as `decode` and `encode`
   */
  convert(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
    return this.#worker.ask('convert', bytes, encoding);
  }

  /**
   * Applies the EXIF orientation of a file and returns it as PNG.
   * @throws CodecError as `decode`
   */
  upright(bytes: Uint8Array): Promise<Uint8Array> {
    return this.convert(bytes, { format: 'png' });
  }

  /**
   * Scales an upright image to cover a size in pixels, crops it around the centre, and keeps its format.
   * @throws CodecError as `decode`, and for a size of no pixels or of more than 100 megapixels
   */
  fit(bytes: Uint8Array, width: number, height: number): Promise<Uint8Array> {
    return this.#worker.ask('fit', bytes, { width, height });
  }

  /**
   * Converts a mask of either convention to the given one, as PNG.
   * @throws CodecError as `decode`
   */
  convertMask(bytes: Uint8Array, convention: MaskConvention): Promise<Uint8Array> {
    return this.#worker.ask('convertMask', bytes, convention);
  }

  /**
   * Puts an original's pixels back outside the mask of its edit.
   * @throws CodecError when the thread breaks down; the outcome reports all other problems
   */
  compositeMasked(edit: MaskedEdit): Promise<CompositeOutcome> {
    return this.#worker.ask('compositeMasked', edit);
  }

  /** Ends the thread and rejects the pending requests. */
  dispose(): Promise<void> {
    return this.#worker.dispose();
  }
}

if (!isMainThread && workerData === ROLE && parentPort !== null) {
  serveCodecs(parentPort);
}
