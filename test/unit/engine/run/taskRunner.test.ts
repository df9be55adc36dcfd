import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileUri, pathOfUri } from '../../../../src/common/fileUris.ts';
import type { TaskStatus } from '../../../../src/common/taskStatus.ts';
import { availableActions } from '../../../../src/engine/operations/availableActions.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { eventually } from '../../../support/eventually.ts';
import { aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import {
  image,
  json,
  picture,
  reset,
  silence,
  type Reply,
} from '../../../support/service/loopbackService.ts';
import { apiKey, fastClock, World } from '../../../support/engine/world.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { noLinkRights } from '../../../support/links.ts';

const submission = 'POST /v1/images/generations';
const query = 'GET /v1/images/generations/task_1';
const result = 'GET /api/async-images/0.png';
const accepted = json(202, { id: 'task_1', object: 'image.generation.task', status: 'queued' });
const working = json(200, { id: 'task_1', status: 'in_progress', progress: '40%' });

/** Sends a picture without saying how long it is. */
function unannounced(bytes: Buffer): Reply {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', connection: 'close' });
    response.write(bytes);
    response.end();
  };
}

function inline(bytes: Buffer): { b64_json: string } {
  return { b64_json: bytes.toString('base64') };
}

function refusal(status: number, code: string, headers: Record<string, string> = {}): Reply {
  return json(status, { error: { message: `It is ${code}.`, type: code, code } }, headers);
}

/** What a network sends that wants to know who asks. */
function signIn(status: number): Reply {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<title>Sign in to the network</title>');
  };
}

function completed(data: unknown): Reply {
  return json(200, { id: 'task_1', status: 'completed', data });
}

const damaged = { b64_json: '!'.repeat(40) };

describe('TaskRunner', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create();
  });

  afterEach(() => world.dispose());

  async function run(changes: Parameters<World['request']>[0] = {}, clock = fastClock()): Promise<Task> {
    const { runner } = await world.open({ clock });
    const { id } = await runner.start(world.request(changes));
    return runner.outcome(id);
  }

  function requested(): Partial<Task> {
    return { request: world.request(), origin: new URL(world.service.baseUrl).origin };
  }

  /** Leaves a task as an engine does that was killed. */
  async function leave(task: Task): Promise<void> {
    const killed = await world.open();
    await killed.store.add(task);
    await world.close(killed);
  }

  /** Leaves the first picture of a task as an engine does that is gone before its row says so. */
  async function stage(id: string): Promise<void> {
    const folder = join(world.home, 'incoming', id);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '0-1.image'), picture());
  }

  async function published(): Promise<string[]> {
    return (await readdir(join(world.workspace, 'images'))).toSorted();
  }

  it('turns a prompt into a file, with one POST', async () => {
    world.service.delivers(picture());
    const task = await run();
    assert.equal(task.status, 'completed', JSON.stringify(task));
    assert.equal(task.results[0]?.state, 'saved');
    assert.deepEqual(await readFile(join(world.workspace, 'images', 'a-red-fox.png')), picture());
    assert.deepEqual(await published(), ['a-red-fox.png']);
    assert.equal(world.service.count(submission), 1);
    assert.deepEqual([task.results[0]?.width, task.results[0]?.height], [3, 2]);
    assert.deepEqual(await readdir(join(world.home, 'incoming')), []);
  });

  it('sends, keeps and finds a prompt that was cut inside a character as one that can be written', async () => {
    world.service.delivers(picture());
    const { runner, store } = await world.open();
    const { id, request } = await runner.start(world.request({ prompt: 'a fox \ud83e' }));
    assert.equal(request.prompt, 'a fox \ufffd');
    assert.equal((await runner.outcome(id)).status, 'completed');
    const { body } = world.service.seen.find(({ method }) => method === 'POST') ?? assert.fail();
    assert.match(body, /"a fox \ufffd"/u);
    assert.deepEqual(
      store.list({ limit: 1, text: 'x \ufffd' }).map(({ request }) => request.prompt),
      ['a fox \ufffd'],
    );
  });

  it('numbers the files of several pictures in their order', async () => {
    const pictures = ['one', 'two', 'three'].map((salt) => picture(salt));
    world.service.delivers(...pictures);
    const task = await run({ n: 3 });
    assert.deepEqual(await published(), ['a-red-fox-2.png', 'a-red-fox-3.png', 'a-red-fox.png']);
    const bytes = await Promise.all(task.results.map(({ uri }) => readFile(pathOfUri(uri ?? ''))));
    assert.deepEqual(bytes, pictures);
  });

  it('sends the key to the service and to nobody else, and writes it nowhere', async () => {
    world.service.delivers(picture());
    await run();
    for (const { path, authorization } of world.service.seen) {
      assert.equal(authorization, path.startsWith('/v1/') ? `Bearer ${apiKey}` : undefined, path);
    }
    assert.ok(!world.log.lines.join('\n').includes(apiKey));
    for (const name of await readdir(world.home)) {
      if (name.startsWith('limner.db')) {
        assert.ok(!(await readFile(join(world.home, name))).includes(apiKey), name);
      }
    }
  });

  it('writes method, host, path, status, time and bytes to the log, and no prompt', async () => {
    world.service.delivers(picture());
    await run();
    const { host } = new URL(world.service.baseUrl);
    assert.ok(
      world.log.lines.some(
        (line) =>
          /^info POST \S+\/v1\/images\/generations 202, \d+ bytes, \d+ ms$/.test(line) && line.includes(host),
      ),
      world.log.lines.join('\n'),
    );
    assert.ok(!world.log.lines.some((line) => !line.startsWith('trace') && /fox/.test(line)));
  });

  describe('sending again', () => {
    it('waits visibly as long as a busy service asks, and sends again', async () => {
      world.service.delivers(picture());
      world.service.on(submission, refusal(503, 'queue_full', { 'retry-after': '20' }), accepted);
      const engine = await world.open();
      const { id } = await engine.runner.start(world.request());
      const waiting = await world.when(engine, id, ({ retryAt }) => retryAt !== undefined);
      assert.equal(waiting.status, 'waiting');
      assert.equal(waiting.error?.code, 'queue_full');
      assert.ok((waiting.retryAt ?? 0) - waiting.createdAt >= 20_000);
      const task = await engine.runner.outcome(id);
      assert.equal(task.status, 'completed');
      assert.equal(task.error, undefined);
      assert.equal(world.service.count(submission), 2);
    });

    it('makes each next try as soon as a person wants it, from whichever window', async () => {
      const busy = refusal(503, 'queue_full', { 'retry-after': '800' });
      world.service.delivers(picture());
      world.service.on(submission, busy, busy, accepted);
      world.service.on(query, refusal(500, 'broken', { 'retry-after': '800' }), working);
      const clock = fastClock(1);
      const engine = await world.open({ clock });
      const other = await world.open({ clock });
      const { id } = await engine.runner.start(world.request());
      for (const status of ['waiting', 'waiting', 'queued'] as const) {
        const wait = await world.when(
          engine,
          id,
          (task) => task.status === status && (task.retryAt ?? 0) - clock.now() > 100_000,
        );
        await other.runner.tryNow(id);
        await world.when(engine, id, ({ retryAt }) => retryAt !== wait.retryAt);
      }
      const task = await world.when(engine, id, ({ progress }) => progress === 40);
      assert.equal(task.retryAt, undefined);
      assert.deepEqual([world.service.count(submission), world.service.count(query)], [3, 2]);
    });

    it('waits for a service that cannot be reached, and says that nothing was billed when it gives up', async () => {
      const request = world.request();
      await world.service.stop();
      const engine = await world.open({ clock: fastClock(1000) });
      const { id } = await engine.runner.start(request);
      await world.when(engine, id, ({ retryAt }) => retryAt !== undefined);
      const task = await engine.runner.outcome(id);
      assert.deepEqual([task.status, task.error?.code, task.error?.billing], ['failed', 'network', 'no']);
    });

    it('is not sent at all without a key', async () => {
      world.keys.key = undefined;
      const task = await run();
      assert.deepEqual([task.status, task.error?.code], ['failed', 'no_key']);
      assert.equal(world.service.seen.length, 0);
    });
  });

  it('keeps the limit of requests that are open at once', async () => {
    Object.assign(world.settings, { maxConcurrentTasks: 2 });
    let open = 0;
    let most = 0;
    const two = Promise.withResolvers<void>();
    world.service.on(submission, async (request, response) => {
      most = Math.max(most, ++open);
      if (open === 2) {
        two.resolve();
      }
      await two.promise;
      open--;
      await refusal(400, 'no')(request, response);
    });
    const { runner } = await world.open();
    const tasks = await Promise.all(Array.from({ length: 8 }, () => runner.start(world.request())));
    await Promise.all(tasks.map(({ id }) => runner.outcome(id)));
    assert.equal(most, 2);
    assert.equal(world.service.count(submission), 8);
  });

  describe('stopping', () => {
    it('stops watching, and resumes', async () => {
      world.service.delivers(picture());
      const done = completed([{ url: `${world.service.baseUrl}/api/async-images/0.png` }]);
      world.service.on(query, working);
      const engine = await world.open();
      const { id } = await engine.runner.start(world.request());
      await world.until(engine, id, 'in_progress');
      await engine.runner.stop(id);
      const stopped = await engine.runner.outcome(id);
      assert.deepEqual([stopped.status, stopped.error?.billing], ['stopped', 'maybe']);
      world.service.on(query, done);
      await engine.runner.resume(id);
      assert.equal((await engine.runner.outcome(id)).status, 'completed');
      assert.equal(world.service.count(submission), 1);
    });

    it('gives up an image that its host does not send, keeps the other, and fetches it when asked', async () => {
      const urls = ['a', 'b'].map((name) => ({ url: `${world.service.baseUrl}/${name}.png` }));
      world.service.on(submission, accepted).on(query, completed(urls));
      world.service.on('GET /a.png', image(picture())).on('GET /b.png', refusal(404, ''));
      const engine = await world.open();
      const { id } = await engine.runner.start(world.request({ n: 2 }));
      const waiting = await world.when(engine, id, ({ troubleSince }) => troubleSince !== undefined);
      assert.ok(availableActions(waiting).includes('stop'));
      await engine.runner.giveUp(id);
      const { status, results, error } = await engine.runner.outcome(id);
      assert.deepEqual(
        results.map(({ state }) => state),
        ['saved', 'failed'],
      );
      assert.deepEqual([status, error?.code, error?.billing], ['completed', 'stopped', 'yes']);
      world.service.on('GET /b.png', image(picture('b')));
      await engine.runner.saveAgain(id);
      const fetched = await engine.runner.outcome(id);
      assert.deepEqual(
        fetched.results.map(({ state }) => state),
        ['saved', 'saved'],
      );
      assert.equal(world.service.count(submission), 1);
    });

    it('learns the id of a task that is stopped while its request is on the way', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      world.service.delivers(picture()).on(submission, async (request, response) => {
        await promise;
        await accepted(request, response);
      });
      const engine = await world.open({ clock: fastClock(1) });
      const { id } = await engine.runner.start(world.request());
      await world.until(engine, id, 'submitting');
      await engine.runner.stop(id);
      resolve();
      const task = await world.when(engine, id, ({ remoteId }) => remoteId !== undefined);
      assert.equal(task.status, 'stopped');
      await engine.runner.resume(id);
      await world.until(engine, id, 'queued');
    });

    it('cancels nothing that was just sent, in whichever window', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      world.service.delivers(picture()).on(submission, async (request, response) => {
        await promise;
        await accepted(request, response);
      });
      const [worker, other] = [await world.open({ clock: fastClock(1) }), await world.open()];
      const { id } = await worker.runner.start(world.request());
      await world.until(worker, id, 'submitting');
      assert.equal(await other.runner.cancel(id), false);
      resolve();
      await world.until(worker, id, 'queued');
    });

    it('is told in the window that works on the task', async () => {
      world.service.on(submission, accepted).on(query, working);
      const [worker, other] = [await world.open(), await world.open()];
      const { id } = await worker.runner.start(world.request());
      await world.until(worker, id, 'in_progress');
      await other.runner.stop(id);
      assert.equal((await worker.runner.outcome(id)).status, 'stopped');
    });

    it('cannot resume what has no id', async () => {
      world.service.on(submission, reset);
      const engine = await world.open();
      const { id } = await engine.runner.start(world.request());
      await engine.runner.outcome(id);
      await assert.rejects(engine.runner.resume(id), { code: 'stopped' });
    });
  });

  describe('keys', () => {
    it('pauses a task whose key is refused, and goes on with the right one', async () => {
      world.service.delivers(picture());
      const unauthorized = refusal(401, 'invalid_key');
      world.service.on(query, unauthorized);
      const engine = await world.open();
      const { id } = await engine.runner.start(world.request());
      const paused = await world.until(engine, id, 'needs_key');
      assert.equal(paused.error?.code, 'unauthorized');
      world.service.delivers(picture());
      world.keys.set('sk-another', paused.origin);
      assert.equal((await engine.runner.outcome(id)).status, 'completed');
      assert.equal(world.service.count(submission), 1);
    });

    it('believes no single refusal of the key that submitted the task', async () => {
      world.service.delivers(picture());
      const unauthorized = refusal(401, 'invalid_key');
      const [first, done] = [world.service.reply(query), world.service.reply(query, 1)];
      const broken = refusal(500, 'broken');
      world.service.on(query, unauthorized, first, unauthorized, broken, broken, unauthorized, done);
      const engine = await world.open();
      const { id } = await engine.runner.start(world.request());
      const seen = new Set<TaskStatus>();
      const task = await world.when(engine, id, ({ status }) => seen.add(status).has('completed'));
      assert.ok(!seen.has('needs_key'));
      assert.deepEqual([task.error, world.service.count(query)], [undefined, 7]);
    });

    for (const [what, refused] of [
      ['an authentication that is down', refusal(401, 'invalid_key')],
      ['a proxy that wants a sign-in', signIn(407)],
      ['an error of the query as well', refusal(500, 'task_query_failed')],
    ] as const) {
      it(`asks on, seldom, while the key is refused, and goes on once it is taken: ${what}`, async () => {
        world.service.delivers(picture());
        const unauthorized = refusal(401, 'invalid_key');
        const done = world.service.reply(query, 1);
        const refusals = Array.from({ length: 6 }, () => [unauthorized, refused]).flat();
        world.service.on(query, ...refusals, done);
        const engine = await world.open({ clock: fastClock(2000) });
        const { id } = await engine.runner.start(world.request());
        const { error } = await world.until(engine, id, 'needs_key');
        assert.equal(error?.code, 'unauthorized');
        const seen = new Set<TaskStatus>();
        const task = await world.when(engine, id, ({ status }) => seen.add(status).has('completed'));
        assert.deepEqual([...seen], ['needs_key', 'saving', 'completed']);
        assert.deepEqual([task.error, world.service.count(query)], [undefined, 13]);
        assert.ok((task.finishedAt ?? 0) - (task.submittedAt ?? 0) > 10 * 60_000);
        assert.equal(world.service.count(submission), 1);
      });
    }

    it('goes on with a task that another run left without its key, once that is taken', async () => {
      world.service.on(submission, accepted).on(query, refusal(401, 'invalid_key'));
      const first = await world.open();
      const { id } = await first.runner.start(world.request());
      await world.until(first, id, 'needs_key');
      await world.close(first);
      world.service.delivers(picture());
      const second = await world.open();
      await second.runner.resumeUnfinished();
      assert.equal((await second.runner.outcome(id)).status, 'completed');
    });

    it('pauses a task that is not found under another key, and goes on when the first is back', async () => {
      world.service.on(submission, accepted).on(query, (request, response) => {
        const mine = request.headers.authorization === `Bearer ${apiKey}`;
        return (mine ? working : refusal(404, 'task_not_found'))(request, response);
      });
      const engine = await world.open();
      const { id, origin } = await engine.runner.start(world.request());
      await world.until(engine, id, 'in_progress');
      world.keys.set('sk-of-somebody-else', origin);
      await world.until(engine, id, 'needs_key');
      world.service.delivers(picture());
      world.keys.set(apiKey, origin);
      assert.equal((await engine.runner.outcome(id)).status, 'completed');
    });

    it('pauses while the key is removed', async () => {
      world.service.on(submission, accepted).on(query, working);
      const engine = await world.open();
      const { id, origin } = await engine.runner.start(world.request());
      await world.until(engine, id, 'in_progress');
      world.keys.set(undefined, origin);
      await world.until(engine, id, 'needs_key');
      world.keys.set(apiKey, origin);
      await world.until(engine, id, 'in_progress');
    });

    it('fails a task that the service has forgotten under the very key that submitted it', async () => {
      world.service.on(submission, accepted).on(query, refusal(404, 'task_not_found'));
      const task = await run({}, fastClock(2000));
      assert.deepEqual([task.status, task.error?.code], ['failed', 'task_not_found']);
      assert.equal(world.service.count(query), 10);
      const asked = (task.finishedAt ?? 0) - (task.submittedAt ?? 0);
      assert.ok(asked > 5 * 60_000, `given up after ${asked} ms`);
    });

    it('asks again for a task that was given up because the service had lost sight of it', async () => {
      world.service.delivers(picture());
      const done = world.service.reply(query, 1);
      world.service.on(query, refusal(404, 'task_not_found'));
      const engine = await world.open({ clock: fastClock(2000) });
      const { id } = await engine.runner.start(world.request());
      assert.equal((await engine.runner.outcome(id)).status, 'failed');
      world.service.on(query, done);
      await engine.runner.resume(id);
      assert.equal((await engine.runner.outcome(id)).status, 'completed');
      assert.equal(world.service.count(submission), 1);
    });

    it('believes no single node that does not know a task, however long ago that was accepted', async () => {
      world.service.delivers(picture());
      const done = world.service.reply(query, 1);
      world.service.on(query, working, refusal(404, 'task_not_found'), working, done);
      const clock = fastClock();
      let late = 0;
      const engine = await world.open({ clock: { ...clock, now: () => clock.now() + late } });
      const { id } = await engine.runner.start(world.request());
      await world.until(engine, id, 'in_progress');
      late = 60 * 60_000;
      assert.equal((await engine.runner.outcome(id)).status, 'completed');
      assert.equal(world.service.count(query), 4);
    });

    it('never asks again for what the service itself failed', async () => {
      const error = { message: 'Too dark.', code: 'image_generation_failed' };
      world.service.on(submission, accepted).on(query, json(200, { id: 'task_1', status: 'failed', error }));
      const engine = await world.open();
      const { id } = await engine.runner.start(world.request());
      await engine.runner.outcome(id);
      await assert.rejects(engine.runner.resume(id), { code: 'stopped' });
    });

    it('fails no task because something before the service is not found for minutes', async () => {
      world.service.delivers(picture());
      const done = world.service.reply(query, 1);
      const lost: Reply[] = Array.from({ length: 20 }, (_, turn) => (_request, response) => {
        const words = [
          '<title>404 Not Found</title>',
          '',
          '{"message":"no Route matched"}',
          'not found',
          'Cannot GET /v1/images/generations/task_1',
          '{"code":"NOT_FOUND","message":"/v1/images/generations/task_1"}',
          '{"error":{"code":"route_not_found"}}',
          '{"kind":"Status","status":"Failure","reason":"NotFound","code":404,"message":"task_1 not found"}',
        ];
        response.writeHead(404).end(words[turn % words.length]);
      });
      world.service.on(query, ...lost, done);
      const task = await run({}, fastClock(1000));
      assert.deepEqual([task.status, world.service.count(query)], ['completed', 21]);
    });
  });

  describe('a task that is completed', () => {
    for (const [what, data] of Object.entries({
      'an empty list': [],
      'a damaged picture': [damaged],
      'one picture of two': [inline(picture()), damaged],
    })) {
      it(`is asked again for its pictures when it comes with ${what}`, async () => {
        world.service.on(submission, accepted);
        world.service.on(query, completed(data), completed(data), completed([inline(picture())]));
        const task = await run();
        assert.deepEqual([task.status, task.error, world.service.count(query)], ['completed', undefined, 3]);
        assert.deepEqual(await readFile(join(world.workspace, 'images', 'a-red-fox.png')), picture());
      });
    }

    for (const [what, data, code, phase, message, least] of [
      ['without a picture', [], 'empty_result', 'poll', /completed the task without an image/u, 1],
      ['with a damaged one', [damaged], 'unsupported_image', 'save', /isn't valid base64/u, 4],
    ] as const) {
      it(`is failed only after ${least} min ${what}, says so, and can be asked for again`, async () => {
        world.service.on(submission, accepted).on(query, completed(data));
        const engine = await world.open({ clock: fastClock(2000) });
        const { id } = await engine.runner.start(world.request());
        const { status, error, finishedAt = 0, submittedAt = 0 } = await engine.runner.outcome(id);
        assert.deepEqual([status, error?.code, error?.phase], ['failed', code, phase]);
        assert.match(error?.message ?? '', message);
        assert.ok(finishedAt - submittedAt > least * 60_000, `given up after ${finishedAt - submittedAt} ms`);
        world.service.on(query, completed([inline(picture())]));
        await engine.runner.resume(id);
        assert.equal((await engine.runner.outcome(id)).status, 'completed');
        assert.equal(world.service.count(submission), 1);
      });
    }

    for (const callStyle of ['async', 'sync', 'native'] as const) {
      it(`is kept as the text that a picture came as which is no base64: ${callStyle}`, async () => {
        const whole = picture('x'.repeat(1_000_000)).toString('base64');
        const text = `${whole.slice(0, 900_000)}*${whole.slice(900_000)}`;
        const data = [{ b64_json: text }];
        world.service.on(submission, callStyle === 'async' ? accepted : json(200, { data }));
        world.service.on(query, completed(data));
        const inlineData = { mimeType: 'image/png', data: text };
        const candidates = [{ content: { parts: [{ inlineData }] } }];
        world.service.on('POST /v1beta/models/painter-1:generateContent', json(200, { candidates }));
        const { id, status, error, results } = await run({ callStyle }, fastClock(2000));
        assert.deepEqual([status, error?.code, error?.billing], ['failed', 'unsupported_image', 'yes']);
        assert.equal(error?.message, "The received data isn't valid base64.");
        const path = join(world.home, 'inbox', `${id}-1.txt`);
        assert.equal(results[0]?.stagedPath, path);
        assert.equal(await readFile(path, 'latin1'), text);
        assert.deepEqual(await readdir(join(world.home, 'incoming')), []);
      });
    }

    it('has a picture fetched whose bytes in the answer are damaged', async () => {
      world.service.delivers(picture());
      const url = `${world.service.baseUrl}/api/async-images/0.png`;
      world.service.on(query, completed([{ ...damaged, url }]));
      const task = await run();
      assert.deepEqual([task.status, task.error, world.service.count(query)], ['completed', undefined, 1]);
      world.service.on(submission, json(200, { data: [{ ...damaged, url }] }));
      assert.equal((await run({ callStyle: 'sync' })).status, 'completed');
    });

    it('keeps the pictures that are whole when the others stay damaged, and says so', async () => {
      world.service.on(submission, accepted).on(query, completed([damaged, inline(picture())]));
      const task = await run({ n: 2 }, fastClock(2000));
      assert.deepEqual([task.status, task.error?.code], ['completed', 'protocol']);
      assert.deepEqual(await published(), ['a-red-fox.png']);
    });
  });

  describe('results', () => {
    it('are asked for again while their address is none, and once more when a person says so', async () => {
      const nowhere = completed([{ url: 'http://' }]);
      const elsewhere = ['file:///etc/hostname', 'javascript:alert(1)'].map((url) => completed([{ url }]));
      const somewhere = completed([{ url: `${world.service.baseUrl}/a.png` }]);
      world.service.on(submission, accepted).on(query, nowhere, ...elsewhere, somewhere);
      world.service.on('GET /a.png', image(picture()));
      assert.equal((await run()).status, 'completed');

      world.service.on(query, nowhere);
      const engine = await world.open({ clock: fastClock(2000) });
      const { id } = await engine.runner.start(world.request());
      const { status, error } = await engine.runner.outcome(id);
      assert.deepEqual([status, error?.code, error?.billing], ['failed', 'protocol', 'yes']);
      assert.match(error?.message ?? '', /has a URL that it can't be fetched from/u);
      world.service.on(query, somewhere);
      await engine.runner.resume(id);
      assert.equal((await engine.runner.outcome(id)).status, 'completed');
    });

    it('are fetched where they were said to be although the service lists them no more', async () => {
      const url = `${world.service.baseUrl}/a.png`;
      world.service.on(submission, accepted).on(query, completed([{ url }]), completed([]));
      world.service.on('GET /a.png', refusal(404, ''), image(picture()));
      const task = await run({}, fastClock(2000));
      assert.deepEqual([task.status, task.error], ['completed', undefined]);
    });

    it('are gone once the service says so of their task, and can be asked for by a person', async () => {
      const gone = refusal(404, 'task_not_found');
      const completion = completed([{ url: `${world.service.baseUrl}/a.png` }]);
      world.service.on(submission, accepted).on(query, completion, gone).on('GET /a.png', refusal(404, ''));
      const engine = await world.open({ clock: fastClock(2000) });
      const { id } = await engine.runner.start(world.request());
      const { status, error } = await engine.runner.outcome(id);
      assert.deepEqual([status, error?.code, error?.billing], ['expired', 'result_expired', 'yes']);
      world.service.on('GET /a.png', image(picture()));
      await engine.runner.saveAgain(id);
      assert.equal((await engine.runner.outcome(id)).status, 'completed');
    });

    describe('that end before the picture does', () => {
      const whole = picture('a red fox in the snow, '.repeat(20));
      const half = whole.subarray(0, whole.length / 2);
      async function saved(
        ...replies: Reply[]
      ): Promise<[bytes: Buffer, seemsCut: true | undefined, asked: number]> {
        world.service.delivers(whole).on(result, ...replies);
        const { status, results } = await run();
        assert.equal(status, 'completed');
        const [{ uri = '', seemsCut } = aResult()] = results;
        return [await readFile(pathOfUri(uri)), seemsCut, world.service.count(result)];
      }

      it('are fetched again', async () => {
        const replies = Array.from({ length: 7 }, () => unannounced(half));
        assert.deepEqual(await saved(...replies, unannounced(whole)), [whole, undefined, 8]);
      });

      it('are saved as they are once nothing else comes, and the result says so', async () => {
        assert.deepEqual(await saved(unannounced(half)), [half, true, 8]);
      });

      it('are saved as they came within an answer, and the result says so', async () => {
        world.service.on(submission, json(200, { created: 1, data: [inline(half), inline(whole)] }));
        const { status, results } = await run({ callStyle: 'sync', n: 2 });
        assert.deepEqual(
          [status, ...results.map(({ seemsCut }) => seemsCut)],
          ['completed', true, undefined],
        );
      });
    });

    it('are fetched four at a time, of however many tasks', async () => {
      const names = Array.from({ length: 6 }, (_, index) => `${index}.png`);
      world.service.delivers(...names.map((name) => picture(name)));
      const waiting: (() => void)[] = [];
      let [open, most] = [0, 0];
      for (const [index, name] of names.entries()) {
        world.service.on(`GET /api/async-images/${name}`, async (...exchange) => {
          most = Math.max(most, (open += 1));
          await new Promise<void>((resolve) => waiting.push(resolve));
          open -= 1;
          await image(picture(names[index]))(...exchange);
        });
      }
      const engine = await world.open();
      const tasks = [1, 2].map(() => engine.runner.start(world.request({ n: 6 })));
      const outcomes = (await Promise.all(tasks)).map(({ id }) => engine.runner.outcome(id));
      for (let released = 0; released < 12; released++) {
        const asked = async (): Promise<number> => released + waiting.length;
        await eventually('the next is asked for', asked, (count) => count >= Math.min(4 + released, 12));
        waiting.shift()?.();
      }
      for (const { status } of await Promise.all(outcomes)) {
        assert.equal(status, 'completed');
      }
      assert.equal(most, 4);
    });

    it('are not fetched beyond twice what was asked for, but once a person says so', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `${index}.png`);
      world.service.delivers(...names.map((name) => picture(name)));
      const engine = await world.open();
      const { id } = await engine.runner.start(world.request());
      const { status, results } = await engine.runner.outcome(id);
      const saved = results.filter(({ state }) => state === 'saved');
      assert.deepEqual([status, saved.length, (await published()).length], ['completed', 16, 16]);
      const { state, error, url } = results[16] ?? assert.fail();
      assert.deepEqual([state, error?.code, typeof url], ['failed', 'result_refused', 'string']);
      assert.equal(
        error?.message,
        'The service lists 20 images instead of 1. Those after the first 16 are fetched only if you choose to.',
      );
      await engine.runner.resumeUnfinished();
      assert.equal(world.service.count('GET /api/async-images/16.png'), 0);

      await engine.runner.saveAgain(id);
      const whole = await engine.runner.outcome(id);
      assert.ok(whole.results.every((result) => result.state === 'saved' && !result.surplus));
      assert.equal((await published()).length, 20);
    });

    it('takes no picture for another when one came within the answer and one is to be fetched', async () => {
      world.service.delivers(picture('fetched')).on(
        query,
        json(200, {
          id: 'task_1',
          status: 'completed',
          data: [{ url: `${world.service.baseUrl}/api/async-images/0.png` }, inline(picture('within'))],
        }),
      );
      const task = await run({ n: 2 });
      const files = task.results.map(({ uri = '' }) => pathOfUri(uri));
      const saved = await Promise.all(files.map((file) => readFile(file)));
      assert.deepEqual(
        saved.toSorted((one, other) => one.compare(other)),
        [picture('within'), picture('fetched')],
      );
    });

    it('fetches again by itself what came as no image, whatever it is called', async () => {
      const replies = ['<html>blocked</html>', '<Error/>', '\0\0\0'].map((text) => image(Buffer.from(text)));
      world.service.delivers(picture()).on(result, ...replies, image(picture()));
      assert.equal((await run()).status, 'completed');
      assert.deepEqual(await published(), ['a-red-fox.png']);
    });

    it('sweeps copies of images that were kept for 30 days', async () => {
      const engine = await world.open();
      const path = await engine.keptFiles.keep(Buffer.from('a fox'), 'fox.png');
      await utimes(dirname(path), 1, 1);
      await engine.runner.resumeUnfinished();
      await assert.rejects(stat(path), { code: 'ENOENT' });
    });

    it('refuses a folder that leads out of the workspace before anything is sent', async () => {
      const engine = await world.open();
      const { target } = world.request();
      const folders = [`${target.root}/../evil`];
      if (noLinkRights === false) {
        await symlink(tmpdir(), join(world.workspace, 'link'));
        folders.push(`${target.root}/link`);
      }
      for (const folder of folders) {
        await assert.rejects(engine.runner.start(world.request({ target: { ...target, folder } })), {
          code: 'save_failed',
          billing: 'no',
        });
      }
      assert.deepEqual([world.service.seen.length, engine.store.count()], [0, 0]);
    });

    it('refuses a request of the wrong shape before anything is sent', async () => {
      const engine = await world.open();
      for (const wrong of [{ n: 0 }, { n: 1.5 }, { n: 101 }, { size: 1024 }, { callStyle: 'bogus' }]) {
        await assert.rejects(engine.runner.start(Object.assign(world.request(), wrong)), {
          code: 'invalid_request',
          billing: 'no',
        });
      }
      assert.deepEqual([world.service.seen.length, engine.store.count()], [0, 0]);
    });

    it('keeps pictures in the inbox while their workspace is gone, and delivers them when it is back', async () => {
      world.service.delivers(picture());
      const away = `${world.workspace}-away`;
      const engine = await world.open();
      const { id } = await engine.runner.start(world.request());
      renameSync(world.workspace, away);
      const waiting = await engine.runner.outcome(id);
      assert.deepEqual([waiting.status, waiting.results[0]?.state], ['completed', 'staged']);
      assert.equal(waiting.results[0]?.error?.code, 'save_failed');
      assert.deepEqual(await readdir(join(world.home, 'inbox')), ['a-red-fox.png']);
      await rename(away, world.workspace);
      await engine.runner.resumeUnfinished();
      await world.when(engine, id, ({ results }) => results[0]?.state === 'saved');
      // The inbox lets go of a picture after the row says where it is; closing waits for that.
      await world.close(engine);
      assert.deepEqual(await published(), ['a-red-fox.png']);
      assert.deepEqual(await readdir(join(world.home, 'inbox')), []);
    });

    it('keeps pictures for a workspace that is not on disk until a window can publish there', async () => {
      world.service.delivers(picture());
      const root = 'vscode-vfs://github/o/r';
      const target = { folder: `${root}/images`, root, fileName: '{prompt}' };
      const without = await world.open();
      const { id } = await without.runner.start(world.request({ target }));
      assert.equal((await without.runner.outcome(id)).results[0]?.state, 'staged');
      await world.close(without);
      const stored = new Map<string, Buffer>();
      const engine = await world.open({
        publisher: async () => ({
          publish: async (stagedPath, { folder }, name) => {
            stored.set(`${folder}/${name}`, await readFile(stagedPath));
            return `${folder}/${name}`;
          },
        }),
      });
      await engine.runner.resumeUnfinished();
      const task = await world.when(engine, id, ({ results }) => results[0]?.state === 'saved');
      assert.equal(task.results[0]?.uri, `${root}/images/a-red-fox.png`);
      assert.deepEqual(stored.get(task.results[0]?.uri ?? ''), picture());
    });

    for (const [where, change] of [
      ['in another folder', (root: string) => ({ folder: `${root}/elsewhere`, root, fileName: 'fox' })],
      ['in the inbox, from a window that cannot publish there', () => undefined],
    ] as const) {
      it(`keeps ${where} what could not be published in a workspace that is not on disk`, async () => {
        world.service.delivers(picture());
        const root = 'vscode-vfs://github/o/r';
        const target = { folder: `${root}/images`, root, fileName: '{prompt}' };
        const engine = await world.open({
          publisher: async () => ({ publish: () => Promise.reject(new Error('It takes no files.')) }),
        });
        const { id } = await engine.runner.start(world.request({ target }));
        assert.equal((await engine.runner.outcome(id)).error?.code, 'save_failed');
        await world.close(engine);
        const other = await world.open();
        await other.runner.saveAgain(id, change(fileUri(world.workspace)));
        const task = await other.runner.outcome(id);
        assert.equal(task.status, 'completed');
        const [{ uri = '', stagedPath = pathOfUri(uri) } = aResult()] = task.results;
        assert.deepEqual(await readFile(stagedPath), picture());
      });
    }

    it('hands a picture over to a window that can publish it while both are open', async () => {
      world.service.delivers(picture());
      const root = 'vscode-vfs://github/o/r';
      const target = { folder: `${root}/images`, root, fileName: '{prompt}' };
      const able = await world.open({
        publisher: async () => ({ publish: async (_stagedPath, { folder }, name) => `${folder}/${name}` }),
      });
      await able.runner.resumeUnfinished();
      const unable = await world.open();
      const { id } = await unable.runner.start(world.request({ target }));
      const task = await world.when(able, id, ({ results }) => results[0]?.state === 'saved');
      assert.equal(task.results[0]?.uri, `${root}/images/a-red-fox.png`);
    });

    it('survives that it cannot look for pictures of other windows just now', async (test) => {
      world.service.delivers(picture());
      const engine = await world.open();
      await engine.runner.resumeUnfinished();
      const { mock } = test.mock.method(engine.store, 'unsaved', () => {
        throw new Error('disk I/O error');
      });
      const { id } = await engine.runner.start(world.request());
      assert.equal((await engine.runner.outcome(id)).results[0]?.state, 'saved');
      assert.ok(mock.callCount() > 0);
    });
  });

  describe('synchronous calls', () => {
    it('saves the pictures of the answer', async () => {
      world.service.on(
        submission,
        json(200, { created: 1, data: [inline(picture('one')), inline(picture('two'))] }),
      );
      const task = await run({ callStyle: 'sync', n: 2 });
      assert.equal(task.status, 'completed', JSON.stringify(task));
      assert.deepEqual(await published(), ['a-red-fox-2.png', 'a-red-fox.png']);
    });

    it('keeps the pictures that came whole when the body is cut', async () => {
      const body = JSON.stringify({
        created: 1,
        data: [inline(picture('one')), inline(picture('x'.repeat(5000)))],
      });
      world.service.on(submission, (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
        response.write(body.slice(0, -3000));
        setImmediate(() => response.destroy());
      });
      const task = await run({ callStyle: 'sync', n: 2 });
      assert.equal(task.status, 'completed', JSON.stringify(task));
      assert.equal(task.error?.code, 'network');
      assert.deepEqual(await published(), ['a-red-fox.png']);
      assert.equal(world.service.count(submission), 1);
    });

    it('is stopped at once', async () => {
      world.service.on(submission, silence);
      const engine = await world.open();
      const { id } = await engine.runner.start(world.request({ callStyle: 'sync' }));
      await world.service.got(submission);
      await engine.runner.stop(id);
      const task = await engine.runner.outcome(id);
      assert.deepEqual([task.status, task.error?.billing], ['stopped', 'maybe']);
    });

    it('runs again with the answer itself', async () => {
      world.service.on(submission, refusal(400, 'no_available_channel'));
      const engine = await world.open();
      const { id } = await engine.runner.start(world.request());
      const refused = await engine.runner.outcome(id);
      assert.equal(refused.status, 'failed');
      world.service.on(submission, json(200, { created: 1, data: [inline(picture())] }));
      const again = await engine.runner.start({ ...refused.request, callStyle: 'sync' });
      assert.equal(again.request.callStyle, 'sync');
      assert.equal((await engine.runner.outcome(again.id)).status, 'completed');
    });
  });

  describe('after a restart', () => {
    it('goes on polling and saving, without another POST', async () => {
      world.service.on(submission, accepted).on(query, working);
      const before = await world.open();
      const { id } = await before.runner.start(world.request());
      await world.until(before, id, 'in_progress');
      await world.close(before);
      world.service.delivers(picture());
      const engine = await world.open();
      await engine.runner.resumeUnfinished();
      assert.equal((await engine.runner.outcome(id)).status, 'completed');
      assert.equal(world.service.count(submission), 1);
    });

    it('saves a picture that came whole before its row said so, although the service has it no more', async () => {
      world.service.delivers(picture()).on(result, silence);
      const before = await world.open();
      const { id } = await before.runner.start(world.request());
      await world.service.got(result);
      await world.close(before);
      await stage(id);
      world.service.on(result, refusal(404, ''));
      const engine = await world.open();
      await engine.runner.resumeUnfinished();
      const task = await engine.runner.outcome(id);
      assert.equal(task.status, 'completed', JSON.stringify(task));
      assert.deepEqual(await published(), ['a-red-fox.png']);
      assert.equal(world.service.count(result), 1);
    });

    for (const [minutes, pause] of [
      [0, /Fetching again in 2 s/],
      [60, /Fetching again in 6\d s/],
    ] as const) {
      it(`fetches pictures again soon, and each minute where that has failed for ${minutes} minutes`, async () => {
        world.service.on(result, refusal(500, ''));
        const troubleSince = Date.now() - minutes * 60_000;
        const results = [aResult({ url: `${world.service.baseUrl}/api/async-images/0.png` })];
        await leave(aTask({ ...requested(), status: 'saving', remoteId: 'task_1', troubleSince, results }));
        const { runner } = await world.open({ clock: fastClock(1) });
        await runner.resumeUnfinished();
        await world.log.has(/Fetching again/);
        assert.match(world.log.lines.join('\n'), pause);
      });
    }

    it('asks before it sends what was not sent', async () => {
      world.service.on(submission, refusal(503, 'queue_full', { 'retry-after': '500' }));
      const before = await world.open({ clock: fastClock(1) });
      const { id } = await before.runner.start(world.request());
      await world.when(before, id, ({ retryAt }) => retryAt !== undefined);
      await world.close(before);
      world.service.delivers(picture());
      const engine = await world.open();
      await engine.runner.resumeUnfinished();
      const held = await world.when(engine, id, (task) => task.held === true);
      assert.equal(held.status, 'waiting');
      assert.equal(world.service.count(submission), 1);
      await engine.runner.sendNow(id);
      assert.equal((await engine.runner.outcome(id)).status, 'completed');
      assert.equal(world.service.count(submission), 2);
    });

    it('does not know what became of a request that was open as it was closed', async () => {
      world.service.on(submission, silence);
      const before = await world.open();
      const { id } = await before.runner.start(world.request());
      await world.service.got(submission);
      await world.close(before);
      const engine = await world.open();
      await engine.runner.resumeUnfinished();
      const task = await engine.runner.outcome(id);
      assert.deepEqual([task.status, task.error?.billing], ['unknown', 'maybe']);
      assert.equal(world.service.count(submission), 1);
    });

    it('waits as long as it is told for a request that is open as it is closed', async () => {
      const clock = new ManualClock();
      const late = Promise.withResolvers<void>();
      const accepted = world.service.delivers(picture()).reply(submission);
      world.service.on(submission, (...given) => void late.promise.then(async () => accepted(...given)));
      const before = await world.open({ clock });
      const { id } = await before.runner.start(world.request());
      await world.service.got(submission);
      const closed = before.dispose(3_600_000);
      await clock.pass(3_000_000);
      late.resolve();
      await closed;
      const engine = await world.open();
      assert.equal(engine.store.get(id)?.remoteId, 'task_1');
    });

    it('finds what was started while the engine stopped, which sent nothing any more', async () => {
      world.service.delivers(picture());
      const stopping = await world.open();
      const starting = stopping.runner.start(world.request({ prompt: 'a late fox' }));
      await stopping.runner.dispose();
      const { id } = await starting;
      assert.equal((await run()).status, 'completed');
      assert.equal(world.service.count(submission), 1);
      assert.equal(stopping.store.get(id)?.status, 'waiting');
    });

    it('sweeps what no task needs', async () => {
      const leftover = join(world.home, 'incoming', 'gone');
      await mkdir(leftover, { recursive: true });
      await writeFile(join(leftover, '0-1.part'), 'half');
      const engine = await world.open();
      await engine.runner.resumeUnfinished();
      assert.deepEqual(await readdir(join(world.home, 'incoming')), []);
    });
  });

  it('hears the answer to its request although another window gave the task up', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.service.delivers(picture()).on(submission, async (request, response) => {
      await promise;
      await accepted(request, response);
    });
    const [worker, other] = [await world.open(), await world.open()];
    const { id } = await worker.runner.start(world.request());
    await world.until(worker, id, 'submitting');
    const given = await other.store.apply(
      id,
      { type: 'lost', at: 1, error: { code: 'outcome_unknown', message: 'It fell silent.' } },
      { take: true },
    );
    assert.equal(given.ok && given.task.status, 'unknown');
    resolve();
    const task = await world.until(worker, id, 'completed');
    assert.equal(task.results[0]?.state, 'saved');
    assert.equal(world.service.count(submission), 1);
  });

  it('works again on a task that was given up once a picture came, should its window die, too', async () => {
    const whole = picture('x'.repeat(200_000));
    const { b64_json: text } = inline(whole);
    const { promise, resolve } = Promise.withResolvers<void>();
    world.service.on(submission, async (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`{"data":[{"b64_json":"${text.slice(0, text.length / 2)}`);
      await promise;
      response.write(`${text.slice(text.length / 2)}"},{"b64_json":"`);
    });
    const [worker, other] = [await world.open(), await world.open()];
    const { id } = await worker.runner.start(world.request({ callStyle: 'sync', n: 2 }));
    await world.until(worker, id, 'in_progress');
    await other.store.apply(
      id,
      { type: 'lost', at: 1, error: { code: 'outcome_unknown', message: 'It fell silent.' } },
      { take: true },
    );
    resolve();
    const task = await world.when(worker, id, ({ results }) => results.length === 1);
    assert.equal(task.status, 'in_progress');
    assert.notEqual(worker.store.leases.fenceOf(id), undefined);
    world.service.hangUp();
    await world.until(worker, id, 'completed');
    assert.deepEqual(await published(), ['a-red-fox.png']);
  });

  it('marks a picture of a task that has ended, for all windows, and refuses one that is not there', async () => {
    world.service.delivers(picture());
    const [here, there] = [await world.open(), await world.open()];
    const { id } = await here.runner.start(world.request());
    await here.runner.outcome(id);
    const received = world.when(there, id, ({ results }) => results[0]?.starred === true);
    const { results } = await here.runner.star(id, 0, true);
    assert.deepEqual(
      (await received).results.map(({ state, starred }) => [state, starred]),
      [['saved', true]],
    );
    assert.equal(results[0]?.starred, true);
    await there.runner.star(id, 0, false);
    assert.equal(here.store.get(id)?.results[0]?.starred, undefined);
    await assert.rejects(here.runner.star(id, 1, true), { code: 'stopped' });
    await assert.rejects(here.runner.star('none', 0, true), { code: 'stopped' });
  });

  it('leaves a removed task alone', async () => {
    world.service.on(submission, refusal(400, 'no'));
    const engine = await world.open();
    const { id } = await engine.runner.start(world.request());
    await engine.runner.outcome(id);
    await engine.store.remove(id);
    await assert.rejects(engine.runner.outcome(id), { code: 'stopped' });
    await rm(world.workspace, { recursive: true });
  });
});
