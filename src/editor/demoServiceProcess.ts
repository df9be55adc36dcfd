import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import type * as vscode from 'vscode';

/** What the demo service says of itself when it starts. */
export interface RunningDemoService {
  baseUrl: string;
  resultHost: string;
  apiKeys: string[];
  models: { id: string; family: 'image' | 'native' }[];
}

const stateKey = 'demoService';

/**
 * The built-in demo service as a process of its own, shared by all windows: it outlives a reload, so that tasks
 * go on, and ends by itself when nobody has called it for a while.
 */
export class DemoServiceProcess {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  #starting: Promise<RunningDemoService> | undefined;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
  }

  /** Starts the service, at the address of last time if that is free, or finds it running. */
  async start(): Promise<RunningDemoService> {
    this.#starting ??= this.#findOrFork().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Starts the service again if `baseUrl` is its address and nothing answers there any more. */
  async keepRunning(baseUrl: string): Promise<void> {
    if (this.#last?.baseUrl === baseUrl) {
      await this.start();
    }
  }

  get #last(): RunningDemoService | undefined {
    return this.#context.globalState.get<RunningDemoService>(stateKey);
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
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child.stderr?.on('data', (data: Buffer) => this.#log.warn(`demo service: ${data.toString().trim()}`));
    return new Promise<RunningDemoService>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`The demo service ended with code ${code ?? 'none'}.`)));
      if (!child.stdout) {
        throw new Error('The demo service has no output to read.');
      }
      createInterface(child.stdout).once('line', (line) => {
        child.disconnect();
        child.unref();
        resolve(JSON.parse(line) as RunningDemoService);
      });
    });
  }
}
