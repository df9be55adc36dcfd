import type { Disposable } from '../../common/clock.ts';

/**
 * Gives the engine an API key by its origin; there is no other way. The editor keeps keys in its secret storage
 * (`src/vscode/window/serviceNames.ts`), the command line takes one from the environment
 * (`src/cli/setup/cliEngine.ts`); `src/service/http/endpoints.ts` says where a key may be sent.
 *
 * Readers of a key: `submitRequest.ts` and `watchRemoteTask.ts` in `src/engine/run/` to send it,
 * `src/service/http/download.ts` to keep it out of addresses, `src/vscode/connect.ts` to keep it if none is typed, and
 * `src/vscode/generate/serviceConnection.ts` to see whether one exists.
 */
export interface KeyRing {
  get(origin: string): Promise<string | undefined>;
  onDidChange(listener: (origin: string) => void): Disposable;
}
