import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectFolder } from '../../support/folders.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

/**
 * Bundles an extension of the tests: `virtualWorkspace` provides the schemes `virtual` and `virtual-readonly`, the whole
 * disk under its own paths; `agentCaller` calls tools as agents do.
 */
export async function bundleHelper(
  name: 'virtualWorkspace' | 'agentCaller',
): Promise<{ path: string; remove: () => void }> {
  const source = join(projectFolder, 'test', name);
  const folder = temporaryFolder('extension');
  await copyFile(join(source, 'package.json'), join(folder.path, 'package.json'));
  await build({
    entryPoints: [join(source, 'extension.ts')],
    outfile: join(folder.path, 'extension.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return folder;
}
