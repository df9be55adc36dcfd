import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import wasm from 'jq-wasm';

/** Why shell scripts are left out where there is no POSIX shell; false elsewhere. */
export const noShell = process.platform === 'win32' && 'Windows has no POSIX shell';

/**
 * Runs jq, compiled to WebAssembly, so that no test needs it installed. Its time grows with the square of the input.
 * @returns what it prints
 * @throws Error for what jq does not take
 */
export async function jq(input: string, filter: string, ...flags: readonly string[]): Promise<string> {
  const { exitCode } = process;
  try {
    // Once it has printed something, this build keeps to itself what is wrong further on.
    await wasm.raw(input, 'length', ['-s']);
    const output = await wasm.raw(input, filter, [...flags]);
    return output === '' ? '' : `${output}\n`;
  } finally {
    // It takes the process for its own.
    process.exitCode = exitCode;
  }
}

/** The outcome of a script. */
export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A POSIX shell that finds `limner`, `limner-service` and `jq` as programs in its path: `await using` takes them away. */
export class Shell {
  readonly #programs: string;

  /** @param limner the path of that program */
  static async open(limner = fromHere('../../src/cli/commands/main.ts')): Promise<Shell> {
    const programs = await mkdtemp(join(tmpdir(), 'limner-programs-'));
    const files = {
      limner,
      'limner-service': fromHere('../../src/demo/endpoints/main.ts'),
      jq: fromHere('jq.ts'),
    };
    for (const [name, file] of Object.entries(files)) {
      const path = join(programs, name);
      await writeFile(path, `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`);
      await chmod(path, 0o755);
    }
    return new Shell(programs);
  }

  private constructor(programs: string) {
    this.#programs = programs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#programs, { recursive: true });
  }

  /** Runs a script to its end. */
  async run(
    script: string,
    { cwd, env = {}, input = '' }: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
  ): Promise<Finished> {
    const child = spawn('sh', ['-c', script], {
      ...(cwd !== undefined && { cwd }),
      env: { XDG_CACHE_HOME: tmpdir(), ...env, PATH: [this.#programs, process.env['PATH']].join(delimiter) },
      stdio: 'pipe',
    });
    // A script may end without having read all of it.
    child.stdin.on('error', () => undefined).end(input);
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, stdout, stderr };
  }
}

function fromHere(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
