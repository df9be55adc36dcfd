import type { OutgoingHttpHeaders } from 'node:http';
import { ApiError, errorBody } from './apiError.ts';

/** An answer before anything of it is sent. */
export interface Reply {
  status: number;
  headers: OutgoingHttpHeaders;
  /** Parts of a body whose length is known, or a stream of chunks. */
  body: Uint8Array[] | AsyncIterable<Uint8Array>;
  /** How a fault has it sent; absent: as it should be. */
  delivery?: Delivery;
}

export type Delivery =
  /** No headers ever come. */
  | { kind: 'silent'; ending: 'reset' | 'stall' }
  /** The body stops after so many bytes. */
  | { kind: 'cut'; bytes: number; ending: 'reset' | 'stall' | 'end'; framing?: Framing }
  /** The body is all there. */
  | { kind: 'whole'; framing: Framing }
  | { kind: 'slow'; bytesPerSecond: number }
  /** An interim answer comes first. */
  | { kind: 'interim'; status: 100 | 102 | 103 };

/** How a body tells where it ends; `close` and `http1.0` by the end of the connection. */
export type Framing = 'length' | 'chunked' | 'close' | 'http1.0';

export function jsonReply(status: number, value: unknown, headers: OutgoingHttpHeaders = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: [Buffer.from(JSON.stringify(value))],
  };
}

/** The answer to a request that failed; what is not an `ApiError` is a 500 that does not say more. */
export function errorReply(error: unknown, path: string): Reply {
  const known =
    error instanceof ApiError
      ? error
      : new ApiError(500, 'internal_error', 'The demo service stumbled over this.');
  return jsonReply(known.status, errorBody(known, path), known.headers);
}

/** In bytes; unknown for a stream. */
export function bodyLength({ body }: Reply): number | undefined {
  return Array.isArray(body) ? body.reduce((sum, part) => sum + part.length, 0) : undefined;
}

/** A stream is waited for: only at its end is it known where its middle is. */
export async function gather(reply: Reply): Promise<Reply & { body: Uint8Array[] }> {
  const body: Uint8Array[] = [];
  for await (const part of reply.body) {
    body.push(part);
  }
  return { ...reply, body };
}
