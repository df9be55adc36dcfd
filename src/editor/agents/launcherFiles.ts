import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, win32 } from 'node:path';

/** Where the launcher is put, and what it starts. */
export interface LauncherPlan {
  /** Folder on disk that updates of the extension leave alone. */
  folder: string;
  /** Folder of the extension. */
  extension: string;
  /** A Node.js to try first: that of the editor. */
  node: string;
  /** What all this is made from, to be compared later. */
  settings: string;
  /** What the server goes by; never the key. */
  environment: Record<string, string>;
}

/** Returns the script that starts the launcher with the first Node.js that will do. */
export function scriptIn(folder: string, platform: NodeJS.Platform): string {
  return join(folder, platform === 'win32' ? 'limner.cmd' : 'limner');
}

/** Writes the launcher for all platforms: a folder may be shared between them. */
export async function writeLauncher({ folder, node, ...content }: LauncherPlan): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { extension } = content;
  await putFile(join(folder, 'launcher.js'), await readFile(join(extension, 'dist', 'launcher.js'), 'utf8'));
  await putFile(scriptIn(folder, 'linux'), shellScript(node), 0o755);
  await putFile(scriptIn(folder, 'win32'), batchFile(folder, node));
  // Last: it says that all is up to date.
  await putFile(join(folder, 'launcher.json'), `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Writes a file that a client may be reading: it finds the old content or the new one. */
async function putFile(path: string, content: string, mode = 0o644): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === content) {
    return;
  }
  const part = `${path}.${randomUUID()}`;
  try {
    await writeFile(part, content, { mode });
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
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
    # This one will do: it starts Limner, or says why it can't.
    0 | 40 | 41) exec "$node" "$here/launcher.js" "$@" ;;
  esac
done
echo "${noNode}" >&2
exit 1
`;
}

/** Returns the script that starts the launcher in a folder on Windows. */
export function batchFile(folder: string, node: string): string {
  // From the script's folder where that is possible: cmd reads the letters of a person's name in an old code page.
  const path = win32.relative(folder, node);
  const found = `${win32.isAbsolute(path) ? '' : '%~dp0'}${path.replaceAll('%', '%%')}`;
  return [
    '@echo off',
    'rem Starts the newest installed Limner. Written by Limner, and again whenever it changes.',
    'setlocal',
    'set ELECTRON_RUN_AS_NODE=1',
    'set "LIMNER_FOUND="',
    `for %%N in ("%LIMNER_NODE%" "${found}" "node") do (`,
    '  if not defined LIMNER_FOUND if not "%%~N"=="" (',
    '    "%%~N" "%~dp0launcher.js" --check >nul 2>nul',
    '    rem 0: it starts Limner. 40 and 41: it says why it cannot.',
    '    if errorlevel 0 if not errorlevel 1 set "LIMNER_FOUND=%%~N"',
    '    if errorlevel 40 if not errorlevel 42 set "LIMNER_FOUND=%%~N"',
    '  )',
    ')',
    'if not defined LIMNER_FOUND (',
    `  echo ${noNode} 1>&2`,
    '  exit /b 1',
    ')',
    // In one line: this file may be another one once the server ends.
    '"%LIMNER_FOUND%" "%~dp0launcher.js" %* & exit /b',
    '',
  ].join('\r\n');
}
