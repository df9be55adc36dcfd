// Room: what the engine is opened with: environment, proxies, and undici, which is nowhere else.
// Never: `vscode`, what a command does.

import { openEngine, type Engine } from '../../engine.ts';
import type { Environment } from './environment.ts';
import type { Output } from '../output/output.ts';
import { readProxies } from './proxies.ts';
import { printable } from '../output/terminalText.ts';
import { UndiciTransport } from './undiciTransport.ts';
import { endpointsOf } from '../../service/endpoints.ts';
import { defaultSettings } from '../../tasks/ports.ts';

const silent = (): void => undefined;

/**
 * Opens the engine that the editor uses, with undici as its transport and the key from the environment.
 *
 * @throws LimnerError `save_failed` when the store cannot be written
 */
export async function openCliEngine(environment: Environment, output: Output): Promise<Engine> {
  const transport = new UndiciTransport(() => readProxies(environment.proxies));
  const key = environment.apiKey;
  const origin = originOf(environment);
  const engine = await openEngine({
    home: environment.home,
    transports: { posts: transport, polls: transport, downloads: transport },
    keys: {
      get: async (asked) => Promise.resolve(asked === origin ? key : undefined),
      onDidChange: () => ({ dispose: silent }),
    },
    settings: () => ({ ...defaultSettings, resultHosts: environment.resultHosts }),
    log: {
      trace: silent,
      debug: (line) => output.detail(printable(line)),
      info: (line) => output.detail(printable(line)),
      warn: (line) => output.say(printable(line)),
      error: (line) => output.say(printable(line)),
    },
    notice: ({ code, file, tasks = 0 }) =>
      output.say(
        code === 'database_newer'
          ? `The task list was created by a newer version of Limner and is kept as ${file}.`
          : `The task list was damaged and is kept as ${file}. Tasks recovered from it: ${tasks}.`,
      ),
  });
  return {
    ...engine,
    // The exit code is about the images, whatever happens while closing.
    dispose: async () =>
      engine
        .dispose()
        .catch((error: unknown) =>
          output.detail(`Limner didn't shut down cleanly: ${printable(String(error))}`),
        ),
  };
}

/** Returns the origin that the key belongs to. Listing tasks needs no service, so an invalid URL is no error here. */
function originOf({ baseUrl }: Environment): string | undefined {
  try {
    return baseUrl === undefined ? undefined : endpointsOf(baseUrl).origin;
  } catch {
    return undefined;
  }
}
