import { realpathSync } from 'node:fs';
import { isAbsolute, normalize, resolve } from 'node:path';

/**
 * Returns a whole path, a relative one from the folder that the program was started in, as the user names it: a shell
 * says in `PWD` which links it went through, the system only where they lead. Up from there leads what the system says,
 * as for every other program.
 */
export function wholePath(path: string): string {
  const { PWD: named = '' } = process.env;
  const isBelow = !normalize(path).startsWith('..');
  return resolve(isBelow && isAbsolute(named) && isHere(named) ? named : '', path);
}

function isHere(folder: string): boolean {
  try {
    return realpathSync(folder) === realpathSync('.');
  } catch {
    return false;
  }
}
