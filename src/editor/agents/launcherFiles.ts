import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import { rename, rm } from '../../common/disk/heldFiles.ts';

const launcherFile = 'launcher.js';
const scriptFile = 'limner';

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

/** How the MCP server is started. */
export interface ServerCommand {
  command: string;
  args: readonly string[];
  /** Variables that it needs. */
  env: Readonly<Record<string, string>>;
}

/**
 * Returns the command that starts the launcher: a script that finds a Node.js. On Windows it is a Node.js itself. Clients
 * put a script for `cmd` together in ways of their own, of which many leave an ampersand in a path without quotes, and
 * `cmd` replaces percent signs within quotes, too. All of them start a program with the arguments that it is to get.
 *
 * @param node of the editor; undefined where its path changes with updates
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

/** Writes the launcher, and the script that starts it. */
export async function writeLauncher({ folder, node, ...content }: LauncherPlan): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { extension } = content;
  await putFile(join(folder, launcherFile), await readFile(join(extension, 'dist', launcherFile), 'utf8'));
  await putFile(join(folder, scriptFile), shellScript(node), 0o755);
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

/** An editor in a mounted image: once it is closed, anybody may put another program where its Node.js was. */
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
