import { spawn } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import * as v from 'valibot';
import { undoAtExit } from '../../support/cleanup.ts';
import { readJson } from '../../support/readJson.ts';

/** A package of the npm registry at one version with the checksum it must have. */
export interface PinnedPackage {
  name: string;
  version: string;
  /** As in a lock file: `sha512-…`. */
  integrity: string;
  /** Whether it is for another system than this one, too. */
  isForeign?: boolean;
}

/**
 * Installs a package into an empty folder without running its scripts.
 *
 * @returns The folder of the package itself.
 * @throws Error when npm fails or the registry served something else than what was pinned.
 */
export async function installPackage(folder: string, wanted: PinnedPackage): Promise<string> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const force = wanted.isForeign === true ? ['--force'] : [];
  await npm(folder, ['install', '--ignore-scripts', ...force, `${wanted.name}@${wanted.version}`]);
  const installed = await installedIntegrity(folder, wanted.name);
  if (installed !== wanted.integrity) {
    throw new Error(
      `${wanted.name}@${wanted.version} has the checksum ${installed}, not ${wanted.integrity}.`,
    );
  }
  return join(folder, 'node_modules', wanted.name);
}

/** Installs what the `package.json` in a folder needs at run time, without running scripts. */
export async function installDependencies(folder: string): Promise<void> {
  await npm(folder, ['install', '--omit=dev', '--ignore-scripts']);
}

/** Installs exactly what a lock file names, without running scripts. @param from the folder of the lock file */
export async function installLocked(folder: string, from: string): Promise<void> {
  for (const name of ['package.json', 'package-lock.json']) {
    await copyFile(join(from, name), join(folder, name));
  }
  await npm(folder, ['ci', '--ignore-scripts']);
}

const lockFileSchema = v.object({
  packages: v.record(v.string(), v.object({ integrity: v.optional(v.string()) })),
});

async function installedIntegrity(folder: string, name: string): Promise<string> {
  const lockFile = await readJson(join(folder, 'package-lock.json'), lockFileSchema);
  return lockFile.packages[`node_modules/${name}`]?.integrity ?? 'nothing';
}

function npm(folder: string, args: string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // There it is a script of the shell's.
    shell: process.platform === 'win32',
  });
  const kill = undoAtExit(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  child.on('error', reject);
  child.on('close', (code) => {
    kill();
    if (code === 0) {
      resolve();
    } else {
      reject(new Error(`npm ${args.join(' ')} failed:\n${output}`));
    }
  });
  return promise;
}
