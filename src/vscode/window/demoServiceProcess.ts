import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';

const description = v.object({
  baseUrl: v.string(),
  resultHost: v.string(),
  apiKeys: v.array(v.string()),
  models: v.array(v.object({ id: v.string(), family: v.picklist(['image', 'native']) })),
});

/** Maximum number of images in one run of its models, which the service doesn't print. */
const maxCount = 4;

export type RunningDemoService = v.InferOutput<typeof description>;

const stateKey = 'demoService';
/** Time limit for an answer of a running service, in milliseconds. A connection to an ended one is refused at once. */
const probeTimeout = 10_000;
/** Time after which the service ends without a request, in milliseconds. */
const idleTime = 3_600_000;

interface Context extends Pick<vscode.ExtensionContext, 'asAbsolutePath'> {
  globalState: { get(key: string): unknown; update(key: string, value: unknown): Thenable<void> };
}

/**
 * The built-in demo service, as a process that all windows share. It outlives a reload, so that tasks continue, and
 * ends when it is idle.
 */
export class DemoServiceProcess {
  readonly #context: Context;
  readonly #log: vscode.LogOutputChannel;
  #starting: Promise<RunningDemoService> | undefined;

  constructor(context: Context, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
  }

  /** Finds the running service or starts it, at its last address if possible. */
  async start(): Promise<RunningDemoService> {
    this.#starting ??= this.#findOrFork().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  modelsAt(baseUrl: string): ModelEntry[] | undefined {
    return this.isAt(baseUrl) ? this.models : undefined;
  }

  get models(): ModelEntry[] {
    return (this.#last?.models ?? []).map(({ id, family }) => ({ id, family, maxCount }));
  }

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
      // In the desktop build the program is Electron, which runs as Node only if told to. The command line's key isn't
      // passed on.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', LIMNER_API_KEY: undefined },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child.stderr?.on('data', (data: Buffer) => this.#log.warn(`demo service: ${data.toString().trim()}`));
    return new Promise<RunningDemoService>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) =>
        reject(new Error(l10n.t("Couldn't start the demo service (exit code {0}).", code ?? '?'))),
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

/** Tries the last address first, so that older tasks find their service after a restart. */
function demoArguments(last: RunningDemoService | undefined): string[] {
  const ports = last
    ? ['--port', new URL(last.baseUrl).port, '--result-port', new URL(last.resultHost).port, '--or-free-port']
    : [];
  return [...ports, '--idle-exit', String(idleTime)];
}

/** Whether the demo service answers at this address. Another program on its port doesn't count. */
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
