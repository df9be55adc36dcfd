import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Readable, Writable } from 'node:stream';
import * as v from 'valibot';
import { type DemoService, startDemoService } from '../../../src/demo/endpoints/demoService.ts';
import type { DemoServiceOptions } from '../../../src/demo/endpoints/options.ts';
import { eventually } from '../eventually.ts';
import { pngFile } from '../images/pngFile.ts';
import { outFolder } from '../folders.ts';
import { memoryFolder } from '../memoryFolder.ts';
import { homeVariables } from '../homeVariables.ts';
import { bundledProgram } from './program.ts';

/** The key that tests use, and one of another account; the service knows both. */
export const apiKey = 'demo-key-ada';

/** How long a process may run, in milliseconds, before it is considered stuck. */
export const longest = 60_000;

/** The outcome of a process. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A running `limner` process. */
export class Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<Ended>;
  #stdout = '';
  #stderr = '';

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) =>
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr }),
      );
    });
  }

  /** Waits until the process has written a text to standard error. */
  async said(text: string): Promise<void> {
    await this.#until(`limner says "${text}"`, () => this.#stderr.includes(text));
  }

  /** The first line on standard output. */
  async firstLine(): Promise<string> {
    await this.#until('limner prints a line', () => this.#stdout.includes('\n'));
    return this.#stdout.slice(0, this.#stdout.indexOf('\n'));
  }

  /** @throws Error that says what the process has written, when it ends before this holds or that takes too long */
  async #until(what: string, holds: () => boolean): Promise<void> {
    let ended: Ended | undefined;
    void this.ended.then((end) => (ended = end));
    await eventually(
      what,
      async () => Promise.resolve(ended ?? { stdout: this.#stdout, stderr: this.#stderr }),
      () => holds() || ended !== undefined,
    );
    assert.ok(holds(), `It ended before ${what}: ${JSON.stringify(ended)}`);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

/** A demo service, a task list and a folder for one test: `await using` cleans all of it up. */
export class World {
  readonly demo: DemoService;
  /** `LIMNER_HOME`. */
  readonly home: string;
  /** Where the processes run, and save to. */
  readonly folder: string;
  readonly #root: string;
  readonly #program: string;
  readonly #children = new Set<Running>();

  private constructor(demo: DemoService, root: string, program: string) {
    this.demo = demo;
    this.#root = root;
    this.#program = program;
    this.home = join(root, 'home');
    this.folder = join(root, 'work');
  }

  /** Tasks of the service take no time unless `options` say otherwise; the program is one bundle of `limner`. */
  static async open(options: DemoServiceOptions = {}, program = bundledProgram()): Promise<World> {
    const root = await mkdtemp(join(memoryFolder, 'limner-cli-'));
    const demo = await startDemoService({ taskDuration: 0, syncDuration: 0, ...options });
    const world = new World(demo, root, program);
    await mkdir(world.folder);
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child } of this.#children) {
      child.kill('SIGKILL');
    }
    await Promise.all([...this.#children].map(({ ended }) => ended));
    await this.demo.dispose();
    await rm(this.#root, { recursive: true, force: true });
  }

  /** The environment variables of this world; without `LIMNER_HOME`, its task list is not the developer's either. */
  get variables(): Record<string, string> {
    return {
      LIMNER_BASE_URL: this.demo.baseUrl,
      LIMNER_API_KEY: apiKey,
      LIMNER_MODEL: 'demo-painter',
      LIMNER_HOME: this.home,
      // Tests read English, whatever their developer speaks.
      LC_ALL: 'C',
      ...homeVariables(this.#root),
      XDG_CACHE_HOME: outFolder,
      LOCALAPPDATA: outFolder,
      NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '',
    };
  }

  /** Starts `limner` with these arguments; `undefined` in `env` takes a variable away. */
  start(args: readonly string[], env: Record<string, string | undefined> = {}): Running {
    const child = spawn(process.execPath, [this.#program, ...args], {
      cwd: this.folder,
      stdio: 'pipe',
      timeout: longest,
      env: {
        PATH: process.env['PATH'],
        TZ: process.env['TZ'],
        ...this.variables,
        ...env,
      },
    });
    const running = new Running(child);
    this.#children.add(running);
    return running;
  }

  /** Returns how an MCP client starts the server, which asks about calls for many images, unless `env` says otherwise. */
  mcp(env: Record<string, string>): {
    command: string;
    args: string[];
    cwd: string;
    env: Record<string, string>;
  } {
    const path = process.env['PATH'] ?? '';
    return {
      command: process.execPath,
      args: [this.#program, 'mcp'],
      cwd: this.folder,
      env: { PATH: path, ...this.variables, LIMNER_AGENTS_CONFIRM: 'above', ...env },
    };
  }

  /** Runs `limner` to its end, with nothing on its standard input. */
  async run(args: readonly string[], env: Record<string, string | undefined> = {}): Promise<Ended> {
    const running = this.start(args, env);
    running.child.stdin.end();
    return running.ended;
  }

  /** The POSTs that the service got: one line each, with what `Prefer` said. */
  async posts(): Promise<string[]> {
    const { requests } = v.parse(requestLog, await this.ask('requests'));
    return requests
      .filter(({ method }) => method === 'POST')
      .map(({ path, prefer }) => (prefer === undefined ? path : `${path} ${prefer}`));
  }

  /** Waits until the service got so many POSTs. */
  async got(posts: number): Promise<void> {
    await eventually(
      `the service gets ${posts} POSTs`,
      async () => this.posts(),
      (got) => got.length >= posts,
    );
  }

  /** Returns the outcome of every submission that was billed, in order. */
  async ledger(): Promise<string[]> {
    const { entries } = v.parse(ledger, await this.ask('ledger'));
    return entries.map(({ state }) => state);
  }

  /** The tasks of the list as `limner tasks --json` prints them. */
  async tasks(): Promise<TaskLine[]> {
    return jsonLines((await this.run(['tasks', '--json'])).stdout);
  }

  /** Changes the list behind the back of `limner`. */
  edit(sql: string, value: unknown): void {
    const list = new DatabaseSync(join(this.home, 'limner.db'));
    list.prepare(sql).run(typeof value === 'number' ? value : JSON.stringify(value));
    list.close();
  }

  /** A file in the folder. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** Puts a file into the folder. */
  async write(name: string, content: string): Promise<void> {
    await writeFile(this.path(name), content);
  }

  /** Puts a PNG into the folder, transparent in its left half. */
  async picture(name: string, width = 64, height = 64): Promise<string> {
    const row = [
      0,
      ...Array.from({ length: width }, (_, x) => [90, 140, 200, x < width / 2 ? 0 : 255]).flat(),
    ];
    const lines = Array.from({ length: height }, () => row).flat();
    await writeFile(this.path(name), pngFile({ width, height, bitDepth: 8, colourType: 6, lines }));
    return name;
  }

  /** The names of the files in the folder. */
  async files(): Promise<string[]> {
    return (await readdir(this.folder)).toSorted();
  }

  /** Returns everything in the home folder, as one text. */
  async stored(): Promise<string> {
    const entries = await readdir(this.home, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
    );
    return Buffer.concat(contents).toString('latin1');
  }

  /** Queries the state of the service. */
  async ask(what: string): Promise<unknown> {
    return (await fetch(`${this.demo.baseUrl}/demo/${what}`)).json();
  }
}

const requestLog = v.object({
  requests: v.array(v.object({ method: v.string(), path: v.string(), prefer: v.optional(v.string()) })),
});
const ledger = v.object({ entries: v.array(v.object({ state: v.string() })) });

const failure = v.object({ code: v.string(), message: v.string(), billing: v.optional(v.string()) });
const taskLine = v.object({
  taskId: v.string(),
  status: v.string(),
  files: v.array(v.string()),
  results: v.array(
    v.object({
      index: v.number(),
      saved: v.boolean(),
      mediaType: v.optional(v.string()),
      width: v.optional(v.number()),
    }),
  ),
  error: v.optional(failure),
});

/** A task as `--json` prints it, as far as tests read it. */
export type TaskLine = v.InferOutput<typeof taskLine>;

/** The tasks that a command printed with `--json`. */
export function jsonLines(stdout: string): TaskLine[] {
  return linesOf(stdout).map((line) => v.parse(taskLine, JSON.parse(line)));
}

/** The one error that a command printed with `--json`, for which there is no task. */
export function jsonError(stdout: string): v.InferOutput<typeof failure> {
  return v.parse(v.object({ error: failure }), JSON.parse(stdout)).error;
}

/** The lines of an output, which ends with a line break unless it is empty. */
export function linesOf(output: string): string[] {
  return output.split('\n').slice(0, -1);
}

/** Whether the file is a PNG. */
export async function isPng(path: string): Promise<boolean> {
  return (await readFile(path)).subarray(1, 4).toString('latin1') === 'PNG';
}
