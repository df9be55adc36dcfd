import { FetchTransport } from './fetchTransport.ts';
import { isThisMachine } from './hosts.ts';
import { HttpsTransport } from './httpsTransport.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/**
 * The transport for VS Code's polls: `fetch`, except for this machine, since VS Code's `fetch` may send requests for
 * loopback addresses through a proxy.
 */
export class PollTransport implements Transport {
  readonly #here = new HttpsTransport();
  readonly #elsewhere = new FetchTransport();

  async request(request: TransportRequest): Promise<TransportResponse> {
    const transport = isThisMachine(request.url) ? this.#here : this.#elsewhere;
    return transport.request(request);
  }
}
