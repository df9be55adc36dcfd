import { join } from 'node:path';
import { build } from 'esbuild';
import { fetchOnce } from './cache.ts';
import { editorVersions } from './editorVersions.ts';
import type { EditorVersion } from './editorVersions.ts';
import { installDependencies, installPackage } from './npmInstall.ts';
import type { PinnedPackage } from './npmInstall.ts';

/** What it takes to start VS Code's server. */
export interface EditorServer {
  /** Path of the Node to run it with. */
  node: string;
  /** Path of `server-main.js`. */
  main: string;
}

const serverInPackage = 'lib/vscode';

/**
 * VS Code's server with its workbench, fetched from the npm registry on first use.
 *
 * @throws Error on systems other than Linux: the package has no native parts for them.
 */
export async function fetchEditorServer(version: EditorVersion): Promise<EditorServer> {
  if (process.platform !== 'linux') {
    throw new Error(
      'VS Code from the npm registry runs on Linux only: set LIMNER_TEST_DESKTOP=1 for the desktop build.',
    );
  }
  const { vscode, server, node } = editorVersions[version];
  const folder = await fetchOnce(
    `${server.name}-${server.version}`,
    `Fetching VS Code ${vscode} from the npm registry into .vscode-test (once, about 600 MB) …`,
    (folder) => installServer(folder, server),
  );
  return {
    node: node ? await fetchNode(node[process.arch]) : process.execPath,
    main: join(folder, 'node_modules', server.name, serverInPackage, 'out/server-main.js'),
  };
}

async function installServer(folder: string, server: PinnedPackage): Promise<void> {
  const installed = await installPackage(folder, server);
  const vscode = join(installed, serverInPackage);
  await installDependencies(vscode);
  await build({
    entryPoints: [join(import.meta.dirname, 'spdlog.ts')],
    outfile: join(vscode, 'node_modules/@vscode/spdlog/index.js'),
    allowOverwrite: true,
    platform: 'node',
    format: 'cjs',
  });
}

async function fetchNode(source: PinnedPackage | undefined): Promise<string> {
  if (!source) {
    throw new Error(`No Node is known for this VS Code on ${process.arch}.`);
  }
  const folder = await fetchOnce(
    `${source.name}-${source.version}`,
    `Fetching Node ${source.version} from the npm registry into .vscode-test (once) …`,
    async (folder) => {
      await installPackage(folder, source);
    },
  );
  return join(folder, 'node_modules', source.name, 'bin/node');
}
