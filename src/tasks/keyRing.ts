import type { Disposable } from '../common/clock.ts';

/**
 * The only way by which the engine gets an API key: by the origin that it belongs to. The editor keeps keys in its
 * secret storage (`src/editor/window/keyStore.ts`), the command line takes one from the environment
 * (`src/cli/setup/cliEngine.ts`); `src/service/keyPolicy.ts` says where one may go.
 *
 * Those who read a key: `submitRequest.ts` and `watchRemoteTask.ts` in `src/tasks/run/` to send it,
 * `src/service/results/download.ts` to keep it out of addresses, `src/editor/connect/connect.ts` to keep it where none
 * is typed, and `src/editor/paint/serviceConnection.ts` to see that there is one.
 */
export interface KeyRing {
  get(origin: string): Promise<string | undefined>;
  onDidChange(listener: (origin: string) => void): Disposable;
}

/**
 * Asks a key ring for a key once, until that changes: in the editor each question waits for the window, which may be busy
 * drawing. That there is none is asked again.
 */
export class KnownKeys implements KeyRing {
  readonly #ring: KeyRing;
  readonly #known = new Map<string, string>();
  readonly #subscription: Disposable;
  /** Counts changes: what was asked for before one is not kept. */
  #changes = 0;

  constructor(ring: KeyRing) {
    this.#ring = ring;
    // Before anyone who asks again when it changes.
    this.#subscription = ring.onDidChange((origin) => {
      this.#changes++;
      this.#known.delete(origin);
    });
  }

  async get(origin: string): Promise<string | undefined> {
    const known = this.#known.get(origin);
    if (known !== undefined) {
      return known;
    }
    const changes = this.#changes;
    const key = await this.#ring.get(origin);
    if (key !== undefined && changes === this.#changes) {
      this.#known.set(origin, key);
    }
    return key;
  }

  onDidChange(listener: (origin: string) => void): Disposable {
    return this.#ring.onDidChange(listener);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
