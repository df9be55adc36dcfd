import { createRequire } from 'node:module';
import type { Engine } from '../src/engine/run/engine.ts';

/** The engine as it ships. */
export const engineModule = createRequire(import.meta.url)(
  '../dist/engine.js',
) as typeof import('../src/engine/run/engine.ts');

const silent = (): void => undefined;

/** Opens the engine on a home folder as the editor does, with a key for every service. */
export async function openShippedEngine(home: string): Promise<Engine> {
  const https = new engineModule.HttpsTransport();
  return engineModule.openEngine({
    home,
    transports: { posts: https, polls: new engineModule.FetchTransport(), downloads: https },
    keys: { get: async () => Promise.resolve('bench'), onDidChange: () => ({ dispose: silent }) },
    settings: () => engineModule.defaultSettings,
    log: { trace: silent, debug: silent, info: silent, warn: console.error, error: console.error },
  });
}
