import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launcherFile, scriptFile } from '../../agents/clients/serverCommand.ts';
import { writeWhole } from '../../agents/clients/wholeFile.ts';

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

export async function writeLauncher({ folder, node, ...content }: LauncherPlan): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { extension } = content;
  await writeWhole(join(folder, launcherFile), await readFile(join(extension, 'dist', launcherFile), 'utf8'));
  await writeWhole(join(folder, scriptFile), shellScript(node), 0o755);
  // Written last: it marks everything as up to date.
  await writeWhole(join(folder, 'launcher.json'), `${JSON.stringify(content, undefined, 2)}\n`);
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
