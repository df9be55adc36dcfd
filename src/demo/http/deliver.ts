import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { bodyLength, type Delivery, type Framing, type Reply } from './reply.ts';

/** The interval between the pieces of a slow body, in milliseconds. */
const TICK = 50;

/** Sends a reply according to its delivery. Settles when it is sent, cut off or left hanging; never rejects. */
export async function deliver(
  reply: Reply,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { delivery } = reply;
  if (delivery?.kind === 'silent') {
    stop(delivery.ending, request);
    return;
  }
  const framing =
    (delivery?.kind === 'cut' || delivery?.kind === 'whole' ? delivery.framing : undefined) ?? 'length';
  const body = request.method === 'HEAD' ? [] : reply.body;
  try {
    if (delivery?.kind === 'interim') {
      sendInterim(delivery.status, response);
    }
    const destination = writeHead(reply, framing, request, response);
    if (delivery?.kind === 'cut') {
      if (destination === response) {
        // Without a byte of the body, Node would hold back the headers, too.
        response.flushHeaders();
      }
      await pipeline(Readable.from(head(body, delivery.bytes)), destination, { end: false });
      stop(delivery.ending, request);
    } else {
      await pipeline(Readable.from(spaced(body, delivery)), destination);
    }
  } catch {
    // The caller hung up, a stream failed after its start, or a fault's headers cannot be sent.
    response.destroy();
  }
}

function writeHead(
  reply: Reply,
  framing: Framing,
  request: IncomingMessage,
  response: ServerResponse,
): Writable {
  const { status, headers } = reply;
  if (framing === 'length' || framing === 'chunked') {
    const length = framing === 'length' ? bodyLength(reply) : undefined;
    response.writeHead(status, length === undefined ? headers : { 'content-length': length, ...headers });
    return response;
  }
  // Node itself neither speaks HTTP/1.0 nor omits the length.
  const version = framing === 'close' ? '1.1' : '1.0';
  const lines = Object.entries({ connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${String(value)}\r\n`,
  );
  request.socket.write(`HTTP/${version} ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`);
  return request.socket;
}

function sendInterim(status: 100 | 102 | 103, response: ServerResponse): void {
  switch (status) {
    case 100:
      response.writeContinue();
      break;
    case 102:
      response.writeProcessing();
      break;
    case 103:
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
      break;
  }
}

/** Ends the connection, or leaves it open without another byte. */
function stop(how: 'reset' | 'stall' | 'end', request: IncomingMessage): void {
  if (how === 'reset') {
    request.socket.resetAndDestroy();
  } else if (how === 'end') {
    request.socket.end();
  }
}

/** Yields the first bytes of a body. */
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

/** Yields a body at once, or slowly in small pieces. */
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
