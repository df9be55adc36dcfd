import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { runService } from './runService.ts';

export { startDemoService, type DemoService, type DemoServiceDescription } from './demoService.ts';
export type { DemoServiceOptions } from './options.ts';
export { runService };

const [, program] = process.argv;
if (program !== undefined && pathToFileURL(realpathSync(program)).href === import.meta.url) {
  runService(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
