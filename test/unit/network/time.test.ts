import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test';
import type { Engine } from '../../../src/engine/run/engine.ts';
import { HttpsTransport } from '../../../src/service/http/httpsTransport.ts';
import { ImageService } from '../../../src/service/wire/imageService.ts';
import type { Task } from '../../../src/engine/task/task.ts';
import { edit, generation } from '../../support/service/requestBuilders.ts';
import { listen } from '../../support/service/loopback.ts';
import { MemorySinks } from '../../support/service/sinks.ts';
import { image, json, picture, type Reply } from '../../support/service/loopbackService.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { World } from '../../support/engine/world.ts';
import { resolveNames } from './names.ts';
import { SteadyTransports } from './steadyTransports.ts';

const submission = 'POST /v1/images/generations';
const query = 'GET /v1/images/generations/task_1';
const result = 'GET /api/async-images/0.png';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

let world: World;
let clock: ManualClock;
let transports: SteadyTransports;
let engine: Engine;

beforeEach(async () => {
  world = await World.create();
  clock = new ManualClock();
  transports = new SteadyTransports();
  engine = await world.open({ clock, transports });
  world.service.delivers(picture());
});
afterEach(() => world.dispose());

const accepted = json(202, { id: 'task_1', status: 'queued' });

function refusal(status: number, retryAfter: string): Reply {
  return json(status, { error: { message: 'Later.' } }, { 'retry-after': retryAfter });
}

/** Lets time pass until this holds of the task, and gives it as it is then. */
async function until(id: string, holds: (task: Task) => boolean): Promise<Task> {
  return transports.until(clock, world.when(engine, id, holds));
}

const hasEnded = ({ status }: Task): boolean =>
  ['completed', 'failed', 'unknown', 'expired'].includes(status);

/** What a service asks to wait; how long that is, in milliseconds. */
const waits: readonly { says: () => string; asks: number }[] = [
  { says: () => '7', asks: 7 * second },
  { says: () => new Date(Date.now() + 100 * second).toUTCString(), asks: 100 * second },
  { says: () => 'Thu, 01 Jan 1970 00:00:00 GMT', asks: 0 },
  { says: () => 'soon', asks: 0 },
  { says: () => '2999', asks: 2999 * second },
  { says: () => '9'.repeat(400), asks: Infinity },
];

/** As long as asked, within these bounds; a date is a moment old, and what is no number asks for nothing. */
function assertWaits(wait: number, asks: number, least: number, most: number, slack = 0): void {
  const wanted = Math.min(Math.max(asks, least), most);
  const isLong = wait > wanted - 10 * second && wait >= least - slack;
  assert.ok(isLong && wait <= wanted * 1.2 + slack, `${wait} for ${asks}`);
}

/** How long it takes until this is asked the next time. */
async function untilAsked(route: string): Promise<number> {
  const before = world.service.count(route);
  return transports.pass(clock, hour, () => world.service.count(route) > before);
}

/** How long the next try is put off, while there is trouble. */
function putOff({ retryAt = 0, troubleSince = 0 }: Task): number {
  return retryAt - troubleSince;
}

function completed(): Reply {
  const data = [{ url: `${world.service.baseUrl}/api/async-images/0.png` }];
  return json(200, { id: 'task_1', status: 'completed', data });
}

/** Lets time pass while the task waits, and none while it does something. */
async function hours(id: string, count: number): Promise<void> {
  const end = clock.now() + count * hour;
  while (clock.now() < end) {
    const { retryAt = end } = await world.when(
      engine,
      id,
      (task) => (task.retryAt ?? 0) > clock.now() || hasEnded(task),
    );
    await clock.pass(Math.min(retryAt, end) - clock.now());
  }
}

/** Starts a task, whose picture does not come at once. */
async function begin(): Promise<Task> {
  const { id } = await engine.runner.start(world.request());
  return until(id, ({ retryAt }) => retryAt !== undefined);
}

describe('A service that asks to wait', () => {
  for (const { says, asks } of waits) {
    const text = says().slice(0, 40);

    for (const status of [429, 503]) {
      it(`is not asked sooner to take a request: ${status}, "${text}"`, async () => {
        world.service.on(submission, refusal(status, says()), accepted);
        const { id } = await engine.runner.start(world.request());
        await untilAsked(submission);
        if (asks > 15 * minute) {
          const task = await until(id, hasEnded);
          assert.deepEqual([task.status, task.error?.status, task.error?.billing], ['failed', status, 'no']);
          assert.equal(world.service.count(submission), 1);
        } else {
          assertWaits(await untilAsked(submission), asks, 2 * second, 15 * minute, second / 2);
        }
      });
    }

    it(`is not asked sooner about a task: "${text}"`, async () => {
      world.service.on(query, refusal(500, says()));
      const { id } = await engine.runner.start(world.request());
      const task = await until(id, ({ retryAt }) => retryAt !== undefined);
      assertWaits(putOff(task), asks, 2 * second, 15 * minute);
    });

    it(`is not asked sooner about a task that it has just accepted: "${text}"`, async () => {
      const body = { id: 'task_1', status: 'queued' };
      world.service.on(submission, json(202, body, { 'retry-after': says() }));
      await engine.runner.start(world.request());
      await untilAsked(submission);
      assertWaits(await untilAsked(query), asks, 2 * second, 15 * minute, second / 2);
    });

    it(`is not asked sooner for a picture: "${text}"`, async () => {
      world.service.on(result, refusal(429, says()));
      const { id } = await engine.runner.start(world.request());
      const task = await until(id, ({ retryAt }) => retryAt !== undefined);
      assertWaits(putOff(task), asks, 2 * second, 15 * minute);
    });
  }
});

describe('A host that says that it has no such picture', () => {
  /** When a picture was asked for, or the service about the task. */
  let asked: { at: number; route: string }[];

  beforeEach(() => {
    asked = [];
  });

  function noting(route: string, ...replies: Reply[]): void {
    const notes = replies.map((reply): Reply => async (...exchange) => {
      asked.push({ at: clock.now(), route });
      await reply(...exchange);
    });
    world.service.on(route, ...notes);
  }

  /** Whenever it says so, every address is another one. */
  function missing(): void {
    let age = 0;
    noting(query, (...exchange) => {
      const data = [{ url: `${world.service.baseUrl}/api/async-images/0.png?${(age += 1)}` }];
      world.service.on(`${result}?${age}`, async (...each) => {
        asked.push({ at: clock.now(), route: result });
        await json(404, {})(...each);
      });
      return json(200, { id: 'task_1', status: 'completed', data })(...exchange);
    });
  }

  it('is asked for six hours, at fresh addresses, not too often, and once more whenever a person says so', async () => {
    missing();
    const begun = await begin();
    const { id } = begun;
    assert.match(begun.results[0]?.error?.message ?? '', /doesn't have it yet \(HTTP 404\)/u);
    await hours(id, 5.9);
    const waiting = engine.store.get(id) ?? assert.fail();
    assert.deepEqual([waiting.status, waiting.error], ['saving', undefined]);
    assert.ok(asked.length > 40 && asked.length < 100, `asked ${asked.length} times`);
    const queries = asked.filter(({ route }) => route === query).map(({ at }) => at);
    const pauses = queries.slice(1).map((at, index) => at - (queries[index] ?? 0));
    assert.ok(Math.min(...pauses) >= 2 * second, pauses.join());
    assert.ok(Math.max(...pauses) <= 17 * minute, pauses.join());

    await hours(id, 0.4);
    const { status, error, results } = engine.store.get(id) ?? assert.fail();
    assert.deepEqual([status, error?.code, error?.billing], ['expired', 'result_expired', 'yes']);
    assert.match(error?.message ?? '', /doesn't have it \(HTTP 404\); the service keeps images for 6 hours/u);
    const before = asked.length;
    await engine.runner.saveAgain(id);
    assert.equal((await until(id, hasEnded)).status, 'expired');
    assert.equal(asked.length, before + 1);

    const { pathname, search } = new URL(results[0]?.url ?? '');
    world.service.on(`GET ${pathname}${search}`, image(picture()));
    await engine.runner.saveAgain(id);
    assert.equal((await until(id, hasEnded)).status, 'completed');
    assert.equal(world.service.count(submission), 1);
  });

  it('is asked as seldom as before by the next engine, and gives the picture late', async () => {
    missing();
    const { id } = await begin();
    await hours(id, 1);
    await world.close(engine);
    engine = await world.open({ clock, transports });
    await engine.runner.resumeUnfinished();
    const before = asked.length;
    await hours(id, 1);
    assert.equal(engine.store.get(id)?.status, 'saving');
    assert.ok(asked.length - before <= 12, `asked ${asked.length - before} times`);

    world.service.on(query, completed());
    await hours(id, 0.3);
    assert.equal(engine.store.get(id)?.status, 'completed');
    assert.equal(world.service.count(submission), 1);
  });

  it('holds up none of the other pictures of its task', async () => {
    world.service.delivers(picture('one'), picture('two'), picture('three'));
    world.service.on('GET /api/async-images/1.png', json(404, {}));
    const { id } = await engine.runner.start(world.request({ n: 3 }));
    const { status, results } = await until(id, ({ retryAt }) => retryAt !== undefined);
    assert.deepEqual([status, results.map(({ state }) => state)], ['saving', ['saved', 'remote', 'saved']]);
  });
});

describe('An image host that refuses', () => {
  it('a sign-in five times is believed, as soon as that, and fetched from again once a person says so', async () => {
    world.service.on(result, json(401, {}));
    const began = clock.now();
    const { id } = await engine.runner.start(world.request());
    const { status, error, results } = await until(id, hasEnded);
    assert.deepEqual([status, error?.status, world.service.count(result)], ['failed', 401, 5]);
    assert.match(error?.message ?? '', /results are fetched without the API key/u);
    assert.ok(clock.now() - began < 2 * minute, `${clock.now() - began} ms`);
    assert.equal(results[0]?.url, `${world.service.baseUrl}/api/async-images/0.png`);
    world.service.on(result, image(picture()));
    await engine.runner.saveAgain(id);
    assert.equal((await until(id, hasEnded)).status, 'completed');
    assert.equal(world.service.count(submission), 1);
  });

  it('for minutes, and then gives the picture, has been waited for', async () => {
    world.service.on(query, completed()).on(result, json(403, {}));
    const { id } = await begin();
    await hours(id, 9.5 / 60);
    assert.equal(engine.store.get(id)?.status, 'saving');
    world.service.on(result, image(picture()));
    await hours(id, 1 / 60);
    assert.equal(engine.store.get(id)?.status, 'completed');
  });
});

/** Names lead nowhere while the network is not there. */
function onNetwork(test: TestContext): { isThere: boolean; baseUrl: string } {
  const network = {
    isThere: true,
    baseUrl: world.service.baseUrl.replace('127.0.0.1', 'service.fault.localhost'),
  };
  test.after(resolveNames(() => (network.isThere ? '127.0.0.1' : undefined)));
  world.settings.plainHttpOrigins = [network.baseUrl];
  return network;
}

describe('Sleep of the machine', () => {
  it('ends no waiting for a network that takes a moment to be back', async (test) => {
    const network = onNetwork(test);
    network.isThere = false;
    const { id } = await engine.runner.start(world.request({ baseUrl: network.baseUrl }));
    await until(id, ({ retryAt }) => retryAt !== undefined);
    clock.jump(10 * minute);
    await transports.pass(clock, minute);
    assert.equal(engine.store.get(id)?.status, 'waiting');
    network.isThere = true;
    assert.equal((await until(id, hasEnded)).status, 'completed');
    assert.equal(world.service.count(submission), 1);
  });

  it('ends no waiting for a busy service, nor for the network after that', async (test) => {
    const network = onNetwork(test);
    world.service.on(submission, refusal(503, '600'), refusal(503, '5'), accepted);
    const { id } = await engine.runner.start(world.request({ baseUrl: network.baseUrl }));
    await until(id, ({ retryAt }) => retryAt !== undefined);
    clock.jump(20 * minute);
    await untilAsked(submission);
    network.isThere = false;
    await transports.pass(clock, minute);
    assert.equal(engine.store.get(id)?.status, 'waiting');
    network.isThere = true;
    assert.equal((await until(id, hasEnded)).status, 'completed');
  });

  it('is no part of the day after which a service out of reach is asked no more', async (test) => {
    const network = onNetwork(test);
    world.service.on(query, json(200, { id: 'task_1', status: 'in_progress' }));
    const { id } = await engine.runner.start(world.request({ baseUrl: network.baseUrl }));
    await until(id, ({ status }) => status === 'in_progress');
    network.isThere = false;
    world.service.hangUp();
    await until(id, ({ troubleSince }) => troubleSince !== undefined);
    clock.jump(3 * day);
    await transports.pass(clock, 10 * minute);
    assert.equal(engine.store.get(id)?.status, 'in_progress');
    network.isThere = true;
    world.service.on(query, completed());
    assert.equal((await until(id, hasEnded)).status, 'completed');
  });
});

describe('A service whose clock is an hour ahead', () => {
  it('is waited for as long as it means, by the date of its own answer', async () => {
    const at = Date.now() + hour;
    const [date, later] = [at, at + 5 * second].map((time) => new Date(time).toUTCString());
    const busy = json(
      503,
      { error: { message: 'Later.' } },
      { date: date ?? '', 'retry-after': later ?? '' },
    );
    world.service.on(submission, busy, accepted);
    const { id } = await engine.runner.start(world.request());
    await untilAsked(submission);
    const wait = await untilAsked(submission);
    assert.ok(wait >= 4.5 * second && wait <= 7 * second, `${wait} ms`);
    assert.equal((await until(id, hasEnded)).status, 'completed');
  });
});

describe('A network that is gone for ten minutes', () => {
  it('loses no task, and polls are there within 5 s of its return', async (test) => {
    const network = onNetwork(test);
    const { baseUrl } = network;
    const ids = ['task_1', 'task_2', 'task_3'];
    const paths = ids.map((id) => `GET /v1/images/generations/${id}`);
    const working = ids.map((id) => json(200, { id, status: 'in_progress' }));
    world.service.on(submission, ...ids.map((id) => json(202, { id, status: 'queued' })));
    for (const [index, path] of paths.entries()) {
      world.service.on(path, working[index] ?? accepted);
    }
    const polls = (): number => paths.reduce((sum, path) => sum + world.service.count(path), 0);
    const tasks = await Promise.all(ids.map(() => engine.runner.start(world.request({ baseUrl }))));
    await transports.pass(clock, minute, () => paths.every((path) => world.service.count(path) > 1));

    network.isThere = false;
    world.service.hangUp();
    const before = polls();
    await transports.pass(clock, 10 * minute);
    assert.equal(polls(), before);
    for (const { id } of tasks) {
      assert.match(engine.store.get(id)?.status ?? '', /^(?:queued|in_progress)$/u);
    }

    network.isThere = true;
    const passed = await transports.pass(clock, minute, () =>
      paths.every((path) =>
        world.service.seen.slice(before).some(({ method, path: seen }) => `${method} ${seen}` === path),
      ),
    );
    assert.ok(passed <= 5 * second, `back after ${passed} ms`);
    const data = [{ url: `${world.service.baseUrl}/api/async-images/0.png` }];
    for (const [index, path] of paths.entries()) {
      world.service.on(path, json(200, { id: ids[index], status: 'completed', data }));
    }
    for (const { id } of tasks) {
      assert.equal((await until(id, hasEnded)).status, 'completed');
    }
    assert.equal(world.service.count(submission), 3);
  });
});

describe('A clock that jumps', () => {
  const failing = refusal(500, '');
  interface Moment {
    set: () => void;
    reached: (task: Task) => boolean;
    /** What is asked next. */
    route: string;
    posts: number;
  }
  const moments: Readonly<Record<string, Moment>> = {
    'while the service is busy': {
      set: () => world.service.on(submission, refusal(429, '30'), accepted),
      reached: ({ status, retryAt }) => status === 'waiting' && retryAt !== undefined,
      route: submission,
      posts: 2,
    },
    'while the service works': {
      set: () => world.service.on(query, json(200, { id: 'task_1', status: 'in_progress' }), completed()),
      reached: ({ status }) => status === 'in_progress',
      route: query,
      posts: 1,
    },
    'while the service cannot be asked': {
      set: () => world.service.on(query, failing, completed()),
      reached: ({ retryAt }) => retryAt !== undefined,
      route: query,
      posts: 1,
    },
    'while its picture cannot be fetched': {
      set: () => world.service.on(result, failing, image(picture())),
      reached: ({ status, retryAt }) => status === 'saving' && retryAt !== undefined,
      route: result,
      posts: 1,
    },
  };

  for (const [jump, milliseconds] of Object.entries({
    'three days ahead, as sleep does': 3 * day,
    'an hour back': -hour,
  })) {
    for (const [moment, { set, reached, route, posts }] of Object.entries(moments)) {
      it(`holds no task up: ${jump}, ${moment}`, async () => {
        set();
        const { id } = await engine.runner.start(world.request());
        await until(id, reached);
        const before = world.service.count(route);
        clock.jump(milliseconds);
        const passed = await transports.pass(clock, hour, () => world.service.count(route) > before);
        assert.ok(passed <= (route === submission ? 31 : 5) * second, `${passed} ms`);
        assert.equal((await until(id, hasEnded)).status, 'completed');
        assert.equal(world.service.count(submission), posts);
      });
    }
  }
});

describe('Headers that come after 310 s', () => {
  const bytes = picture().toString('base64');
  const native = {
    candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: bytes } }] } }],
  };
  const calls = {
    sync: async (service: ImageService, sinks: MemorySinks) => service.submit(generation(), 'sync', sinks),
    edit: async (service: ImageService, sinks: MemorySinks) => service.submit(edit(), 'sync', sinks),
    native: async (service: ImageService, sinks: MemorySinks) =>
      service.submit(generation(), 'native', sinks),
    nativeStream: async (service: ImageService, sinks: MemorySinks) =>
      service.submit(generation(), 'nativeStream', sinks),
  };

  async function ask(
    test: TestContext,
    call: (service: ImageService, sinks: MemorySinks) => Promise<unknown>,
    answerAfter: number,
    isNative: boolean,
  ): Promise<MemorySinks> {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const body = JSON.stringify(isNative ? native : { data: [{ b64_json: bytes }] });
    const server = await listen(test, async ({ socket, ...connection }) => {
      await connection.received('\r\n\r\n');
      test.mock.timers.tick(answerAfter);
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
    });
    const https = new HttpsTransport();
    const service = new ImageService({
      baseUrl: server.url.origin,
      apiKey: 'sk-secret',
      transports: { posts: https, polls: https },
      requestTimeout: 900_000,
    });
    const sinks = new MemorySinks();
    await call(service, sinks);
    return sinks;
  }

  for (const [style, call] of Object.entries(calls)) {
    const isNative = style.startsWith('native');

    it(`still bring the picture: ${style}`, async (test) => {
      const { kept } = await ask(test, call, 310 * second, isNative);
      assert.deepEqual(kept, [picture()]);
    });

    it(`are not waited for beyond the limit: ${style}`, async (test) => {
      await assert.rejects(ask(test, call, 900_001, isNative), { code: 'timeout', billing: 'maybe' });
    });
  }
});
