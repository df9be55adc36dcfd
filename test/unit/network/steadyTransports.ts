import { once } from 'node:events';
import { FetchTransport } from '../../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../../src/service/http/httpsTransport.ts';
import type { Transport } from '../../../src/service/http/transport.ts';
import type { Transports } from '../../../src/tasks/ports.ts';
import { type ManualClock, settle } from '../../support/manualClock.ts';

/** The editor's transports, which tell when no exchange is open, so that time can stand still until then. */
export class SteadyTransports implements Transports {
  readonly #open = new Set<Promise<unknown>>();
  readonly posts = this.#counted(new HttpsTransport());
  readonly polls = this.#counted(new FetchTransport());
  readonly downloads = this.#counted(new HttpsTransport());

  /** Lets time pass in small steps, with every exchange at its end before the next one. */
  async pass(clock: ManualClock, milliseconds: number, until: () => boolean = () => false): Promise<number> {
    let passed = 0;
    while (passed < milliseconds && !until()) {
      await clock.pass(step);
      passed += step;
      await this.quiet();
    }
    return passed;
  }

  /** Resolves once no exchange is open. */
  async quiet(): Promise<void> {
    await settle();
    while (this.#open.size > 0) {
      await Promise.all(this.#open);
      await settle();
    }
  }

  #counted(transport: Transport): Transport {
    return {
      request: async (request) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#open.add(promise);
        const end = (): void => {
          this.#open.delete(promise);
          resolve();
        };
        try {
          const response = await transport.request(request);
          void once(response.body, 'close').then(end, end);
          return response;
        } catch (error) {
          end();
          throw error;
        }
      },
    };
  }
}

/** In milliseconds. */
const step = 250;
