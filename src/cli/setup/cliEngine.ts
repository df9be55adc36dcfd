import * as l10n from '@vscode/l10n';
import { FetchTransport, HttpsTransport, openEngine, type Engine } from '../../engine/run/engine.ts';
import type { Environment } from './environment.ts';
import type { Output } from '../output/output.ts';
import { budgetOf } from './money.ts';
import { readProxies } from './proxies.ts';
import { printable } from '../output/terminalText.ts';
import { endpointsOf } from '../../service/http/endpoints.ts';
import type { Transport } from '../../service/http/transport.ts';
import { defaultSettings, type Transports } from '../../engine/task/ports.ts';

const silent = (): void => undefined;

/**
 * Opens the engine that the editor uses, with the key from the environment.
 *
 * @param current gives the environment: for the settings, as it is when they are needed; for all else, as it is now
 * @param isGuest whether the task list is that of an editor: its history stays as it is, and tasks of other services are
 * left to windows that have their keys
 * @throws LimnerError `save_failed` when the store cannot be written
 */
export async function openCliEngine(
  current: () => Environment,
  output: Output,
  isGuest = false,
): Promise<Engine> {
  const environment = current();
  const key = environment.apiKey;
  const origin = originOf(environment);
  const engine = await openEngine({
    home: environment.home,
    transports: transportsFor(environment),
    keys: {
      get: async (asked) => Promise.resolve(asked === origin ? key : undefined),
      onDidChange: () => ({ dispose: silent }),
    },
    settings: () => {
      const settings = current();
      return {
        ...defaultSettings,
        resultHosts: settings.resultHosts,
        budget: budgetOf(settings),
        ...(isGuest && { historyLimit: Infinity }),
      };
    },
    ...(isGuest && { origin: origin ?? '' }),
    log: {
      trace: silent,
      debug: (line) => output.detail(printable(line)),
      info: (line) => output.detail(printable(line)),
      warn: (line) => output.say(printable(line)),
      error: (line) => output.say(printable(line)),
    },
    isUnattended: true,
    // The log says it as well.
    notice: silent,
  });
  return {
    ...engine,
    // The exit code is about the images, whatever happens while closing.
    dispose: async (grace) =>
      engine
        .dispose(grace)
        .catch((error: unknown) =>
          output.detail(l10n.t("Limner didn't shut down cleanly: {0}", printable(String(error)))),
        ),
  };
}

/** Returns the editor's transports, or undici where there are proxies: it is loaded when something is first sent. */
function transportsFor({ proxies }: Environment): Transports {
  if (proxies.http === undefined && proxies.https === undefined) {
    const https = new HttpsTransport();
    return { posts: https, polls: new FetchTransport(), downloads: https };
  }
  let undici: Promise<Transport> | undefined;
  const throughProxies: Transport = {
    async request(request) {
      undici ??= import('./undiciTransport.ts').then(
        ({ UndiciTransport }) => new UndiciTransport(readProxies(proxies)),
      );
      return (await undici).request(request);
    },
  };
  return { posts: throughProxies, polls: throughProxies, downloads: throughProxies };
}

/** Returns the origin that the key belongs to. Listing tasks needs no service, so an invalid URL is no error here. */
function originOf({ baseUrl }: Environment): string | undefined {
  try {
    return baseUrl === undefined ? undefined : endpointsOf(baseUrl).origin;
  } catch {
    return undefined;
  }
}
