import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the folder of this user where Node.js keeps compiled code, which halves the start of the next run. Its own
 * choice would be one for temporary files, where others could leave code to be run.
 */
export function compileCacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  return join(cachesFolder(env, platform), 'limner', 'compiled');
}

function cachesFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  switch (platform) {
    case 'win32':
      return env['LOCALAPPDATA'] || join(homedir(), 'AppData', 'Local');
    case 'darwin':
      return join(homedir(), 'Library', 'Caches');
    default:
      return env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  }
}
