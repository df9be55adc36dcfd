import type { MessagePort } from 'node:worker_threads';
import type { CodecReply, CodecRequest } from './codecProtocol.ts';
import { decodeImage, encodeImage } from './codecSet.ts';
import { convert } from './convert.ts';
import { fit } from './fit.ts';
import { keepOutside } from './keepOutside.ts';
import { toMask } from './mask.ts';
import type { ImageDataLike } from './pixels.ts';

/** The decoders make one of these, as they would in a browser. */
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

/** Answers the requests of a port one after the other, so that one image at a time takes memory. */
export function serveCodecs(port: MessagePort): void {
  Object.assign(globalThis, { ImageData });
  let last = Promise.resolve();
  const answerAfter = async (before: Promise<void>, request: CodecRequest): Promise<void> => {
    await before;
    const reply = await answer(request);
    port.postMessage(reply, buffersOf(reply));
  };
  port.on('message', (request: CodecRequest) => {
    last = answerAfter(last, request);
  });
}

async function answer(request: CodecRequest): Promise<CodecReply> {
  const { id } = request;
  try {
    switch (request.kind) {
      case 'decode':
        return { id, kind: 'decoded', pixels: await decodeImage(request.bytes) };
      case 'encode':
        return { id, kind: 'encoded', bytes: await encodeImage(request.pixels, request.encoding) };
      case 'convert':
        return { id, kind: 'encoded', bytes: await convert(request.bytes, request.encoding) };
      case 'fit':
        return { id, kind: 'encoded', bytes: await fit(request.bytes, request) };
      case 'toMask':
        return { id, kind: 'encoded', bytes: await toMask(request.bytes, request.convention) };
      case 'keepOutside':
        return { id, kind: 'composed', outcome: await keepOutside(request.edit) };
    }
  } catch (error) {
    // The codecs throw errors, strings and traps of their own; what they say is all there is to tell.
    return { id, kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

function buffersOf(reply: CodecReply): ArrayBuffer[] {
  const buffer = bytesOf(reply)?.buffer;
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}

function bytesOf(reply: CodecReply): Uint8Array | undefined {
  switch (reply.kind) {
    case 'decoded':
      return reply.pixels.rgba;
    case 'encoded':
      return reply.bytes;
    case 'composed':
      return reply.outcome.kept ? reply.outcome.bytes : undefined;
    case 'failed':
      return undefined;
  }
}
