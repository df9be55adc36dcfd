import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the launcher is put, and what it starts. */
export interface LauncherPlan {
  /** Folder on disk that updates of the extension leave alone. */
  folder: string;
  /** Folder of the extension. */
  extension: string;
  /** A Node.js to try first: that of the editor. */
  node: string;
  /** What the server goes by; never the key. */
  environment: Record<string, string>;
}

/** Returns the script that starts the launcher with the first Node.js that will do. */
export function scriptIn(folder: string, platform: NodeJS.Platform): string {
  return join(folder, platform === 'win32' ? 'limner.cmd' : 'limner');
}

/** Writes the launcher for all platforms: a folder may be shared between them. */
export async function writeLauncher({ folder, extension, node, environment }: LauncherPlan): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(join(extension, 'dist', 'launcher.js'), join(folder, 'launcher.js'));
  await writeFile(
    join(folder, 'launcher.json'),
    `${JSON.stringify({ extension, environment }, undefined, 2)}\n`,
  );
  const script = scriptIn(folder, 'linux');
  await writeFile(script, shellScript(node));
  await chmod(script, 0o755);
  await writeFile(scriptIn(folder, 'win32'), batchFile(node));
}

/** Whether a launcher was written there before. */
export async function hasLauncher(folder: string): Promise<boolean> {
  return readFile(join(folder, 'launcher.json')).then(
    () => true,
    () => false,
  );
}

const noNode =
  'Limner found no Node.js 22.19 or newer. Install one from nodejs.org, or set LIMNER_NODE to the path of one.';

function shellScript(node: string): string {
  const quoted = `'${node.replaceAll("'", String.raw`'\''`)}'`;
  return `#!/bin/sh
# Starts the newest installed Limner. Written by Limner, and again whenever it changes.
here=$(cd "$(dirname "$0")" && pwd)
export ELECTRON_RUN_AS_NODE=1
for node in "$LIMNER_NODE" ${quoted} node; do
  [ -n "$node" ] || continue
  "$node" "$here/launcher.js" --check >/dev/null 2>&1
  case $? in
    0) exec "$node" "$here/launcher.js" "$@" ;;
    4) exec "$node" "$here/launcher.js" "$@" ;;
  esac
done
echo "${noNode}" >&2
exit 1
`;
}

function batchFile(node: string): string {
  return [
    '@echo off',
    'rem Starts the newest installed Limner. Written by Limner, and again whenever it changes.',
    'setlocal',
    'set ELECTRON_RUN_AS_NODE=1',
    `for %%N in ("%LIMNER_NODE%" "${node.replaceAll('%', '%%')}" "node") do (`,
    '  if not "%%~N"=="" (',
    '    "%%~N" "%~dp0launcher.js" --check >nul 2>nul && (',
    '      "%%~N" "%~dp0launcher.js" %*',
    '      exit /b',
    '    )',
    '  )',
    ')',
    `echo ${noNode} Or Limner is no longer installed. 1>&2`,
    'exit /b 1',
    '',
  ].join('\r\n');
}
