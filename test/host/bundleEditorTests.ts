import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { outFolder, projectFolder } from './folders.ts';

/**
 * Bundles the tests that run inside the extension host, each file for itself.
 *
 * @returns The path of their `index.js`.
 */
export async function bundleEditorTests(): Promise<string> {
  const source = join(projectFolder, 'test/editor');
  const outdir = join(outFolder, 'test/editor');
  await rm(outdir, { recursive: true, force: true });
  await build({
    entryPoints: ['index.ts', ...globSync('**/*.test.ts', { cwd: source })].map((file) => join(source, file)),
    outdir,
    outbase: source,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode', 'mocha'],
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  return join(outdir, 'index.js');
}
