import { systemClock } from '../../common/clock.ts';
import type { Clock } from '../../common/clock.ts';
import type { Log } from '../../common/log.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** Writes one line for each exchange: method, host, path, status, duration, bytes. Never a header, query or body. */
export function loggedTransport(inner: Transport, log: Log, clock: Clock = systemClock): Transport {
  return {
    async request(request: TransportRequest): Promise<TransportResponse> {
      const start = clock.now();
      const { method, url } = request;
      const write = (outcome: string): void =>
        log.info(`${method} ${url.host}${url.pathname} ${outcome}, ${clock.now() - start} ms`);
      let status = 0;
      try {
        const response = await inner.request({
          ...request,
          onBodyClosed: (bytes) => write(`${status}, ${bytes} bytes`),
        });
        status = response.statusCode;
        return response;
      } catch (error) {
        write(isLimnerError(error) ? `${error.code} (${error.message})` : 'failed');
        throw error;
      }
    },
  };
}
