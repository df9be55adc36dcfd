import { pipeline, Transform } from 'node:stream';
import type { Clock, Log } from './ports.ts';
import { isLimnerError } from '../service/limnerError.ts';
import type { Transport, TransportRequest, TransportResponse } from '../service/transport.ts';

/** Writes one line for each exchange: method, host, path, status, duration, bytes. Never a header, query or body. */
export function loggedTransport(inner: Transport, log: Log, clock: Clock): Transport {
  return {
    async request(request: TransportRequest): Promise<TransportResponse> {
      const start = clock.now();
      const { method, url } = request;
      const line = (outcome: string): string =>
        `${method} ${url.host}${url.pathname} ${outcome}, ${clock.now() - start} ms`;
      let response: TransportResponse;
      try {
        response = await inner.request(request);
      } catch (error) {
        log.info(line(isLimnerError(error) ? `${error.code} (${error.message})` : 'failed'));
        throw error;
      }
      let bytes = 0;
      const counter = new Transform({
        transform(chunk: Uint8Array, _encoding, done) {
          bytes += chunk.length;
          done(null, chunk);
        },
      });
      // An error of the body goes on to the counter, whose reader hears of it.
      pipeline(response.body, counter, () => log.info(line(`${response.statusCode}, ${bytes} bytes`)));
      return { ...response, body: counter };
    },
  };
}
