import type { Readable } from 'node:stream';
import type { LookupFunction } from 'node:net';

/** Time limits of one exchange, in milliseconds; each is its own and names its phase when it runs out. */
export interface TransportTimeouts {
  /** Until the connection (TLS included) stands. */
  connect: number;
  /** From the last byte of the request to the answer's headers. */
  headers: number;
  /** Between two chunks of the answer's body. */
  idle: number;
  /** From the headers to the last byte of the body, however steadily it comes. */
  whole: number;
  /** Replaces `whole` for a body that only explains its status: of a 202, or of a failure. */
  statusWhole?: number;
}

/** A request body whose length is known before it is sent; opened once. */
export interface RequestBody {
  /** Exact length in bytes, sent as Content-Length. */
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
  /** Checks or replaces name resolution for this request; a transport that cannot honour it throws `protocol`. */
  lookup?: LookupFunction;
  /** Gets one line after the exchange: method, host, path, status, bytes, time. Never a header, query or body. */
  log?: ((line: string) => void) | undefined;
}

/** Shaped like the answer of `undici.request`: the body is a Node stream, content-encoding already undone. */
export interface TransportResponse {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

/**
 * One HTTP exchange, without automatic redirects and without retries. Rejects with a `LimnerError` whose code
 * is `network`, `timeout` or `stopped` (the signal) and whose `sent` says whether the first byte may have
 * left; an error of the body arrives on the body stream in the same form.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse>;
}
