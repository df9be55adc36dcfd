import { FetchTransport } from './fetchTransport.ts';
import { isThisMachine } from './hosts.ts';
import { HttpsTransport } from './httpsTransport.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/**
 * The transport of the editor's polls: `fetch`, except to this machine, for VS Code's `fetch` would ask a proxy for some
 * of its addresses.
 */
export class PollTransport implements Transport {
  readonly #here = new HttpsTransport();
  readonly #elsewhere = new FetchTransport();

  async request(request: TransportRequest): Promise<TransportResponse> {
    const transport = isThisMachine(request.url) ? this.#here : this.#elsewhere;
    return transport.request(request);
  }
}
