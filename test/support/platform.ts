/** What to do where VS Code for browsers doesn't run. */
export const needsLinux =
  'VS Code from the npm registry needs Linux. Elsewhere, open this folder in VS Code and press F5 to try Limner.';

/** Ends this process where it is not on Linux, with a line that says so. @param command as a user runs it */
export function requireLinux(command: string): void {
  if (process.platform !== 'linux') {
    console.error(`${command}: ${needsLinux}`);
    process.exit(1);
  }
}

/** For `skip`: the reason why a test can't hold on Windows; `false` elsewhere. */
export function notOnWindows(reason: string): string | false {
  return process.platform === 'win32' && reason;
}

/** For `skip` of tests in which a process stands still. */
export const noStops = notOnWindows('no signal stops a process there');

/**
 * Whether a process was killed. On Windows one that killed itself has no signal, only the exit code that errors have,
 * too.
 */
export function wasKilled(code: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === 'SIGKILL' || (process.platform === 'win32' && code === 1);
}
