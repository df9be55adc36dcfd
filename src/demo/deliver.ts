import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { bodyLength, type Delivery, type Reply } from './reply.ts';

/** How often a slow body moves on, in milliseconds. */
const TICK = 50;

/** Sends a reply as its delivery says. Settles when it is sent, cut off or left hanging; never rejects. */
export async function deliver(
  reply: Reply,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, headers, delivery } = reply;
  if (delivery?.kind === 'silent') {
    stop(delivery.ending, request);
    return;
  }
  const length = bodyLength(reply);
  const body = request.method === 'HEAD' ? [] : reply.body;
  try {
    response.writeHead(status, length === undefined ? headers : { 'content-length': length, ...headers });
    if (delivery?.kind === 'cut') {
      await pipeline(Readable.from(head(body, delivery.bytes)), response, { end: false });
      stop(delivery.ending, request);
    } else {
      await pipeline(Readable.from(spaced(body, delivery)), response);
    }
  } catch {
    // The caller hung up, a stream failed after its beginning was sent, or a fault's headers cannot be sent.
    response.destroy();
  }
}

function stop(how: 'reset' | 'stall' | 'end', request: IncomingMessage): void {
  switch (how) {
    case 'reset':
      request.socket.resetAndDestroy();
      break;
    case 'end':
      request.socket.end();
      break;
    case 'stall':
      break;
  }
}

/** The first so many bytes of a body. */
async function* head(body: Reply['body'], bytes: number): AsyncGenerator<Uint8Array> {
  let left = Math.floor(bytes);
  for await (const part of body) {
    if (left <= 0) {
      return;
    }
    yield part.subarray(0, left);
    left -= part.length;
  }
}

/** A body as it is, or a little of it at a time. */
async function* spaced(body: Reply['body'], delivery: Delivery | undefined): AsyncGenerator<Uint8Array> {
  for await (const part of body) {
    if (delivery?.kind !== 'slow') {
      yield part;
      continue;
    }
    const step = Math.max(1, Math.round((delivery.bytesPerSecond * TICK) / 1000));
    for (let from = 0; from < part.length; from += step) {
      await pause(TICK, undefined, { ref: false });
      yield part.subarray(from, from + step);
    }
  }
}
