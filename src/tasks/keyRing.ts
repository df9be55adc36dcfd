import type { Disposable } from '../common/clock.ts';

/**
 * The only way by which the engine gets an API key: by the origin that it belongs to. The editor keeps keys in its
 * secret storage, the command line takes one from the environment; `src/service/keyPolicy.ts` says where one may go.
 */
export interface KeyRing {
  get(origin: string): Promise<string | undefined>;
  onDidChange(listener: (origin: string) => void): Disposable;
}
