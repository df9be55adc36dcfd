import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { EngineModule } from '../engine.ts';
import { readProxies, type ProxyVariables } from './proxies.ts';

/** What the command line takes from environment variables: never from arguments, which other users can read. */
export interface Environment {
  apiKey: string | undefined;
  baseUrl: string | undefined;
  model: string | undefined;
  /** Folder of the store, `LIMNER_HOME` or the place the platform has for such data. */
  home: string;
  /** Hosts that results may come from although their address is private. */
  resultHosts: string[];
  proxies: ProxyVariables;
}

/**
 * Reads `LIMNER_API_KEY`, `LIMNER_BASE_URL`, `LIMNER_MODEL`, `LIMNER_HOME`, `LIMNER_RESULT_HOSTS` and the variables of
 * proxies; empty ones count as not set.
 */
export function readEnvironment(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Environment {
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const proxy = (...names: string[]): { name: string; value: string } | undefined =>
    names.map((name) => ({ name, value: given(name) ?? '' })).find(({ value }) => value !== '');
  return {
    apiKey: given('LIMNER_API_KEY'),
    baseUrl: given('LIMNER_BASE_URL'),
    model: given('LIMNER_MODEL'),
    home: resolve(given('LIMNER_HOME') ?? join(dataFolder(given, platform), 'limner')),
    resultHosts: (given('LIMNER_RESULT_HOSTS') ?? '').split(/[\s,]+/u).filter((host) => host !== ''),
    proxies: { http: proxy('http_proxy', 'HTTP_PROXY'), https: proxy('https_proxy', 'HTTPS_PROXY') },
  };
}

/**
 * The base URL that the environment names, once it is sure that a task could be sent there.
 *
 * @throws LimnerError `no_service` for an address that is missing, is none, or would get the key unencrypted;
 * `no_key` for a key that is missing or none; `invalid_request` for a proxy that is none
 */
export function requireService(engineModule: EngineModule, environment: Environment): string {
  const { checkedKey, LimnerError, endpointsOf, hostName, isLoopbackHost } = engineModule;
  const { baseUrl, apiKey } = environment;
  if (baseUrl === undefined) {
    throw new LimnerError('no_service', 'LIMNER_BASE_URL is not set.', { billing: 'no' });
  }
  const { origin } = endpointsOf(baseUrl);
  // Plain http needs a person's consent, which a command line has no place to keep: only this machine gets it.
  if (!origin.startsWith('https:') && !isLoopbackHost(hostName(new URL(origin)))) {
    throw new LimnerError('no_service', `${origin} would get the API key unencrypted.`, { billing: 'no' });
  }
  if (apiKey === undefined) {
    throw new LimnerError('no_key', 'LIMNER_API_KEY is not set.', { billing: 'no' });
  }
  checkedKey(apiKey);
  readProxies(engineModule, environment.proxies);
  return baseUrl;
}

function dataFolder(given: (name: string) => string | undefined, platform: NodeJS.Platform): string {
  switch (platform) {
    case 'win32':
      return given('LOCALAPPDATA') ?? join(homedir(), 'AppData', 'Local');
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support');
    default:
      return given('XDG_DATA_HOME') ?? join(homedir(), '.local', 'share');
  }
}
