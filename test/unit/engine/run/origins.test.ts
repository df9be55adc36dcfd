import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import type { KeyRing } from '../../../../src/engine/task/keyRing.ts';
import { json, LoopbackService, picture } from '../../../support/service/loopbackService.ts';
import { World } from '../../../support/engine/world.ts';

const submission = 'POST /v1/images/generations';
const query = 'GET /v1/images/generations/task_1';
const working = json(200, { id: 'task_1', status: 'in_progress', progress: '40%' });

/** Keys by origin, as the editor keeps them; it remembers what it was asked for. */
class OriginKeys implements KeyRing {
  readonly asked = new Set<string>();
  readonly #keys = new Map<string, string>();

  set(baseUrl: string, key: string): void {
    this.#keys.set(new URL(baseUrl).origin, key);
  }

  get(origin: string): Promise<string | undefined> {
    this.asked.add(origin);
    return Promise.resolve(this.#keys.get(origin));
  }

  onDidChange(): { dispose(): void } {
    return { dispose: () => undefined };
  }
}

/** The different headers that carried a key to a service, on the calls that need one. */
function keysSentTo({ seen }: LoopbackService): string[] {
  return [
    ...new Set(seen.filter(({ path }) => path.startsWith('/v1')).map((call) => `${call.authorization}`)),
  ];
}

describe('the key of an origin', () => {
  let world: World;
  let other: LoopbackService;
  let keys: OriginKeys;
  let engine: Engine;

  beforeEach(async () => {
    world = await World.create();
    other = await LoopbackService.start();
    keys = new OriginKeys();
    keys.set(world.service.baseUrl, 'sk-of-the-first');
    engine = await world.open({ keys });
  });
  afterEach(async () => {
    await world.dispose();
    await other.stop();
  });

  it('is not sent to another one: without a key of its own, nothing is', async () => {
    const { id } = await engine.runner.start(world.request({ baseUrl: other.baseUrl }));
    assert.equal((await engine.runner.outcome(id)).error?.code, 'no_key');
    assert.equal(other.seen.length, 0);
  });

  it('goes with its tasks, which end where they began while the address in use is another', async () => {
    world.service.delivers(picture('first')).on(query, working);
    other.delivers(picture('second'));
    const first = await engine.runner.start(world.request());
    await world.until(engine, first.id, 'in_progress');

    // The base URL is another from here on.
    keys.set(other.baseUrl, 'sk-of-the-second');
    const second = await engine.runner.start(world.request({ baseUrl: other.baseUrl }));
    assert.equal((await engine.runner.outcome(second.id)).status, 'completed');

    world.service.delivers(picture('first'));
    assert.equal((await engine.runner.outcome(first.id)).status, 'completed');
    const again = await engine.runner.start(first.request);
    assert.equal((await engine.runner.outcome(again.id)).status, 'completed');

    assert.deepEqual(keysSentTo(world.service), ['Bearer sk-of-the-first']);
    assert.deepEqual(keysSentTo(other), ['Bearer sk-of-the-second']);
    assert.equal(world.service.count(submission), 2);
    assert.equal(other.count(submission), 1);
  });

  it('goes with its tasks over a restart, too', async () => {
    world.service.delivers(picture()).on(query, working);
    const { id } = await engine.runner.start(world.request());
    await world.until(engine, id, 'in_progress');
    await world.close(engine);

    keys.set(other.baseUrl, 'sk-of-the-second');
    world.service.delivers(picture());
    engine = await world.open({ keys });
    await engine.runner.resumeUnfinished();
    assert.equal((await engine.runner.outcome(id)).status, 'completed');
    assert.deepEqual(keysSentTo(world.service), ['Bearer sk-of-the-first']);
    assert.equal(other.seen.length, 0);
  });

  it('belongs to scheme, host and port together', async () => {
    const { port } = new URL(world.service.baseUrl);
    for (const baseUrl of [
      `http://localhost:${port}`,
      `https://127.0.0.1:${port}/v1`,
      `http://127.0.0.2:${port}`,
      'http://127.0.0.1:1/v1',
    ]) {
      const { id } = await engine.runner.start(world.request({ baseUrl }));
      assert.equal((await engine.runner.outcome(id)).error?.code, 'no_key', baseUrl);
    }
    assert.equal(world.service.seen.length, 0);
    assert.equal(keys.asked.size, 4);
  });
});
