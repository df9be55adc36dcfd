import { posix, win32 } from 'node:path';

/** The files of the launcher, which survives updates of the extension. */
export const launcherFile = 'launcher.js';
export const scriptFile = 'limner';

/** How a client starts the server. */
export interface ServerCommand {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/**
 * Returns the command that starts the launcher: a script that finds a Node.js, or on Windows a Node.js itself. Many
 * Windows clients leave an ampersand in a script's path unquoted, and `cmd` replaces percent signs even within quotes.
 * All clients start a program with the exact arguments.
 *
 * @param node of the editor; undefined if its path changes with updates
 */
export function serverCommand(
  folder: string,
  node: string | undefined,
  platform: NodeJS.Platform,
): ServerCommand {
  return platform === 'win32'
    ? {
        command: node ?? 'node',
        args: [win32.join(folder, launcherFile), 'mcp'],
        env: { ELECTRON_RUN_AS_NODE: '1' },
      }
    : { command: posix.join(folder, scriptFile), args: ['mcp'], env: {} };
}
