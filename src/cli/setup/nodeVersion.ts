/** The oldest Node.js that everything the command line is made of runs on. */
export const oldestNode = '22.19.0';

/** Whether a version of Node.js, `24.1.0`, is an older one than that. */
export function isTooOld(version: string): boolean {
  return version.localeCompare(oldestNode, 'en', { numeric: true }) < 0;
}
