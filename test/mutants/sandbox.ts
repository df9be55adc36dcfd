import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { undoAtExit } from '../support/cleanup.ts';
import { homeVariables } from '../support/homeVariables.ts';
import { memoryFolder } from '../support/memoryFolder.ts';
import { executedParts, type Execution, type Executions, executes } from './executions.ts';
import type { Mutant } from './mutate.ts';
import { ResidentTests } from './resident/residentTests.ts';

/** What tests don't read, or what is shared by all copies. */
const left = new Set(['.git', '.vscode-test', 'dist', 'node_modules', 'out']);
/** How long all test files of one change may take, in milliseconds. */
const patience = 40_000;
/** How much memory a process of a test may take, in KiB: a loop that no longer ends must not take all there is. */
const maxMemory = 4 * 1024 * 1024;
/** How long a file may be, in blocks of 512 or 1024 bytes: copies of the project, and what tests write, are in memory. */
const maxFileSize = 256 * 1024;

/** The outcome of a process: whether all of it passed, and times in milliseconds. */
interface ProcessRun {
  passed: boolean;
  duration: number;
  /** The longest time without any output. */
  silence: number;
}

/**
 * A copy of the project in which one change at a time is made and tested: processes, threads, and bundles of the tests
 * all meet it.
 */
export class Sandbox {
  readonly #root = mkdtempSync(join(memoryFolder, 'limner-m-'));
  readonly #project = join(this.#root, 'project');
  readonly #executions: Executions;
  /** The test files that noticed changes of each file and folder, the last one first. */
  readonly #noticing = new Map<string, string[]>();
  /** Projects of the compiler that it accepts when nothing is changed. */
  readonly #compiling = new Set<string>();
  /** Test files that fail when nothing is changed. */
  readonly broken = new Set<string>();
  readonly #resident = new ResidentTests(
    () =>
      this.#spawn(
        [join(import.meta.dirname, 'resident', 'program.ts')],
        ['ignore', 'ignore', 'ignore', 'ipc'],
      ),
    ({ pid }) => killGroup(pid),
  );
  readonly remove = undoAtExit(() => {
    this.#resident.end();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  });

  /**
   * @param project its folder
   * @param executions what is known of the tests; shared by all copies
   */
  constructor(project: string, executions: Executions) {
    this.#executions = executions;
    for (const entry of readdirSync(project).filter((name) => !left.has(name))) {
      cpSync(join(project, entry), join(this.#project, entry), {
        recursive: true,
        filter: (path) => !path.endsWith('node_modules'),
      });
    }
    symlinkSync(join(project, 'node_modules'), join(this.#project, 'node_modules'), 'junction');
    mkdirSync(join(this.#root, 'tmp'));
    // Some tests act as an ordinary user, who is to find their files.
    chmodSync(this.#root, 0o711);
  }

  /**
   * Makes a change and runs the tests that execute what is changed, until one fails that passes without it, or until
   * they have taken long.
   *
   * @param tests the closest first; those that noticed a change of the file before, or of its folder, are asked before
   * them
   * @returns the file of the test that noticed it, if any did
   */
  async noticedBy(file: string, change: Mutant, tests: readonly string[]): Promise<string | undefined> {
    const places = [file, dirname(file)];
    const before = places
      .flatMap((place) => this.#noticing.get(place) ?? [])
      .filter((test) => tests.includes(test));
    const source = changed(readFileSync(join(this.#project, file), 'utf8'), change);
    let spent = 0;
    for (const test of new Set([...before, ...tests])) {
      const execution = await this.#executions.get(test, async () => this.#measure(test));
      if (!execution.passed) {
        this.broken.add(test);
      } else if (executes(execution, file, change.start)) {
        const { passed, duration } =
          (execution.isAlone ? await this.#resident.run(test, { file, source }) : undefined) ??
          (await this.#changed(file, change, async () =>
            this.#node(['--test-reporter=tap', test], 5000 + 3 * execution.silence),
          ));
        spent += duration;
        if (!passed) {
          for (const place of places) {
            const others = (this.#noticing.get(place) ?? []).filter((one) => one !== test);
            this.#noticing.set(place, [test, ...others]);
          }
          return test;
        }
      }
      if (spent > patience) {
        break;
      }
    }
    return undefined;
  }

  /**
   * Whether the compiler accepts a change.
   *
   * @throws Error when it accepts nothing at all
   */
  async compiles(file: string, change: Mutant): Promise<boolean> {
    const project = file.startsWith('src/studio/') ? join('src', 'studio') : 'tsconfig.json';
    if (!this.#compiling.has(project)) {
      if (!(await this.#compile(project))) {
        throw new Error(`The compiler refuses ${project} without any change.`);
      }
      this.#compiling.add(project);
    }
    return this.#changed(file, change, async () => this.#compile(project));
  }

  async #compile(project: string): Promise<boolean> {
    const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
    const state = join(this.#root, `${basename(project)}.tsbuildinfo`);
    const compilation = [compiler, '-p', project, '--incremental', '--tsBuildInfoFile', state];
    return (await this.#node(compilation, 300_000)).passed;
  }

  /** Runs a test when nothing is changed. */
  async #measure(test: string): Promise<Execution> {
    const reports = join(this.#root, 'reports');
    mkdirSync(reports);
    const run = await this.#node(['--test-reporter=tap', test], 300_000, { NODE_V8_COVERAGE: reports });
    const isAlone = readdirSync(reports).length === 1;
    const execution = { ...run, isAlone, parts: executedParts(reports, this.#project) };
    rmSync(reports, { recursive: true });
    return execution;
  }

  async #changed<T>(file: string, change: Mutant, run: () => Promise<T>): Promise<T> {
    const path = join(this.#project, file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, changed(source, change));
    try {
      return await run();
    } finally {
      writeFileSync(path, source);
    }
  }

  /** Starts a program of Node in this copy of the project, in a group of processes that ends as a whole. */
  #spawn(args: readonly string[], stdio: StdioOptions, env: NodeJS.ProcessEnv = {}): ChildProcess {
    const [command, ...given] = limited([process.execPath, ...args]);
    return spawn(command, given, {
      cwd: this.#project,
      stdio,
      detached: true,
      // A change may have a test use what a process finds by itself: that is not to be the developer's.
      env: {
        ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LIMNER_'))),
        ...homeVariables(this.#root),
        TMPDIR: join(this.#root, 'tmp'),
        NODE_COMPILE_CACHE: join(this.#root, 'compile-cache'),
        ...env,
      },
    });
  }

  /** Runs a program of Node until it ends, prints its first failed test, or prints nothing for so many milliseconds. */
  async #node(args: readonly string[], limit: number, env: NodeJS.ProcessEnv = {}): Promise<ProcessRun> {
    const started = performance.now();
    const child = this.#spawn(args, ['ignore', 'pipe', 'ignore'], env);
    let failed = false;
    const stop = undoAtExit(() => killGroup(child.pid));
    const fail = (): void => {
      failed = true;
      stop();
    };
    const timer = setTimeout(fail, limit);
    let silence = 0;
    let heard = started;
    const hear = (): void => {
      const now = performance.now();
      silence = Math.max(silence, now - heard);
      heard = now;
      timer.refresh();
    };
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      hear();
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      if (lines.some((line) => /^\s*not ok (?!.*# (?:TODO|SKIP))/u.test(line))) {
        fail();
      }
    });
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    child.once('error', reject);
    child.once('exit', resolve);
    const code = await promise;
    hear();
    clearTimeout(timer);
    stop();
    return { passed: code === 0 && !failed, duration: heard - started, silence };
  }
}

/** Returns a source with a change made. */
export function changed(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/** Returns a command line that runs another within these limits, where a shell can set them. */
function limited(commandLine: [string, ...string[]]): [string, ...string[]] {
  return process.platform === 'win32'
    ? commandLine
    : [
        '/bin/sh',
        '-c',
        `ulimit -d ${maxMemory} && ulimit -S -f ${maxFileSize} && exec "$0" "$@"`,
        ...commandLine,
      ];
}

/** Ends a process and, where there are groups of processes, all that it started. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    }
  } catch {
    // It has ended.
  }
}
