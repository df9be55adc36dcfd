import { tmpdir } from 'node:os';
import { dirname, isAbsolute, relative, sep } from 'node:path';

/** Where Windows keeps itself, programs, and what they store, by the variables that say it. */
const variables = [
  'SystemRoot',
  'ProgramFiles',
  'ProgramFiles(x86)',
  'ProgramW6432',
  'ProgramData',
  'LOCALAPPDATA',
  'APPDATA',
];

/**
 * Whether a folder belongs to programs and is nobody's project: programs that Windows starts from its menu, and what
 * they start, run in its own folder or in theirs.
 */
export function isOfPrograms(
  folder: string,
  env: NodeJS.ProcessEnv = process.platform === 'win32' ? process.env : {},
): boolean {
  const places = [...variables.map((name) => env[name]), dirname(process.execPath)];
  return places.some((place = '') => isAbsolute(place) && isIn(place, folder)) && !isIn(tmpdir(), folder);
}

function isIn(place: string, folder: string): boolean {
  const way = relative(place, folder);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
