import { once } from 'node:events';
import { FetchTransport } from '../../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../../src/service/http/httpsTransport.ts';
import type { Transport } from '../../../src/service/http/transport.ts';
import type { Transports } from '../../../src/engine/task/ports.ts';
import { type ManualClock, settle } from '../../support/manualClock.ts';

/** The editor's transports, which tell when no exchange is open, so that time can stand still until then. */
export class SteadyTransports implements Transports {
  readonly #open = new Set<Promise<unknown>>();
  readonly posts = this.#counted(new HttpsTransport());
  readonly polls = this.#counted(new FetchTransport());
  readonly downloads = this.#counted(new HttpsTransport());

  /** Lets time pass timer by timer, with every exchange at its end before the next step. */
  async pass(clock: ManualClock, milliseconds: number, until: () => boolean = () => false): Promise<number> {
    const start = clock.now();
    const end = start + milliseconds;
    while (clock.now() < end && !until()) {
      const next = Math.min(end, clock.now() + longestStep, clock.nextDue);
      await clock.pass(Math.max(0, next - clock.now()));
      await this.quiet();
    }
    return clock.now() - start;
  }

  /** Lets time pass until this has come about, and gives it. */
  async until<T>(clock: ManualClock, event: Promise<T>): Promise<T> {
    let isThere = false;
    void event.then(() => (isThere = true));
    await this.pass(clock, anHour, () => isThere);
    return event;
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

const anHour = 3_600_000;

/** In milliseconds: what works without a timer, such as a disk, gets its turn between two steps. */
const longestStep = 5000;
