import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectFolder } from '../../support/folders.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

/** Folders of extensions that tests need beside Limner: file systems of their own, a language model, and who calls tools as agents do. */
export type TestExtension = 'virtualWorkspace' | 'languageModel' | 'agentCaller';

/** Bundles one of them into a folder. */
export async function bundleTestExtension(
  extension: TestExtension,
): Promise<{ path: string; remove: () => void }> {
  const source = join(projectFolder, 'test', extension);
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
