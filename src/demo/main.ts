import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { runService } from './index.ts';

export * from './index.ts';

// The bundle is both: a program of its own, and what the command line loads.
const [, program] = process.argv;
if (program !== undefined && pathToFileURL(realpathSync(program)).href === import.meta.url) {
  runService(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
