import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { fileUri } from '../../../src/common/fileUris.ts';
import { resumeTasks, resumableTasks } from '../../../src/cli/commands/resumeTasks.ts';
import { openEngine, type Engine } from '../../../src/engine/run/engine.ts';
import { FetchTransport } from '../../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../../src/service/http/httpsTransport.ts';
import type { Transport } from '../../../src/service/http/transport.ts';
import { defaultSettings } from '../../../src/engine/task/ports.ts';
import type { Task, TaskInput, TaskRequest } from '../../../src/engine/task/task.ts';
import { describeInput } from '../../../src/engine/files/taskInput.ts';
import { pngFile } from '../../support/images/pngFile.ts';
import { memoryFolder } from '../../support/memoryFolder.ts';
import { ManualClock, settle } from '../../support/manualClock.ts';
import { WindowProcess } from '../../support/engine/windowProcesses.ts';
import { withoutLocks } from '../../support/engine/withoutLocks.ts';

const program = fileURLToPath(new URL('../../../src/demo/endpoints/main.ts', import.meta.url));

const ServiceLine = v.object({ baseUrl: v.string(), apiKeys: v.array(v.string()) });
const Weather = v.object({
  met: v.array(v.object({ target: v.string(), met: v.looseObject({ kind: v.string() }) })),
});
const Ledger = v.object({
  entries: v.array(
    v.object({
      id: v.string(),
      state: v.picklist(['reserved', 'settled', 'refunded']),
      billed: v.number(),
      promptSha256: v.string(),
      imageSha256: v.array(v.string()),
    }),
  ),
});

/** The currency of the demo service. */
export const credits = 'credits';

/** A request that met something on its way. */
export type Met = v.InferOutput<typeof Weather>['met'][number];

/** A submission that the service took. */
export type Entry = v.InferOutput<typeof Ledger>['entries'][number];

/** Counts the requests of an engine that are under way, bodies included. */
class Traffic {
  #open = 0;
  #quiet = Promise.withResolvers<void>();

  counted(transport: Transport): Transport {
    return {
      request: async (request) => {
        this.#open += 1;
        try {
          const response = await transport.request(request);
          response.body.once('close', () => this.#closed());
          return response;
        } catch (error) {
          this.#closed();
          throw error;
        }
      },
    };
  }

  /** Resolves once nothing is under way, and what the last answer set off has been set off. */
  async quiet(): Promise<void> {
    await settle();
    while (this.#open > 0) {
      await this.#quiet.promise;
      await settle();
    }
  }

  #closed(): void {
    this.#open -= 1;
    if (this.#open === 0) {
      this.#quiet.resolve();
      this.#quiet = Promise.withResolvers();
    }
  }
}

/**
 * One window in this process, others and the demo service in processes of their own, on clocks that move together and
 * only when they are moved: a week passes in as long as its work takes.
 */
export class SimulatedWeek {
  readonly folder: string;
  readonly #clock = new ManualClock();
  readonly #traffic = new Traffic();
  readonly #service: ReturnType<typeof spawn>;
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #limits: { historyLimit: number; historyAge: number };
  readonly #others = new Set<WindowProcess>();
  #engine: Engine | undefined;

  static async begin(limits: { historyLimit: number; historyAge: number }): Promise<SimulatedWeek> {
    const folder = await mkdtemp(join(memoryFolder, 'limner-soak-'));
    await mkdir(join(folder, 'workspace'));
    const parameters = [
      '--clock',
      'frozen',
      '--task-duration',
      '2000',
      '--sync-duration',
      '0',
      '--workers',
      '64',
    ];
    const service = spawn(process.execPath, [program, ...parameters], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(service.stdout), 'line')) as unknown[];
    const { baseUrl, apiKeys } = v.parse(ServiceLine, JSON.parse(String(line)));
    const week = new SimulatedWeek(folder, service, baseUrl, apiKeys[0] ?? '', limits);
    await week.restart();
    return week;
  }

  private constructor(
    folder: string,
    service: ReturnType<typeof spawn>,
    baseUrl: string,
    apiKey: string,
    limits: { historyLimit: number; historyAge: number },
  ) {
    this.folder = folder;
    this.#service = service;
    this.#baseUrl = baseUrl;
    this.#apiKey = apiKey;
    this.#limits = limits;
  }

  get engine(): Engine {
    assert.ok(this.#engine);
    return this.#engine;
  }

  get database(): string {
    return join(this.folder, 'home', 'limner.db');
  }

  get images(): string {
    return join(this.folder, 'workspace', 'images');
  }

  get incoming(): string {
    return join(this.folder, 'home', 'incoming');
  }

  /** Closes the engine for good. */
  async close(): Promise<void> {
    await this.#withoutLocks(Promise.resolve(this.#engine?.dispose()));
    this.#engine = undefined;
  }

  /** Closes the engine, whatever runs, and opens it again. */
  async restart(): Promise<void> {
    await this.close();
    const posts = this.#traffic.counted(new HttpsTransport());
    const opening = openEngine({
      home: join(this.folder, 'home'),
      transports: { posts, polls: this.#traffic.counted(new FetchTransport()), downloads: posts },
      keys: { get: async () => Promise.resolve(this.#apiKey), onDidChange: () => ({ dispose() {} }) },
      settings: () => ({ ...defaultSettings, requestTimeout: 60_000, ...this.#limits }),
      log: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
      clock: this.#clock,
    });
    const engine = await this.#withoutLocks(opening);
    await this.#withoutLocks(engine.runner.resumeUnfinished());
    this.#engine = engine;
  }

  /** Starts a task in the window of this process. */
  async start(request: TaskRequest): Promise<void> {
    await this.#withoutLocks(this.engine.runner.start(request));
  }

  request(prompt: string, changes: Partial<TaskRequest>): TaskRequest {
    const root = fileUri(join(this.folder, 'workspace'));
    return {
      kind: 'generate',
      prompt,
      model: 'demo-painter',
      family: 'image',
      callStyle: 'async',
      size: '64x64',
      n: 1,
      baseUrl: this.#baseUrl,
      target: { folder: `${root}/images`, root, fileName: '{prompt}' },
      ...changes,
      price: { amount: changes.family === 'native' ? 20 : 40, currency: credits },
    };
  }

  /** A picture that edits can be made of. */
  async picture(): Promise<TaskInput> {
    const path = join(this.folder, 'workspace', 'original.png');
    const lines = Array.from({ length: 64 }, () => [
      0,
      ...Array.from({ length: 64 }, () => [9, 99, 199]).flat(),
    ]);
    await writeFile(
      path,
      pngFile({ width: 64, height: 64, bitDepth: 8, colourType: 2, lines: lines.flat() }),
    );
    return describeInput(path);
  }

  /** All that the list holds. */
  tasks(): Task[] {
    return this.engine.store.list({ limit: Number.MAX_SAFE_INTEGER });
  }

  /** Opens another window. */
  async openWindow(): Promise<WindowProcess> {
    const window = await WindowProcess.start(join(this.folder, 'home'), this.#apiKey, this.#clock.now());
    this.#others.add(window);
    return window;
  }

  /** Kills another window, wherever it stands. */
  async kill(window: WindowProcess): Promise<void> {
    this.#others.delete(window);
    await window.kill();
  }

  /** Lets time pass for the service and in every window; what it sets off is answered once this resolves. */
  async pass(milliseconds: number): Promise<void> {
    await this.#control('POST', 'clock', { advance: milliseconds });
    const others = [...this.#others].map(async (window) =>
      // One that is killed meanwhile has no answer.
      window.order({ type: 'pass', milliseconds }).catch(() => undefined),
    );
    await this.#clock.pass(milliseconds);
    await this.#traffic.quiet();
    await Promise.all(others);
  }

  /** The machine sleeps: the time goes on and no timer with it. */
  async sleep(milliseconds: number): Promise<void> {
    await this.#control('POST', 'clock', { advance: milliseconds });
    this.#clock.jump(milliseconds);
    await Promise.all([...this.#others].map(async (window) => window.order({ type: 'sleep', milliseconds })));
  }

  /** Takes up everything that can still be taken up, as `limner tasks --resume --send` does. */
  async resumeTasks(): Promise<void> {
    const tasks = resumableTasks(this.engine, this.#clock.now());
    await this.#withoutLocks(resumeTasks(this.engine, tasks, { send: true, isNamed: false }));
    await this.#traffic.quiet();
  }

  /** Lets the weather change. @returns what requests met until now */
  async weather(options: Readonly<Record<string, unknown>> | undefined): Promise<Met[]> {
    const { met } = v.parse(Weather, await this.#control('GET', 'weather'));
    await this.#control('DELETE', 'requests');
    await (options ? this.#control('POST', 'weather', options) : this.#control('DELETE', 'weather'));
    return met;
  }

  /** Every submission that the service took, in order. */
  async ledger(): Promise<Entry[]> {
    return v.parse(Ledger, await this.#control('GET', 'ledger')).entries;
  }

  /** Size of the database with its log, in bytes. */
  async databaseSize(): Promise<number> {
    const sizes = [this.database, `${this.database}-wal`].map(async (file) => stat(file));
    return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
  }

  async end(): Promise<void> {
    await this.close();
    await Promise.all([...this.#others].map(async (window) => this.kill(window)));
    this.#service.kill();
    await once(this.#service, 'close');
    await rm(this.folder, { recursive: true });
  }

  /** Waits for work, whatever another window holds meanwhile. */
  async #withoutLocks<T>(work: Promise<T>): Promise<T> {
    return withoutLocks(this.#clock, work);
  }

  async #control(method: 'GET' | 'POST' | 'DELETE', control: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.#baseUrl}/demo/${control}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    return response.json();
  }
}
