import type { Readable } from 'node:stream';
import type { LookupFunction } from 'node:net';

/** Time limits of an exchange, in milliseconds. Each one is independent, and its error names the step. */
export interface TransportTimeouts {
  /** Until the connection (with TLS) is established. */
  connect: number;
  headers: number;
  /** Between two chunks of the body. */
  idle: number;
  /** From the headers to the last byte of the body, however steadily it arrives. */
  whole: number;
  /** Replaces `whole` for a body that only explains its status: that of a 202 or an error. */
  statusWhole?: number;
}

/** A request body whose length is known before it is sent; opened once. */
export interface RequestBody {
  /** Exact length in bytes, for Content-Length. */
  length: number;
  open(): Readable;
}

export interface TransportRequest {
  method: 'GET' | 'POST';
  url: URL;
  headers?: Record<string, string>;
  body?: RequestBody;
  timeouts: TransportTimeouts;
  signal?: AbortSignal;
  /** Checks or replaces name resolution for this request. A transport that can't honor it throws `protocol`. */
  lookup?: LookupFunction;
  /** Gets one line after the exchange: method, host, path, status, bytes, time. Never a header, query, or body. */
  log?: ((line: string) => void) | undefined;
}

/** A response as in `undici.request`: the body is a Node stream with its content encoding undone. */
export interface TransportResponse {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

/**
 * One HTTP exchange, without redirects and retries. Rejects with a `LimnerError` with code `network`, `timeout`, or
 * `stopped` (the signal) whose `sent` tells whether the first byte may have been sent. Errors of the body appear on
 * the body stream in the same form.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse>;
}
