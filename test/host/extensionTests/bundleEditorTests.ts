import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { outFolder, projectFolder } from '../../support/folders.ts';

/**
 * Bundles the tests that run inside the extension host, each file for itself.
 *
 * @param files some of them, or none for all
 * @returns The path of their `index.js`.
 */
export async function bundleEditorTests(files: readonly string[]): Promise<string> {
  const source = join(projectFolder, 'test/editor');
  const outdir = join(outFolder, 'test/editor');
  await rm(outdir, { recursive: true, force: true });
  await build({
    entryPoints: [
      join(source, 'index.ts'),
      ...(files.length > 0 ? files.map((file) => resolve(file)) : globSync(join(source, '**/*.test.ts'))),
    ],
    outdir,
    outbase: source,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode', 'mocha', 'exifreader'],
    sourcemap: 'linked',
    logLevel: 'warning',
    // The one thread that they start reads documents.
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(join(projectFolder, 'dist/references.js')).href),
    },
  });
  return join(outdir, 'index.js');
}
