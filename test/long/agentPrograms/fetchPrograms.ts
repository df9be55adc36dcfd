import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchOnce } from '../../host/fetch/cache.ts';
import { installLocked } from '../../host/fetch/npmInstall.ts';

const packages = join(import.meta.dirname, 'packages');

/** Fetches agent programs and libraries from the npm registry on first use. @returns their `node_modules` */
export async function fetchPrograms(): Promise<string> {
  const lockFile = await readFile(join(packages, 'package-lock.json'));
  const folder = await fetchOnce({
    name: `agent-programs-${createHash('sha256').update(lockFile).digest('hex').slice(0, 12)}`,
    notice: 'Fetching agent programs from the npm registry',
    megabytes: 850,
    fill: async (folder) => installLocked(folder, packages),
  });
  return join(folder, 'node_modules');
}
