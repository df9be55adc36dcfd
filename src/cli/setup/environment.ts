import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import * as english from '../../common/english.ts';
import type { ProxyVariables } from './proxies.ts';
import { messageOf } from '../../common/limnerError.ts';

/** The oldest Node.js that the command line supports. */
export const oldestNode = '22.19.0';

/** Environment variables of the command line; other users can read arguments. */
export interface Environment {
  apiKey: string | undefined;
  /** Why the file that should hold the key gave none. */
  keyProblem: string | undefined;
  baseUrl: string | undefined;
  model: string | undefined;
  /** JSON: the entries of models, as in `limner.models`. */
  models: string | undefined;
  /** How requests are sent where neither an option nor the entry of a model says it. */
  callStyle: string | undefined;
  /** The style of new images where a call of an agent names none. */
  style: string | undefined;
  /** Folder of the store, `LIMNER_HOME` or the platform's folder for such data. */
  home: string;
  /** Hosts that results may come from although their address is private. */
  resultHosts: string[];
  /** JSON: what may be spent, and what the images of each model cost. */
  budget: string | undefined;
  prices: string | undefined;
  proxies: ProxyVariables;
  agents: AgentEnvironment;
}

/** The variables of the MCP server, as they are set. */
export interface AgentEnvironment {
  /** Project folder; the current one without it. */
  workspace: string | undefined;
  /** When the user is asked through the client; with `above`, before calls for more images. */
  confirm: string | undefined;
  confirmAbove: string | undefined;
  /** Most images of one run, and of 24 hours. */
  sessionLimit: string | undefined;
  dailyLimit: string | undefined;
}

/** Whether a version of Node.js, such as `24.1.0`, is older than the oldest supported one. */
export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = partsOf(version);
  const [oldestMajor = 0, oldestMinor = 0] = partsOf(oldestNode);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

function partsOf(version: string): number[] {
  return version.split('.').map(Number);
}

/**
 * Reads `LIMNER_API_KEY` or the file of `LIMNER_API_KEY_FILE`, `LIMNER_BASE_URL`, `LIMNER_MODEL`, `LIMNER_MODELS`, `LIMNER_CALL_STYLE`, `LIMNER_STYLE`, `LIMNER_HOME`,
 * `LIMNER_RESULT_HOSTS`, `LIMNER_BUDGET`, `LIMNER_PRICES`, the proxy variables, and those of agents; empty ones count as
 * not set. So do references such as `${workspaceFolder}` that a client of the MCP server left as they are, where that
 * does no harm: with a limit that cannot be read, nothing is sent.
 */
export function readEnvironment(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Environment {
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const resolved = (name: string): string | undefined => (isUnresolved(env[name]) ? undefined : given(name));
  const proxy = (...names: string[]): { name: string; value: string } | undefined =>
    names.map((name) => ({ name, value: given(name) ?? '' })).find(({ value }) => value !== '');
  return {
    ...readKey(resolved('LIMNER_API_KEY'), resolved('LIMNER_API_KEY_FILE')),
    baseUrl: given('LIMNER_BASE_URL'),
    model: given('LIMNER_MODEL'),
    models: given('LIMNER_MODELS'),
    callStyle: given('LIMNER_CALL_STYLE'),
    style: given('LIMNER_STYLE'),
    home: resolve(resolved('LIMNER_HOME') ?? join(dataFolder(given, platform), 'limner')),
    resultHosts: (given('LIMNER_RESULT_HOSTS') ?? '').split(/[\s,]+/u).filter((host) => host !== ''),
    budget: given('LIMNER_BUDGET'),
    prices: given('LIMNER_PRICES'),
    proxies: { http: proxy('http_proxy', 'HTTP_PROXY'), https: proxy('https_proxy', 'HTTPS_PROXY') },
    agents: {
      workspace: resolved('LIMNER_WORKSPACE'),
      confirm: given('LIMNER_AGENTS_CONFIRM'),
      confirmAbove: given('LIMNER_AGENTS_CONFIRM_ABOVE'),
      sessionLimit: given('LIMNER_AGENTS_SESSION_LIMIT'),
      dailyLimit: given('LIMNER_AGENTS_DAILY_LIMIT'),
    },
  };
}

/** Returns the key of the environment, or that in the file which the environment names. */
function readKey(
  given: string | undefined,
  file: string | undefined,
): Pick<Environment, 'apiKey' | 'keyProblem'> {
  if (given !== undefined || file === undefined) {
    return { apiKey: given, keyProblem: undefined };
  }
  try {
    const apiKey = readFileSync(file, 'utf8').trim();
    return apiKey === ''
      ? {
          apiKey: undefined,
          keyProblem: english.t('The file of {0} is empty.', 'LIMNER_API_KEY_FILE'),
        }
      : { apiKey, keyProblem: undefined };
  } catch (error) {
    const keyProblem = english.t(
      "The file of {0} can't be read: {1}",
      'LIMNER_API_KEY_FILE',
      messageOf(error),
    );
    return { apiKey: undefined, keyProblem };
  }
}

/** Settings that a client's configuration can hold: those of the service and of agents, but neither key nor folder. */
const settings =
  /^LIMNER_(?:BASE_URL|MODELS?|CALL_STYLE|STYLE|HOME|RESULT_HOSTS|BUDGET|PRICES|AGENTS_(?:CONFIRM|CONFIRM_ABOVE|SESSION_LIMIT|DAILY_LIMIT))$/u;

/** Returns the variables that are set of those. */
export function settingsIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (settings.test(name) && value ? [[name, value]] : [])),
  );
}

/** Whether a value is a reference such as `${env:LIMNER_MODEL}` that a client of the MCP server left as it is. */
export function isUnresolved(value: string | undefined): boolean {
  return /^\s*\$\{[^{}]*\}\s*$/u.test(value ?? '');
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
