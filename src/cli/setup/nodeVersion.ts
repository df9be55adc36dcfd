/** The oldest Node.js that the command line supports. */
export const oldestNode = '22.19.0';

/** Whether a version of Node.js, `24.1.0`, is older than that. */
export function isTooOld(version: string): boolean {
  return version.localeCompare(oldestNode, 'en', { numeric: true }) < 0;
}
