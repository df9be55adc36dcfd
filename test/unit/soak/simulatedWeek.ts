import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { openEngine, type Engine } from '../../../src/engine.ts';
import { FetchTransport } from '../../../src/service/fetchTransport.ts';
import { HttpsTransport } from '../../../src/service/httpsTransport.ts';
import type { Transport } from '../../../src/service/transport.ts';
import { defaultSettings } from '../../../src/tasks/defaultSettings.ts';
import type { Task, TaskRequest } from '../../../src/tasks/task.ts';
import { isTerminal } from '../../../src/tasks/taskMachine.ts';
import { memoryFolder } from '../memoryFolder.ts';
import { ManualClock, settle } from '../tasks/manualClock.ts';

const program = fileURLToPath(new URL('../../../src/demo/main.ts', import.meta.url));

/** Milliseconds that both clocks move at once while tasks run. */
const step = 2000;

const ServiceLine = v.object({ baseUrl: v.string(), apiKeys: v.array(v.string()) });
const Faults = v.object({
  faults: v.array(v.looseObject({ kind: v.string(), on: v.string(), when: v.optional(v.string()) })),
});
const Ledger = v.object({
  entries: v.array(
    v.object({ id: v.string(), state: v.picklist(['reserved', 'settled', 'refunded']), billed: v.number() }),
  ),
});

/** A request that has been told to go wrong, as `POST /demo/faults` takes it. */
export type Fault = Readonly<Record<string, unknown>> & {
  kind: string;
  on: string;
  when?: string | undefined;
};

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
 * The engine and the demo service, the latter as a process of its own, on clocks that move together and only when
 * they are moved: a week passes in as long as its work takes.
 */
export class SimulatedWeek {
  readonly folder: string;
  readonly #clock = new ManualClock();
  readonly #traffic = new Traffic();
  readonly #service: ReturnType<typeof spawn>;
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #limits: { historyLimit: number; historyAge: number };
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
    await this.#engine?.dispose();
    this.#engine = undefined;
  }

  /** Closes the engine, whatever runs, and opens it anew. */
  async restart(): Promise<void> {
    await this.#engine?.dispose();
    const posts = this.#traffic.counted(new HttpsTransport());
    this.#engine = await openEngine({
      home: join(this.folder, 'home'),
      transports: { posts, polls: this.#traffic.counted(new FetchTransport()), downloads: posts },
      keys: { get: async () => Promise.resolve(this.#apiKey), onDidChange: () => ({ dispose() {} }) },
      settings: () => ({ ...defaultSettings, requestTimeout: 60_000, ...this.#limits }),
      log: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
      clock: this.#clock,
    });
    await this.#engine.runner.resumeUnfinished();
  }

  request(prompt: string, changes: Partial<TaskRequest>): TaskRequest {
    const root = pathToFileURL(join(this.folder, 'workspace')).href;
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
    };
  }

  /**
   * Lets time pass, step by step, until these tasks have ended; what a step sets off is answered before the next.
   *
   * @param restarts the engine is closed and opened on the way
   */
  async untilEnded(ids: readonly string[], { restarts }: { restarts: boolean }): Promise<Task[]> {
    const ended = new Map<string, Task>();
    for (let round = 0; ; round++) {
      await this.#traffic.quiet();
      for (const id of ids) {
        const task = this.engine.store.get(id);
        if (task && isTerminal(task.status)) {
          ended.set(id, task);
        }
      }
      if (ended.size === ids.length) {
        return [...ended.values()];
      }
      if (restarts && round === 1) {
        await this.restart();
        await this.#sendHeld(ids);
      }
      await this.#control('clock', { advance: step });
      await this.#clock.pass(step);
    }
  }

  /** What was not sent before a restart is sent only once the person says so. */
  async #sendHeld(ids: readonly string[]): Promise<void> {
    const { store, runner } = this.engine;
    await Promise.all(ids.filter((id) => store.get(id)?.held).map(async (id) => runner.sendNow(id)));
  }

  /** The machine sleeps: the time goes on and no timer with it. */
  async sleep(milliseconds: number): Promise<void> {
    await this.#control('clock', { advance: milliseconds });
    this.#clock.jump(milliseconds);
  }

  async switchOn(faults: readonly Fault[]): Promise<void> {
    await this.#control('faults', faults);
  }

  /** Ends all faults. @returns those that met nothing */
  async switchOff(): Promise<readonly Fault[]> {
    const { faults } = v.parse(Faults, await this.#control('faults'));
    await fetch(`${this.#baseUrl}/demo/faults`, { method: 'DELETE' });
    return faults;
  }

  async ledger(): Promise<v.InferOutput<typeof Ledger>['entries']> {
    return v.parse(Ledger, await this.#control('ledger')).entries;
  }

  /** Size of the database with its log, in bytes. */
  async databaseSize(): Promise<number> {
    const sizes = [this.database, `${this.database}-wal`].map(async (file) => stat(file));
    return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
  }

  async end(): Promise<void> {
    await this.close();
    this.#service.kill();
    await once(this.#service, 'close');
    await rm(this.folder, { recursive: true });
  }

  async #control(control: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.#baseUrl}/demo/${control}`, {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    return response.json();
  }
}
