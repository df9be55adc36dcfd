import { Readable } from 'node:stream';
import { withoutZstd } from './contentEncoding.ts';
import { Exchange } from './exchange.ts';
import { LimnerError } from '../../common/limnerError.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/**
 * The transport of polls: the global `fetch`, which keeps connections alive between them. It cannot tell
 * whether the first byte left, how far a request's body got, or how a name is resolved: it sends no body and
 * takes no `lookup`. Its connecting counts into the time to headers.
 */
export class FetchTransport implements Transport {
  async request(request: TransportRequest): Promise<TransportResponse> {
    Exchange.throwIfStopped(request);
    if (request.lookup !== undefined || request.body !== undefined) {
      throw new LimnerError('protocol', 'This transport sends no body and resolves no names.', {
        sent: false,
      });
    }
    const controller = new AbortController();
    const exchange = new Exchange(request, () => controller.abort());
    exchange.connected();
    fetch(request.url, {
      method: request.method,
      headers: request.headers ?? {},
      redirect: 'manual',
      signal: controller.signal,
    }).then(
      (response) =>
        exchange.answered(response.status, headersOf(response), decodedBody(response, controller)),
      (error: unknown) => exchange.fail(error),
    );
    return exchange.response;
  }
}

/**
 * Bytes of a body that are taken from `fetch` ahead of the reader: while it isn't read, a connection that ends throws
 * an exception in it that nobody can catch.
 */
const readAhead = 64 * 1024 * 1024;

/** `fetch` undoes the content encoding and leaves its header in place. */
function headersOf(response: Response): Record<string, string> {
  const headers = Object.fromEntries(response.headers);
  delete headers['content-encoding'];
  return headers;
}

function decodedBody(response: Response, controller: AbortController): Readable {
  return withoutZstd(bodyOf(response, controller), response.headers.get('content-encoding'));
}

/** Web streams as Node reads them are slow to cancel; aborting the request is not. */
function bodyOf(response: Response, controller: AbortController): Readable {
  const reader = response.body?.getReader();
  return new Readable({
    highWaterMark: readAhead,
    read() {
      if (reader === undefined) {
        this.push(null);
        return;
      }
      reader.read().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    },
    destroy(error, callback) {
      controller.abort();
      callback(error);
    },
  });
}
