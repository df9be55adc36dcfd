import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { within } from '../../support/eventually.ts';
import { undoAtExit } from '../../support/cleanup.ts';
import type { EditorServer } from '../fetch/editorServer.ts';
import { MarkedProcesses } from './markedProcesses.ts';

/** The folders of one VS Code server. */
export interface ServerFolders {
  userData: string;
  serverData: string;
  extensions: string;
  /** Home folder of the server and all it starts. */
  home: string;
  /** For their sockets and other temporary files. */
  temporary: string;
  /** Folder of the built-in extensions, unless it is the usual one. */
  builtIn?: string;
}

/** How a server is started. */
export interface ServerOptions {
  /** Runs extension tests, but suppresses the toasts of notifications. */
  smokeTestDriver: boolean;
  /** Environment variables on top of those of this process. */
  env: NodeJS.ProcessEnv;
}

/** A VS Code server that is listening. */
export interface ServerProcess {
  port: number;
  /**
   * Kills the processes in which extensions run, and nothing else.
   *
   * @returns how many there were
   */
  killExtensionHosts(): number;
  /** Kills the server and all that was started from it; resolves when the server has ended. */
  kill(): Promise<void>;
}

/**
 * Starts VS Code's server and waits until it listens on 127.0.0.1.
 *
 * @throws Error with what the server wrote, when it ends instead.
 */
export async function startServer(
  server: EditorServer,
  folders: ServerFolders,
  options: ServerOptions,
): Promise<ServerProcess> {
  const processes = new MarkedProcesses();
  const child = spawn(
    server.node,
    [
      server.main,
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--without-connection-token',
      '--accept-server-license-terms',
      '--telemetry-level',
      'off',
      ...(options.smokeTestDriver ? ['--enable-smoke-test-driver'] : []),
      ...folderArguments(folders),
    ],
    {
      env: { ...serverEnvironment(folders, options.env), ...processes.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const ended = once(child, 'exit');
  const kill = undoAtExit(() => processes.kill());

  let output = '';
  const { promise: listening, resolve, reject } = Promise.withResolvers<number>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const port = /Extension host agent listening on (\d+)/.exec(output)?.[1];
      if (port !== undefined) {
        resolve(Number(port));
      }
    });
  }
  child.on('error', reject);
  child.on('exit', () => reject(new Error(`VS Code's server ended before it listened:\n${output}`)));

  return {
    port: await within("VS Code's server", listening, () => output),
    killExtensionHosts: () => processes.kill('--type=extensionHost'),
    async kill() {
      kill();
      await ended;
    },
  };
}

/** Installs a packaged extension into the folders of a server that is not running. */
export async function installExtension(
  server: EditorServer,
  folders: ServerFolders,
  vsix: string,
): Promise<void> {
  await promisify(execFile)(
    server.node,
    [server.main, '--install-extension', vsix, '--accept-server-license-terms', ...folderArguments(folders)],
    { env: serverEnvironment(folders, {}) },
  );
}

function folderArguments({ userData, serverData, extensions, builtIn }: ServerFolders): string[] {
  return [
    '--user-data-dir',
    userData,
    '--server-data-dir',
    serverData,
    '--extensions-dir',
    extensions,
    ...(builtIn === undefined ? [] : ['--builtin-extensions-dir', builtIn]),
  ];
}

/** Returns the environment without the variables of a surrounding VS Code or test runner. */
function serverEnvironment(folders: ServerFolders, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('VSCODE_') && name !== 'NODE_TEST_CONTEXT' && name !== 'NODE_OPTIONS',
  );
  return {
    ...Object.fromEntries(inherited),
    HOME: folders.home,
    TMPDIR: folders.temporary,
    XDG_RUNTIME_DIR: folders.temporary,
    ...env,
  };
}
