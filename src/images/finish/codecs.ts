import {
  isMainThread,
  isMarkedAsUntransferable,
  type MessagePort,
  parentPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import { replyTo, WorkerClient, type WorkerRequest } from '../../common/workerClient.ts';
import { decodeImage, encodeImage, flawOf } from '../codecs/codecSet.ts';
import { compositeMasked, convertMask, maskFacts } from '../codecs/masks.ts';
import { convert, preview, thumbnail, turnUpright } from '../codecs/derived.ts';
import { changedPixels } from './changedPixels.ts';
import { backgroundOf, fileColors } from './fileColors.ts';
import { finish } from './finish.ts';
import { repair, repairSource } from './render.ts';
import { CodecError, type ImageDataLike } from '../codecs/pixels.ts';
import * as english from '../../common/english.ts';
export { jpegSegments, pngChunks, webpChunks, RangeReader } from '../formats/containers.ts';
export { findDamage } from '../formats/findDamage.ts';
export { sniffImage } from '../formats/sniff.ts';
export type { Encoding } from '../formats/finish.ts';
export { CodecError, type Pixels } from '../codecs/pixels.ts';
export { imageSize } from '../codecs/codecSet.ts';

/** Marks the threads in which this file serves requests. */
const ROLE = 'limner.codecs';

const operations = {
  decode: decodeImage,
  encode: encodeImage,
  convert,
  finish,
  changedPixels,
  fileColors,
  backgroundOf,
  flawOf,
  preview,
  thumbnail,
  turnUpright,
  maskFacts,
  convertMask,
  compositeMasked,
  repair,
  repairSource,
};

/** Maximum size in bytes of a file that is copied rather than transferred. */
const largeFile = 1_000_000;

type Operations = typeof operations;
type Name = keyof Operations;
type Result = Awaited<ReturnType<Operations[Name]>>;

/** Processes PNG, JPEG and WebP files in a separate thread, one image at a time. */
export class Codecs {
  readonly #worker = new WorkerClient<Operations>({
    open: () => new Worker(new URL(import.meta.url), { workerData: ROLE }),
    keepsProcess: true,
    toError: ({ message }, options) => new CodecError(message, options),
    closed: english.t('The codecs were closed.'),
    broke: english.t('The codec thread failed.'),
    ended: english.t('The codec thread ended.'),
  });

  readonly decode = this.#operation('decode');
  readonly encode = this.#operation('encode');
  readonly convert = this.#operation('convert');
  readonly changedPixels = this.#operation('changedPixels');
  readonly fileColors = this.#operation('fileColors');
  readonly backgroundOf = this.#operation('backgroundOf');
  readonly preview = this.#operation('preview');
  readonly thumbnail = this.#operation('thumbnail');
  readonly turnUpright = this.#operation('turnUpright');
  readonly maskFacts = this.#operation('maskFacts');
  readonly convertMask = this.#operation('convertMask');
  readonly compositeMasked = this.#operation('compositeMasked');
  readonly repair = this.#operation('repair');
  readonly repairSource = this.#operation('repairSource');

  /**
   * Finishes an image. Large files are transferred if possible, since copying would block VS Code noticeably; they
   * can't be read afterwards.
   *
   * @throws CodecError as `finish`
   */
  finish(...parameters: Parameters<Operations['finish']>): ReturnType<Operations['finish']> {
    const [bytes, , { onWhite } = {}] = parameters;
    const buffers = [bytes, ...(onWhite ? [onWhite] : [])].flatMap(largeBuffer);
    return this.#worker.handOver([...new Set(buffers)], 'finish', ...parameters);
  }

  /** Returns the damage in an image file, as `flawOf`. Large files are transferred as in `finish`. */
  flawOf(bytes: Uint8Array): ReturnType<Operations['flawOf']> {
    return this.#worker.handOver(largeBuffer(bytes), 'flawOf', bytes);
  }

  /** Returns a file as PNG with its EXIF orientation applied. @throws CodecError as `decode` */
  upright(bytes: Uint8Array): Promise<Uint8Array> {
    return this.convert(bytes, { format: 'png' });
  }

  dispose(): Promise<void> {
    return this.#worker.dispose();
  }

  /** Returns an operation that runs in the thread. If the thread fails, it throws a `CodecError`. */
  #operation<N extends Name>(name: N) {
    return (...parameters: Parameters<Operations[N]>) => this.#worker.ask(name, ...parameters);
  }
}

/** Replaces the browser's class, of which the decoders create instances. */
class ImageData implements ImageDataLike {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

/** Answers the requests of a port one by one, so that only one image at a time takes memory. */
function serve(port: MessagePort): void {
  Object.assign(globalThis, { ImageData });
  let last = Promise.resolve();
  const answerAfter = async (before: Promise<void>, request: WorkerRequest<Name>): Promise<void> => {
    await before;
    const reply = await replyTo<Name, Result>(operations, request);
    port.postMessage(reply, 'result' in reply ? buffersOf(reply.result) : []);
  };
  port.on('message', (request: WorkerRequest<Name>) => {
    last = answerAfter(last, request);
  });
}

function largeBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isOwn && byteLength > largeFile && !isMarkedAsUntransferable(buffer) ? [buffer] : [];
}

/** Returns the buffers of a result, to transfer instead of copy them. */
function buffersOf(result: Result): ArrayBuffer[] {
  const values: unknown[] = result instanceof Uint8Array ? [result] : Object.values(result ?? {});
  return values.flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
}

if (!isMainThread && workerData === ROLE && parentPort !== null) {
  serve(parentPort);
}
