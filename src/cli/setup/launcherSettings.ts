import { readFileSync } from 'node:fs';
import { isUnresolved } from './environment.ts';

const serviceName = 'LIMNER_BASE_URL';
/** Settings that mean nothing to another service. */
const ofService = new Set(['LIMNER_MODEL', 'LIMNER_MODELS', 'LIMNER_RESULT_HOSTS', 'LIMNER_PRICES']);

/**
 * Returns the client's environment with what it leaves open, as the file says by now that the launcher names: VS Code
 * keeps it up to date with the user's settings. The service is never among that: the key is for the one that the
 * client's configuration names, whichever is in use by now.
 *
 * @throws Error when the file can't be read
 */
export function withLauncherSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = env['LIMNER_LAUNCHER'];
  if (!file) {
    return env;
  }
  const settings = settingsIn(file);
  const isInUse = env[serviceName] === settings.get(serviceName);
  const merged = { ...env };
  for (const [name, value] of settings) {
    if (name !== serviceName && (isInUse || !ofService.has(name))) {
      merged[name] = isUnresolved(env[name]) ? value : env[name] || value;
    }
  }
  return merged;
}

function settingsIn(file: string): Map<string, string> {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const { environment } = { environment: undefined, ...(typeof value === 'object' ? value : undefined) };
  if (typeof environment !== 'object' || environment === null) {
    throw new TypeError(`${file} is damaged.`);
  }
  return new Map(Object.entries(environment).map(([name, variable]) => [name, String(variable)]));
}
