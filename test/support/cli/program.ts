import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { outFolder, projectFolder } from '../folders.ts';

/** Environment variable: the bundle that test processes share. */
const sharedProgram = 'LIMNER_TEST_PROGRAM';

let program = process.env[sharedProgram];

/**
 * Returns the path of `limner`, bundled once for all test processes of a floor, or for this one and removed with it: from
 * the sources it starts half as fast. Where it is measured what tests execute, it is the sources.
 */
export function bundledProgram(): string {
  if (process.env['NODE_V8_COVERAGE'] !== undefined) {
    return join(projectFolder, 'src/cli/commands/main.ts');
  }
  program ??= bundle(temporary());
  return program;
}

/** Bundles `limner` for the test processes that are started with the environment variables that it returns. */
export function shareProgram(): NodeJS.ProcessEnv {
  const outdir = join(outFolder, 'limner');
  rmSync(outdir, { recursive: true, force: true });
  return { [sharedProgram]: bundle(outdir) };
}

function temporary(): string {
  mkdirSync(outFolder, { recursive: true });
  const outdir = mkdtempSync(join(outFolder, 'limner-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  return outdir;
}

/** @returns the path of the program in this folder */
export function bundle(outdir: string): string {
  buildSync({
    entryPoints: [join(projectFolder, 'src/cli/commands/main.ts')],
    outdir,
    bundle: true,
    // What is shorter starts sooner.
    minify: true,
    // Lazy modules and threads stay files of their own.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    outExtension: { '.js': '.mjs' },
    alias: { 'jsonc-parser': join(projectFolder, 'node_modules/jsonc-parser/lib/esm/main.js') },
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return join(outdir, 'main.mjs');
}
