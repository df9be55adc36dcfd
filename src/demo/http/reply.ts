import type { OutgoingHttpHeaders } from 'node:http';
import { ApiError, errorBody } from './apiError.ts';

export interface Reply {
  status: number;
  headers: OutgoingHttpHeaders;
  /** Parts of a body whose length is known, or a stream of chunks. */
  body: Uint8Array[] | AsyncIterable<Uint8Array>;
  /** How a fault sends it; absent for a regular reply. */
  delivery?: Delivery;
}

export type Delivery =
  /** Never sends headers. */
  | { kind: 'silent'; ending: 'reset' | 'stall' }
  /** Stops the body after a number of bytes. */
  | { kind: 'cut'; bytes: number; ending: 'reset' | 'stall' | 'end'; framing?: Framing }
  | { kind: 'whole'; framing: Framing }
  | { kind: 'slow'; bytesPerSecond: number }
  | { kind: 'interim'; status: 100 | 102 | 103 };

/** How the end of a body is marked; for `close` and `http1.0`, by the end of the connection. */
export type Framing = 'length' | 'chunked' | 'close' | 'http1.0';

export function jsonReply(status: number, value: unknown, headers: OutgoingHttpHeaders = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: [Buffer.from(JSON.stringify(value))],
  };
}

/** Returns the reply to a failed request. Errors other than `ApiError` become a 500 without details. */
export function errorReply(error: unknown, path: string): Reply {
  const known =
    error instanceof ApiError
      ? error
      : new ApiError(500, 'internal_error', 'The demo service stumbled over this.');
  return jsonReply(known.status, errorBody(known, path), known.headers);
}

/** Returns the length in bytes, which is unknown for a stream. */
export function bodyLength({ body }: Reply): number | undefined {
  return Array.isArray(body) ? body.reduce((sum, part) => sum + part.length, 0) : undefined;
}

/** Collects the whole body, since the middle of a stream is known only at its end. */
export async function gather(reply: Reply): Promise<Reply & { body: Uint8Array[] }> {
  const body: Uint8Array[] = [];
  for await (const part of reply.body) {
    body.push(part);
  }
  return { ...reply, body };
}
