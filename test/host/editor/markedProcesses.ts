import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

const variable = 'LIMNER_TEST_SESSION';

/**
 * Identifies the processes of one session by an environment variable, which child processes inherit. Process groups
 * would not do: what is meant to outlive the editor has a group of its own.
 */
export class MarkedProcesses {
  readonly #mark = randomUUID();

  /** Environment of the first process. */
  get env(): NodeJS.ProcessEnv {
    return { [variable]: this.#mark };
  }

  /**
   * Kills all of them. Works on Linux, where the editor of the tests runs.
   *
   * @param argument only those that were started with it
   * @returns how many there were
   */
  kill(argument?: string): number {
    const pids = readdirSync('/proc').filter(
      (name) =>
        /^\d+$/.test(name) &&
        readList(name, 'environ').includes(`${variable}=${this.#mark}`) &&
        (argument === undefined || readList(name, 'cmdline').includes(argument)),
    );
    for (const pid of pids) {
      killIfAlive(Number(pid));
    }
    return pids.length;
  }
}

/** Returns nothing for a process that has ended meanwhile or belongs to somebody else. */
function readList(pid: string, file: 'environ' | 'cmdline'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
      throw error;
    }
  }
}
