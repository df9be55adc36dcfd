import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileUri } from '../../../src/common/fileUris.ts';
import { FetchTransport } from '../../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../../src/service/http/httpsTransport.ts';
import type { KeyRing } from '../../../src/engine/task/keyRing.ts';
import { defaultSettings, type EngineOptions, type EngineSettings } from '../../../src/engine/task/ports.ts';
import { openEngine, type Engine } from '../../../src/engine/run/engine.ts';
import type { Clock, Disposable } from '../../../src/common/clock.ts';
import type { Log } from '../../../src/common/log.ts';
import type { TaskStatus } from '../../../src/common/taskStatus.ts';
import type { Task, TaskRequest } from '../../../src/engine/task/task.ts';
import { within } from '../eventually.ts';
import { memoryFolder } from '../memoryFolder.ts';
import { LoopbackService } from '../service/loopbackService.ts';
import { aRequest } from './taskBuilders.ts';

export const apiKey = 'sk-test-0123456789';

/** Keys that a test can change. */
export class TestKeys implements KeyRing {
  readonly #listeners = new Set<(origin: string) => void>();
  key: string | undefined = apiKey;

  get(): Promise<string | undefined> {
    return Promise.resolve(this.key);
  }

  set(key: string | undefined, origin: string): void {
    this.key = key;
    for (const listener of this.#listeners) {
      listener(origin);
    }
  }

  onDidChange(listener: (origin: string) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }
}

/** A log that keeps its lines. */
export class TestLog implements Log {
  readonly lines: string[] = [];
  readonly #waiting = new Set<() => void>();
  trace = (message: string): void => this.#add(`trace ${message}`);
  debug = (message: string): void => this.#add(`debug ${message}`);
  info = (message: string): void => this.#add(`info ${message}`);
  warn = (message: string): void => this.#add(`warn ${message}`);
  error = (message: string): void => this.#add(`error ${message}`);

  /** Resolves once there is such a line. */
  async has(pattern: RegExp): Promise<void> {
    while (!this.lines.some((line) => pattern.test(line))) {
      const more = new Promise<void>((resolve) => this.#waiting.add(resolve));
      await within(`a line like ${pattern}`, more, () => this.lines);
    }
  }

  #add(line: string): void {
    this.lines.push(line);
    for (const resolve of this.#waiting) {
      resolve();
    }
    this.#waiting.clear();
  }
}

/** How often the time is read, and how much of it may pass between two reads, in milliseconds. */
const lookInterval = 5;
const maxStep = 50;
let lastLook = Date.now();
let awake = lastLook;

/** The machine's time without that in which this process was not let run: nothing could be done in it. */
function awakeTime(): number {
  const now = Date.now();
  awake += Math.min(now - lastLook, maxStep);
  lastLook = now;
  return awake;
}
setInterval(awakeTime, lookInterval).unref();

/** That time, so many times faster: what takes seconds in the product takes milliseconds here. */
export function fastClock(factor = 100): Clock {
  const start = awakeTime();
  const now = (): number => start + (awakeTime() - start) * factor;
  return {
    now,
    setTimeout(callback, milliseconds) {
      const due = now() + milliseconds;
      let timer: NodeJS.Timeout;
      const wait = (left: number): void => {
        timer = setTimeout(() => (now() < due ? wait(due - now()) : callback()), left / factor);
      };
      wait(milliseconds);
      return { dispose: () => clearTimeout(timer) };
    },
  };
}

/** A home folder, a workspace, a service and as many engines as a test opens; all gone afterwards. */
export class World {
  readonly home: string;
  readonly workspace: string;
  readonly service: LoopbackService;
  readonly keys = new TestKeys();
  readonly log = new TestLog();
  readonly settings: EngineSettings = { ...defaultSettings, requestTimeout: 10_000 };
  readonly #folder: string;
  readonly #engines = new Set<Engine>();

  static async create(): Promise<World> {
    const folder = await mkdtemp(join(memoryFolder, 'limner-tasks-'));
    const world = new World(folder, await LoopbackService.start());
    await mkdir(world.workspace);
    return world;
  }

  private constructor(folder: string, service: LoopbackService) {
    this.#folder = folder;
    this.home = join(folder, 'home');
    this.workspace = join(folder, 'workspace');
    this.service = service;
  }

  async open(options: Partial<EngineOptions> = {}): Promise<Engine> {
    const engine = await openEngine({
      home: this.home,
      transports: {
        posts: new HttpsTransport(),
        polls: new FetchTransport(),
        downloads: new HttpsTransport(),
      },
      keys: this.keys,
      settings: () => this.settings,
      log: this.log,
      clock: fastClock(),
      ...options,
    });
    this.#engines.add(engine);
    return engine;
  }

  async close(engine: Engine): Promise<void> {
    this.#engines.delete(engine);
    await engine.dispose();
  }

  request(changes: Partial<TaskRequest> = {}): TaskRequest {
    const root = fileUri(this.workspace);
    return aRequest({
      baseUrl: this.service.baseUrl,
      target: { folder: `${root}/images`, root, fileName: '{prompt}' },
      ...changes,
    });
  }

  /** Resolves with the task once it is in this state. */
  async until(engine: Engine, id: string, status: TaskStatus): Promise<Task> {
    return this.when(engine, id, (task) => task.status === status);
  }

  /** Resolves with the task once this holds of it. */
  async when(engine: Engine, id: string, holds: (task: Task) => boolean): Promise<Task> {
    const { promise, resolve } = Promise.withResolvers<Task>();
    const check = (): void => {
      const task = engine.store.get(id);
      if (task && holds(task)) {
        resolve(task);
      }
    };
    const subscription = engine.store.onDidChange(check);
    check();
    try {
      return await within('what is waited for of the task', promise, () => engine.store.get(id));
    } finally {
      subscription.dispose();
    }
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#engines].map((engine) => engine.dispose()));
    await this.service.stop();
    await rm(this.#folder, { recursive: true });
  }
}
