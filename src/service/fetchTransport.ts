import { Readable } from 'node:stream';
import { Exchange, throwIfStopped } from './exchange.ts';
import { LimnerError } from './limnerError.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/**
 * The transport of polls: the global `fetch`, which keeps connections alive between them. It cannot tell
 * whether the first byte left, how far a request's body got, or how a name is resolved: it sends no body and
 * takes no `lookup`. Its connecting counts into the time to headers.
 */
export class FetchTransport implements Transport {
  async request(request: TransportRequest): Promise<TransportResponse> {
    throwIfStopped(request);
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
      (response) => exchange.answered(response.status, headersOf(response), bodyOf(response)),
      (error: unknown) => exchange.fail(error),
    );
    return exchange.response;
  }
}

/** `fetch` undoes the content encoding and leaves its header in place. */
function headersOf(response: Response): Record<string, string> {
  const headers = Object.fromEntries(response.headers);
  delete headers['content-encoding'];
  return headers;
}

function bodyOf(response: Response): Readable {
  return Readable.from(response.body ?? [], { objectMode: false });
}
