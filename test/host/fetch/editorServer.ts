import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { needsLinux } from '../../support/platform.ts';
import { fetchOnce } from './cache.ts';
import { editorVersions, type ByProcessor, type EditorVersion } from './editorVersions.ts';
import { installDependencies, installPackage, type PinnedPackage } from './npmInstall.ts';

/** The parts of VS Code's server. */
export interface EditorServer {
  /** Path of the Node to run it with. */
  node: string;
  /** Path of `server-main.js`. */
  main: string;
  /** Path of the folder of the extensions that come with it. */
  extensions: string;
}

const serverInPackage = 'lib/vscode';

/**
 * VS Code's server with its workbench, fetched from the npm registry on first use.
 *
 * @throws Error on systems other than Linux: the package has no native parts for them.
 */
export async function fetchEditorServer(version: EditorVersion): Promise<EditorServer> {
  if (process.platform !== 'linux') {
    throw new Error(needsLinux);
  }
  const { vscode, server, node, ripgrep } = editorVersions[version];
  const folder = await fetchOnce({
    name: `${server.name}-${server.version}`,
    notice: `Fetching VS Code ${vscode} from the npm registry`,
    megabytes: 600,
    fill: async (folder) => installServer(folder, server, ripgrep),
  });
  const root = join(folder, 'node_modules', server.name, serverInPackage);
  return {
    node: node ? await fetchNode(forThisProcessor(node)) : process.execPath,
    main: join(root, 'out/server-main.js'),
    extensions: join(root, 'extensions'),
  };
}

async function installServer(
  folder: string,
  server: PinnedPackage,
  ripgrep: ByProcessor | undefined,
): Promise<void> {
  const vscode = join(await installPackage(folder, server), serverInPackage);
  const modules = join(vscode, 'node_modules/@vscode');
  await installDependencies(vscode);
  await build({
    entryPoints: [join(import.meta.dirname, 'spdlog.ts')],
    outfile: join(modules, 'spdlog/index.js'),
    allowOverwrite: true,
    platform: 'node',
    format: 'cjs',
  });
  if (ripgrep) {
    const search = join(folder, 'ripgrep');
    await mkdir(search);
    await cp(
      join(await installPackage(search, forThisProcessor(ripgrep)), 'bin'),
      join(modules, 'ripgrep/bin'),
      { recursive: true },
    );
  }
}

async function fetchNode(node: PinnedPackage): Promise<string> {
  const folder = await fetchOnce({
    name: `${node.name}-${node.version}`,
    notice: `Fetching Node ${node.version} from the npm registry`,
    megabytes: 200,
    fill: async (folder) => {
      await installPackage(folder, node);
    },
  });
  return join(folder, 'node_modules', node.name, 'bin/node');
}

function forThisProcessor(packages: ByProcessor): PinnedPackage {
  const found = packages[process.arch];
  if (!found) {
    throw new Error(`VS Code from the npm registry does not run on ${process.arch}.`);
  }
  return found;
}
