import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ModelEntry } from '../../service/modelOptions.ts';

const description = v.object({
  baseUrl: v.string(),
  resultHost: v.string(),
  apiKeys: v.array(v.string()),
  models: v.array(v.object({ id: v.string(), family: v.picklist(['image', 'native']) })),
});

/** The number of images that its models make in one run at most, which it does not print. */
const maxCount = 4;

/** The description that the demo service prints when it starts. */
export type RunningDemoService = v.InferOutput<typeof description>;

const stateKey = 'demoService';
/** How long a running service may take to answer: a connection to one that has ended is refused at once. In milliseconds. */
const probeTimeout = 10_000;
/** How long the service runs without a request, in milliseconds. */
const idleTime = 3_600_000;

/** The part of an extension's context that it needs. */
interface Context extends Pick<vscode.ExtensionContext, 'asAbsolutePath'> {
  globalState: { get(key: string): unknown; update(key: string, value: unknown): Thenable<void> };
}

/**
 * The built-in demo service as a process of its own, shared by all windows: it outlives a reload, so that tasks
 * continue, and ends by itself when it is idle.
 */
export class DemoServiceProcess {
  readonly #context: Context;
  readonly #log: vscode.LogOutputChannel;
  #starting: Promise<RunningDemoService> | undefined;

  constructor(context: Context, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
  }

  /** Finds the service running or starts it, at its last address if that is free. */
  async start(): Promise<RunningDemoService> {
    this.#starting ??= this.#findOrFork().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Returns the models of the demo service if `baseUrl` is its address, else undefined. */
  modelsAt(baseUrl: string): ModelEntry[] | undefined {
    return this.isAt(baseUrl) ? this.models : undefined;
  }

  /** The models of the demo service, if it ever ran. */
  get models(): ModelEntry[] {
    return (this.#last?.models ?? []).map(({ id, family }) => ({ id, family, maxCount }));
  }

  /** Whether an address is that of the demo service. */
  isAt(baseUrl: string): boolean {
    return this.#last?.baseUrl === baseUrl;
  }

  get #last(): RunningDemoService | undefined {
    const stored = v.safeParse(description, this.#context.globalState.get(stateKey));
    return stored.success ? stored.output : undefined;
  }

  async #findOrFork(): Promise<RunningDemoService> {
    const last = this.#last;
    if (last && (await answers(last.baseUrl))) {
      return last;
    }
    const running = await this.#fork(last);
    await this.#context.globalState.update(stateKey, running);
    return running;
  }

  async #fork(last: RunningDemoService | undefined): Promise<RunningDemoService> {
    const child = fork(this.#context.asAbsolutePath('dist/demo.js'), demoArguments(last), {
      detached: true,
      windowsHide: true,
      // In the desktop build the program is Electron, which is Node only when told to be. The key of the command line
      // is not passed on.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', LIMNER_API_KEY: undefined },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child.stderr?.on('data', (data: Buffer) => this.#log.warn(`demo service: ${data.toString().trim()}`));
    return new Promise<RunningDemoService>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) =>
        reject(new Error(vscode.l10n.t("Couldn't start the demo service (exit code {0}).", code ?? '?'))),
      );
      if (!child.stdout) {
        throw new TypeError('The demo service has no output to read.');
      }
      createInterface(child.stdout).once('line', (line) => {
        child.disconnect();
        child.unref();
        resolve(v.parse(description, JSON.parse(line)));
      });
    });
  }
}

/** Asks for the last address, so that tasks from before a restart find their service again. */
function demoArguments(last: RunningDemoService | undefined): string[] {
  const ports = last
    ? ['--port', new URL(last.baseUrl).port, '--result-port', new URL(last.resultHost).port, '--or-free-port']
    : [];
  return [...ports, '--idle-exit', String(idleTime)];
}

/** Whether the demo service answers at this address; another program on its port does not count. */
async function answers(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('/demo/clock', baseUrl), {
      signal: AbortSignal.timeout(probeTimeout),
    });
    const clock: unknown = await response.json();
    return response.ok && typeof clock === 'object' && clock !== null && 'now' in clock;
  } catch {
    return false;
  }
}
