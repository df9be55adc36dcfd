import { Readable } from 'node:stream';
import { withoutZstd } from './contentEncoding.ts';
import { Exchange } from './exchange.ts';
import { LimnerError } from '../../common/limnerError.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/**
 * The transport for polls: the global `fetch`, which keeps connections alive between them. It can't tell whether the
 * first byte was sent, how much of a request's body was sent, or how a name is resolved, so it sends no body and
 * accepts no `lookup`. Connecting counts toward the time to headers.
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
 * Number of bytes to read ahead from `fetch`. While its body isn't read, a closed connection throws an exception in it
 * that nobody can catch.
 */
const readAhead = 64 * 1024 * 1024;

/** Returns the headers without the content encoding, which `fetch` has already undone. */
function headersOf(response: Response): Record<string, string> {
  const headers = Object.fromEntries(response.headers);
  delete headers['content-encoding'];
  return headers;
}

function decodedBody(response: Response, controller: AbortController): Readable {
  return withoutZstd(bodyOf(response, controller), response.headers.get('content-encoding'));
}

/** Returns the body as a Node stream that aborts the request when destroyed, since Web streams are slow to cancel. */
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
