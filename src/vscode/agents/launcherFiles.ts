import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import { rename, rm } from '../../common/heldFiles.ts';

const launcherFile = 'launcher.js';
const scriptFile = 'limner';

export interface LauncherPlan {
  /** Folder on disk that survives updates of the extension. */
  folder: string;
  extension: string;
  /** Node.js to try first: that of the editor. */
  node: string;
  /** Fingerprint of all inputs, to detect changes later. */
  settings: string;
  /** Variables of the server; never the key. */
  environment: Record<string, string>;
}

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

export async function writeLauncher({ folder, node, ...content }: LauncherPlan): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { extension } = content;
  await putFile(join(folder, launcherFile), await readFile(join(extension, 'dist', launcherFile), 'utf8'));
  await putFile(join(folder, scriptFile), shellScript(node), 0o755);
  // Written last: it marks everything as up to date.
  await putFile(join(folder, 'launcher.json'), `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Writes a file that a client may be reading: it finds the old or the new contents. */
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

/** An editor in a mounted image: once it is closed, anybody may put another program at the path of its Node.js. */
const mounted = /\/\.mount_[^/]*\//u;

function shellScript(node: string): string {
  const quoted = mounted.test(node) ? '""' : `'${node.replaceAll("'", String.raw`'\''`)}'`;
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
