import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the command line takes from environment variables: never from arguments, which other users can read. */
export interface Environment {
  apiKey: string | undefined;
  baseUrl: string | undefined;
  model: string | undefined;
  /** Folder of the store, `LIMNER_HOME` or the place the platform has for such data. */
  home: string;
}

/** Reads `LIMNER_API_KEY`, `LIMNER_BASE_URL`, `LIMNER_MODEL` and `LIMNER_HOME`; empty ones count as not set. */
export function readEnvironment(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Environment {
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  return {
    apiKey: given('LIMNER_API_KEY'),
    baseUrl: given('LIMNER_BASE_URL'),
    model: given('LIMNER_MODEL'),
    home: given('LIMNER_HOME') ?? join(dataFolder(given, platform), 'limner'),
  };
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
