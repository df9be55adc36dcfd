import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { isLimnerError, LimnerError } from '../../../src/common/limnerError.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../../src/service/http/transport.ts';

export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Bytes and text are sent as they are, a value as JSON. */
  body?: unknown;
  /** Cuts the body into pieces of this many bytes. */
  pieces?: number;
  /** Comes after the body instead of its end. */
  error?: Error;
  /** Never ends the body; only cancellation does. */
  hangs?: boolean;
}

export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  request: TransportRequest;
}

/** A service that answers as a test wrote it down, and remembers what it was asked. */
export class ScriptedTransport implements Transport {
  readonly sent: SentRequest[] = [];
  readonly #answers: (ScriptedAnswer | LimnerError)[];

  /** @param answers in order; the last one is given again and again */
  constructor(...answers: (ScriptedAnswer | LimnerError)[]) {
    this.#answers = answers;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    const { method, url, headers = {}, body, signal } = request;
    const answer = this.#answers[Math.min(this.sent.length, this.#answers.length - 1)] ?? {};
    const sent = { method, url: url.href, headers, body: Buffer.alloc(0), request };
    this.sent.push(sent);
    if (body !== undefined) {
      sent.body = await buffer(body.open());
    }
    if (isLimnerError(answer)) {
      throw answer;
    }
    return { statusCode: answer.status ?? 200, headers: answer.headers ?? {}, body: bodyOf(answer, signal) };
  }

  /** The JSON body of a request. */
  json(index = 0): unknown {
    return JSON.parse(this.sent[index]?.body.toString() ?? 'null');
  }
}

function bodyOf(
  { body = '', pieces = 65_536, error, hangs = false }: ScriptedAnswer,
  signal?: AbortSignal,
): Readable {
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  let position = 0;
  const stream = new Readable({
    read() {
      if (position < bytes.length) {
        this.push(bytes.subarray(position, position + pieces));
        position += pieces;
      } else if (error !== undefined) {
        this.destroy(error);
      } else if (!hangs) {
        this.push(null);
      }
    },
  });
  signal?.addEventListener('abort', () =>
    stream.destroy(new LimnerError('stopped', 'stopped', { sent: true })),
  );
  return stream;
}
