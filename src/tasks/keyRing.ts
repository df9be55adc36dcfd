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
