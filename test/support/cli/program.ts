import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { outFolder, projectFolder } from '../folders.ts';

let program: string | undefined;

/**
 * Returns the path of `limner`, bundled once per test process and removed with it: from the sources it starts half as
 * fast. Where it is measured what tests execute, it is the sources.
 */
export function bundledProgram(): string {
  if (process.env['NODE_V8_COVERAGE'] !== undefined) {
    return join(projectFolder, 'src/cli/main.ts');
  }
  program ??= bundle();
  return program;
}

function bundle(): string {
  mkdirSync(outFolder, { recursive: true });
  const outdir = mkdtempSync(join(outFolder, 'limner-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  buildSync({
    entryPoints: [join(projectFolder, 'src/cli/main.ts')],
    outdir,
    bundle: true,
    // Lazy modules and threads stay files of their own.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    outExtension: { '.js': '.mjs' },
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return join(outdir, 'main.mjs');
}
