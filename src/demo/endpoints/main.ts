import { existsSync, realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { runService } from './runService.ts';
import { messageOf } from '../../common/limnerError.ts';

export * from './runService.ts';

// The bundle serves as a program, as a module of the command line, and as the script of the painter's thread.
const [, program] = process.argv;
if (isMainThread && program !== undefined && isThisFile(program)) {
  runService(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}

function isThisFile(path: string): boolean {
  return existsSync(path) && pathToFileURL(realpathSync(path)).href === import.meta.url;
}
