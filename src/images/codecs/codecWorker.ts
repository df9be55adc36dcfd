import type { MessagePort } from 'node:worker_threads';
import { replyTo, type WorkerRequest } from '../../common/workerClient.ts';
import { decodeImage, encodeImage } from './codecSet.ts';
import { convert, fit } from './fit.ts';
import { compositeMasked } from './compositeMasked.ts';
import { convertMask } from './convertMask.ts';
import type { ImageDataLike } from './pixels.ts';

const operations = { decode: decodeImage, encode: encodeImage, convert, fit, convertMask, compositeMasked };

export type Operations = typeof operations;
type Name = keyof Operations;
type Result = Awaited<ReturnType<Operations[Name]>>;

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
export function serveCodecs(port: MessagePort): void {
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

function buffersOf(result: Result): ArrayBuffer[] {
  const buffer = bytesOf(result)?.buffer;
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}

function bytesOf(result: Result): Uint8Array | undefined {
  if (result instanceof Uint8Array) {
    return result;
  }
  if ('rgba' in result) {
    return result.rgba;
  }
  return result.kept ? result.bytes : undefined;
}
