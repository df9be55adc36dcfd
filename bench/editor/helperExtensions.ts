import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectFolder } from '../../test/support/folders.ts';
import { readJson } from '../../test/support/readJson.ts';
import { temporaryFolder } from '../../test/support/temporaryFolder.ts';
import * as v from 'valibot';

/** The folder of an extension, which is gone when this process ends, or earlier by `remove`. */
export interface ExtensionFolder {
  path: string;
  remove: () => void;
}

const common = { version: '1.0.0', engines: { vscode: '^1.110.0' }, main: './extension.js' };

/** Makes an extension that starts as Limner does and then does nothing: what any extension costs. */
export function makeEmptyExtension(): ExtensionFolder {
  const folder = temporaryFolder('empty');
  writeManifest(folder, {
    ...common,
    name: 'empty',
    publisher: 'bench',
    activationEvents: ['onStartupFinished'],
  });
  writeFileSync(join(folder.path, 'extension.js'), 'exports.activate = () => {};\n');
  return folder;
}

/** The id of the empty extension. */
export const emptyExtensionId = 'bench.empty';

/** Bundles `hosts/probe.ts`, which measures beside other extensions: it starts before all that wait for the window. */
export async function bundleProbe(): Promise<ExtensionFolder> {
  const folder = temporaryFolder('probe');
  writeManifest(folder, { ...common, name: 'probe', publisher: 'bench', activationEvents: ['*'] });
  await bundle('probe.ts', folder);
  return folder;
}

/** Bundles `hosts/taskTree.ts`, which stands in the place of Limner: with its id, its views and its settings. */
export async function bundleTaskTree(): Promise<ExtensionFolder> {
  const folder = temporaryFolder('tree');
  const manifest = await readJson(join(projectFolder, 'package.json'), v.looseObject({}));
  writeManifest(folder, { ...manifest, main: common.main, activationEvents: ['*'] });
  copyFileSync(join(projectFolder, 'package.nls.json'), join(folder.path, 'package.nls.json'));
  await bundle('taskTree.ts', folder);
  return folder;
}

function writeManifest({ path }: ExtensionFolder, manifest: object): void {
  writeFileSync(join(path, 'package.json'), JSON.stringify(manifest));
}

async function bundle(entry: string, { path }: ExtensionFolder): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, 'hosts', entry)],
    outfile: join(path, 'extension.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    minify: true,
    logLevel: 'warning',
    // Of threads, which are not started from here.
    logOverride: { 'empty-import-meta': 'silent' },
  });
}
