import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { CodecError } from './codecError.ts';
import type { CodecReply, CodecRequest } from './codecProtocol.ts';
import { serveCodecs } from './codecWorker.ts';
import type { KeptOutside, MaskedEdit } from './keepOutside.ts';
import type { MaskConvention } from './mask.ts';
import type { Encoding, Pixels } from './pixels.ts';

export { jpegSegments, pngChunks, webpChunks } from '../formats/containers.ts';
export { findDamage } from '../damage/findDamage.ts';
export { RangeReader } from '../formats/rangeReader.ts';
export { sniffImage } from '../formats/sniff.ts';
export { CodecError } from './codecError.ts';
export { imageSize } from './codecSet.ts';
export type { KeptOutside, MaskedEdit, NotKept } from './keepOutside.ts';
export type { MaskConvention } from './mask.ts';
export type { Encoding, Pixels } from './pixels.ts';

/** Marks the threads in which this file answers rather than asks. */
const ROLE = 'limner.codecs';
/** The codecs never give memory back, so a thread that is idle for so many milliseconds ends. */
const IDLE = 20_000;

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;

interface Pending {
  resolve: (reply: CodecReply) => void;
  reject: (error: Error) => void;
}

/**
 * Works on PNG, JPEG and WebP files in a thread of its own, one image after the other. The thread starts
 * with the first image, ends when it is idle, and keeps no process alive.
 */
export class Codecs {
  #worker: Worker | undefined;
  #pending = new Map<number, Pending>();
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  /**
   * Decodes a file, told apart by its bytes; an EXIF orientation is not applied.
   * @throws CodecError for other formats, damaged files and more than 100 megapixels
   */
  async decode(bytes: Uint8Array): Promise<Pixels> {
    const reply = await this.#ask({ kind: 'decode', bytes });
    if (reply.kind !== 'decoded') {
      throw new CodecError('The codecs gave no pixels.');
    }
    return reply.pixels;
  }

  /** @throws CodecError when the pixels are fewer or more than their size says, or cannot be encoded */
  async encode(pixels: Pixels, encoding: Encoding): Promise<Uint8Array> {
    return this.#file({ kind: 'encode', pixels, encoding });
  }

  /**
   * Writes a file in another format; it looks as it did: turned by its EXIF orientation, with its colour profile.
   * @throws CodecError as `decode` and `encode`
   */
  async convert(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
    return this.#file({ kind: 'convert', bytes, encoding });
  }

  /**
   * Turns a file by its EXIF orientation, and writes it without any as PNG.
   * @throws CodecError as `decode`
   */
  async upright(bytes: Uint8Array): Promise<Uint8Array> {
    return this.convert(bytes, { format: 'png' });
  }

  /**
   * Scales a file until it covers a size in pixels and takes the middle of it, upright, in the format that it had.
   * @throws CodecError as `decode`, and for a size of no pixels or of more than 100 megapixels
   */
  async fit(bytes: Uint8Array, width: number, height: number): Promise<Uint8Array> {
    return this.#file({ kind: 'fit', bytes, width, height });
  }

  /**
   * Writes a mask of either convention in the one that is wanted, as PNG.
   * @throws CodecError as `decode`
   */
  async toMask(bytes: Uint8Array, convention: MaskConvention): Promise<Uint8Array> {
    return this.#file({ kind: 'toMask', bytes, convention });
  }

  /**
   * Puts an original's pixels back outside the mask of its edit.
   * @throws CodecError when the thread breaks down; whatever else is in the way, the outcome says
   */
  async keepOutside(edit: MaskedEdit): Promise<KeptOutside> {
    const reply = await this.#ask({ kind: 'keepOutside', edit });
    if (reply.kind !== 'composed') {
      throw new CodecError('The codecs composed nothing.');
    }
    return reply.outcome;
  }

  /** Ends the thread; what is still asked of it is rejected. */
  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#lose(new CodecError('The codecs were closed.'));
    await worker?.terminate();
  }

  /** The file that is asked for. */
  async #file(request: Unnumbered<CodecRequest>): Promise<Uint8Array> {
    const reply = await this.#ask(request);
    if (reply.kind !== 'encoded') {
      throw new CodecError('The codecs gave no file.');
    }
    return reply.bytes;
  }

  #ask(request: Unnumbered<CodecRequest>): Promise<CodecReply> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      worker.postMessage({ ...request, id }, []);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL(import.meta.url), { workerData: ROLE });
    worker.on('message', (reply: CodecReply) => {
      this.#settle(reply);
    });
    const lost = (error: Error): void => {
      if (this.#worker === worker) {
        this.#lose(error);
      }
    };
    worker.on('error', (error) => {
      lost(new CodecError('The codec thread broke down.', { cause: error }));
    });
    worker.on('exit', () => {
      lost(new CodecError('The codec thread ended.'));
    });
    return worker;
  }

  #settle(reply: CodecReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) {
      const worker = this.#worker;
      worker?.unref();
      this.#idle = setTimeout(() => {
        this.#worker = undefined;
        void worker?.terminate();
      }, IDLE).unref();
    }
    if (reply.kind === 'failed') {
      pending?.reject(new CodecError(reply.message));
    } else {
      pending?.resolve(reply);
    }
  }

  /** Gives up the thread; the next request starts another. */
  #lose(error: Error): void {
    clearTimeout(this.#idle);
    const pending = this.#pending;
    this.#worker = undefined;
    this.#pending = new Map();
    for (const { reject } of pending.values()) {
      reject(error);
    }
  }
}

if (!isMainThread && workerData === ROLE && parentPort !== null) {
  serveCodecs(parentPort);
}
