import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../../src/engine/run/engine.ts';
import type { Transport, TransportRequest } from '../../../src/service/http/transport.ts';
import { describeInput } from '../../../src/engine/files/taskInput.ts';
import type { Task, TaskRequest } from '../../../src/engine/task/task.ts';
import type { Transports } from '../../../src/engine/task/ports.ts';
import { isTerminal } from '../../../src/common/taskStatus.ts';
import { pngFile } from '../../support/images/pngFile.ts';
import { Random } from '../../support/random.ts';
import { fastClock, World } from '../../support/engine/world.ts';
import { endpoints, type Endpoint, type Fault, FaultyService, picture } from './faultyService.ts';
import { resolveNames } from './names.ts';
import { trusted } from './trusted.ts';

/** Time limits that run out soon, for requests that meet the fault. */
export type Impatience = Partial<TransportRequest['timeouts']>;

/**
 * What became of a task that met a fault, as a user sees it in the list:
 *
 *     <status> [<error code> <billing>] [×<requests>] [after <why it was put off>] [, then <what Save Again made of it>]
 *
 * `×` counts how often the faulty endpoint was asked, once unless it is there.
 */
export type Outcome = string;

/** The tasks of one fault, each at a service of its own, in one engine. */
export class Outcomes {
  readonly #world: World;
  readonly #transports: Transports;
  readonly #services = new Map<string, FaultyService>();
  readonly #elsewhere: FaultyService;
  readonly #restoreNames: () => void;
  #engines = 0;
  readonly #authorities = tls.getCACertificates();

  static async begin(transports: Transports): Promise<Outcomes> {
    const world = await World.create();
    Object.assign(world.settings, { maxConcurrentTasks: 100, requestTimeout: 60_000 });
    writeFileSync(join(world.workspace, 'input.png'), longInput());
    return new Outcomes(world, transports, await FaultyService.start(undefined, {}));
  }

  private constructor(world: World, transports: Transports, elsewhere: FaultyService) {
    this.#world = world;
    this.#transports = transports;
    this.#elsewhere = elsewhere;
    this.#restoreNames = resolveNames((host) => (this.#services.get(host) ?? elsewhere).resolve());
    tls.setDefaultCACertificates([trusted.cert]);
  }

  async end(): Promise<void> {
    this.#restoreNames();
    tls.setDefaultCACertificates(this.#authorities);
    await this.#world.dispose();
    await Promise.all([...this.#services.values()].map((service) => service.stop()));
    await this.#elsewhere.stop();
  }

  /**
   * Lets each of these endpoints meet its fault, all at once.
   *
   * @param pace how many times faster than a real one the engine's clock runs
   */
  async of(
    faults: readonly (readonly [Endpoint, Fault, Impatience | undefined])[],
    pace: number,
  ): Promise<Outcome[]> {
    const services = await Promise.all(
      faults.map(([endpoint, fault]) => FaultyService.start(endpoint, fault, this.#elsewhere.baseUrl)),
    );
    const { settings } = this.#world;
    settings.plainHttpOrigins = [...settings.plainHttpOrigins, ...services.map(({ baseUrl }) => baseUrl)];
    const timeoutsByHost = new Map<string, (url: URL) => Impatience | undefined>();
    for (const [index, [endpoint, , impatience]] of faults.entries()) {
      const service = services[index];
      assert.ok(service);
      const { host, hostname } = new URL(service.baseUrl);
      this.#services.set(hostname, service);
      timeoutsByHost.set(host, ({ pathname }) =>
        service.strikes(endpoint) && isOf(pathname, endpoint) ? impatience : undefined,
      );
    }
    const engine = await this.#world.open({
      home: join(this.#world.home, String(++this.#engines)),
      clock: fastClock(pace),
      transports: hurried(this.#transports, timeoutsByHost),
    });
    try {
      return await Promise.all(
        faults.map(async ([endpoint], index) => this.#outcome(engine, endpoint, services[index])),
      );
    } finally {
      await this.#world.close(engine);
    }
  }

  async #outcome(engine: Engine, endpoint: Endpoint, service?: FaultyService): Promise<Outcome> {
    assert.ok(service);
    const reasons = new Set<string>();
    let id: string | undefined;
    const subscription = engine.store.onDidChange(() => {
      const { retryAt, error, status } = (id !== undefined && engine.store.get(id)) || {};
      if (retryAt !== undefined && !isTerminal(status ?? 'waiting')) {
        reasons.add(error?.code ?? 'trouble');
      }
    });
    const task = await engine.runner.start(await this.#request(endpoint, service.baseUrl));
    id = task.id;
    const ended = await this.#settled(engine, id);
    const asked = service.asked.get(endpoint) ?? 0;
    const outcome = [
      ended.status,
      ...(ended.error ? [ended.error.code, ended.error.billing] : []),
      ...(asked === 1 ? [] : [`×${asked}`]),
      ...(reasons.size === 0 ? [] : ['after', ...reasons]),
    ].join(' ');
    const posts = endpoints.slice(0, 5).map((post) => service.asked.get(post) ?? 0);
    const isPost = endpoint !== 'query' && endpoint !== 'download';
    assert.equal(
      posts.reduce((sum, number) => sum + number),
      isPost ? asked : 1,
      `${endpoint}: posts`,
    );
    const rest = await this.#rest(engine, ended);
    subscription.dispose();
    this.#checkFiles(engine, id);
    assert.equal(this.#elsewhere.keys, 0, 'the key went elsewhere');
    return outcome + rest;
  }

  /** What a user can still make of it, without paying again. */
  async #rest(engine: Engine, { id, status, results }: Task): Promise<string> {
    if (status === 'needs_key') {
      await engine.runner.resume(id);
    } else if (status === 'failed' && results.some(({ url }) => url !== undefined)) {
      await engine.runner.saveAgain(id);
    } else {
      return '';
    }
    const { status: later } = await engine.runner.outcome(id);
    return `, then ${later}`;
  }

  /** Whatever is said to be saved is the picture, whole. */
  #checkFiles(engine: Engine, id: string): void {
    const task = engine.store.get(id);
    assert.ok(task, 'the task is lost');
    for (const { state, uri, stagedPath } of task.results) {
      if (state === 'saved') {
        assert.deepEqual(readFileSync(fileURLToPath(uri ?? '')), picture);
      }
      if (state === 'staged') {
        assert.ok(existsSync(stagedPath ?? ''));
      }
    }
    if (task.status === 'completed') {
      assert.ok(task.results.length > 0);
    }
  }

  async #settled(engine: Engine, id: string): Promise<Task> {
    return this.#world.when(engine, id, ({ status }) => isTerminal(status) || status === 'needs_key');
  }

  async #request(endpoint: Endpoint, baseUrl: string): Promise<TaskRequest> {
    const input = join(this.#world.workspace, 'input.png');
    const isNative = endpoint === 'native' || endpoint === 'nativeStream';
    return this.#world.request({
      baseUrl,
      kind: endpoint === 'edit' ? 'edit' : 'generate',
      family: isNative ? 'native' : 'image',
      callStyle: isNative || endpoint === 'sync' ? endpoint : 'async',
      ...(endpoint === 'edit' && { images: [await describeInput(input)], imageField: 'image' as const }),
    });
  }
}

/** A picture that cannot be compressed: in the middle of its upload is not before or after it. */
function longInput(): Buffer {
  const [width, height] = [400, 250];
  const random = new Random(1);
  const line = (): number[] => [0, ...Array.from({ length: 3 * width }, () => random.below(256))];
  const lines = Uint8Array.from(Array.from({ length: height }, line).flat());
  return pngFile({ width, height, bitDepth: 8, colourType: 2, lines });
}

function isOf(path: string, endpoint: Endpoint): boolean {
  if (endpoint === 'query') {
    return path.endsWith('/task_1');
  }
  if (endpoint === 'download') {
    return path.startsWith('/api/');
  }
  return !path.endsWith('/task_1') && !path.startsWith('/api/');
}

/** The same transports, with less patience where a fault is met. */
function hurried(
  transports: Transports,
  timeoutsByHost: ReadonlyMap<string, (url: URL) => Impatience | undefined>,
): Transports {
  const inHurry = (transport: Transport): Transport => ({
    request: async (request) =>
      transport.request({
        ...request,
        timeouts: { ...request.timeouts, ...timeoutsByHost.get(request.url.host)?.(request.url) },
      }),
  });
  const { posts, polls, downloads } = transports;
  return { posts: inHurry(posts), polls: inHurry(polls), downloads: inHurry(downloads) };
}
