import assert from 'node:assert/strict';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Clock } from '../../../../src/common/clock.ts';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import { twoBackgroundsRequest } from '../../../../src/engine/task/twoBackgrounds.ts';
import { addUp, spendingOf } from '../../../../src/engine/task/spending.ts';
import { fastClock, World } from '../../../support/engine/world.ts';
import { json, picture, reset } from '../../../support/service/loopbackService.ts';

const post = 'POST /v1/images/generations';
const price = { amount: 0.5, currency: 'USD' };

/** Returns a clock that begins at noon, in the middle of a month. */
function fromNoon(clock: Clock): Clock {
  const shift = new Date(2026, 4, 15, 12).getTime() - clock.now();
  return { ...clock, now: () => clock.now() + shift };
}

describe('the budget of an engine', () => {
  let world: World;
  let engine: Engine;
  beforeEach(async () => {
    world = await World.create();
    world.service.delivers(picture());
    engine = await world.open({ clock: fromNoon(fastClock()) });
  });
  afterEach(async () => world.dispose());

  /** Returns what was spent in dollars, and at most. */
  function spent(): [about: number, atMost: number] {
    const { about, atMost } = addUp(engine.store.spent.between(0).map(spendingOf)).get('USD') ?? {
      about: 0,
      atMost: 0,
    };
    return [about, atMost];
  }

  async function start(changes: Parameters<World['request']>[0] = {}): Promise<string> {
    return (await engine.runner.start(world.request({ price, ...changes }))).id;
  }

  it('refuses what exceeds it, before anything is sent or in the list', async () => {
    world.settings.budget = { day: '1 USD' };
    await engine.runner.outcome(await start());
    await assert.rejects(start({ n: 2 }), { code: 'over_budget', billing: 'no', sent: false });
    assert.equal(world.service.count(post), 1);
    assert.equal(engine.store.count(), 1);
    await engine.runner.outcome(await start());
    assert.deepEqual(spent(), [1, 1]);
    await assert.rejects(start(), {
      message: 'The budget for a day is 1 USD. This run costs about 0.50 USD. Spent today: 1 USD.',
    });
  });

  it('allows nothing where part of what was spent is in a list that cannot be read', async () => {
    world.settings.budget = { day: '1 USD' };
    const aside = join(world.home, 'limner.db.newer-20260101000000');
    await mkdir(aside);
    await assert.rejects(start(), {
      code: 'over_budget',
      message: `What was spent isn't known: part of it is in ${aside}, a task list that can't be read now. Give access to that file, or move it away to do without it.`,
    });
    await rmdir(aside);
    await engine.runner.outcome(await start());
    assert.equal(world.service.count(post), 1);
  });

  it('is exceeded by a person who decides to', async () => {
    world.settings.budget = { month: '0 USD' };
    const { id } = await engine.runner.start(world.request({ price }), { isBeyondBudget: true });
    assert.equal((await engine.runner.outcome(id)).status, 'completed');
    assert.deepEqual(spent(), [0.5, 0.5]);
  });

  it('is kept to by runs that start together, while none of them is billed yet', async () => {
    world.settings.budget = { day: '1.5 USD' };
    const starts = await Promise.allSettled(Array.from({ length: 10 }, async () => start()));
    const started = starts.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    assert.equal(started.length, 3);
    await Promise.all(started.map(async (id) => engine.runner.outcome(id)));
    assert.equal(world.service.count(post), 3);
  });

  it('counts what failed at the service no more, and what nobody knows of as if it was billed', async () => {
    world.settings.budget = { day: '1 USD' };
    world.service.on('GET /v1/images/generations/task_1', json(200, { id: 'task_1', status: 'failed' }));
    const failed = await start({ n: 2 });
    assert.deepEqual(spent(), [0, 1]);
    assert.equal((await engine.runner.outcome(failed)).error?.billing, 'refunded');
    assert.deepEqual(spent(), [0, 0]);
    world.service.on(post, reset);
    assert.equal((await engine.runner.outcome(await start({ n: 2 }))).status, 'unknown');
    assert.deepEqual(spent(), [0, 1]);
    await assert.rejects(start(), { code: 'over_budget' });
  });

  it('counts the images that came, not those that were asked for', async () => {
    await engine.runner.outcome(await start({ n: 4 }));
    assert.deepEqual(spent(), [0.5, 0.5]);
  });

  it('counts both images on two backgrounds before the first one is made', async () => {
    world.settings.budget = { day: '0.9 USD' };
    await assert.rejects(engine.runner.start(twoBackgroundsRequest(world.request({ price }))), {
      code: 'over_budget',
    });
    world.settings.budget = { day: '1 USD' };
    world.service.on(post, () => {});
    await engine.runner.start(twoBackgroundsRequest(world.request({ price })));
    assert.deepEqual(spent(), [0, 1]);
  });

  it('holds for what was left unsent, on the day on which it is sent', async () => {
    await engine.runner.outcome(await start());
    const held = await heldTask();
    world.settings.budget = { day: '0.5 USD' };
    await assert.rejects(engine.runner.sendNow(held), { code: 'over_budget' });
    assert.equal(engine.store.get(held)?.held, true);
    const sent = await engine.runner.sendNow(held, { isBeyondBudget: true });
    assert.ok((sent.orderedAt ?? 0) > sent.createdAt);
    await engine.runner.outcome(held);
    assert.deepEqual(spent(), [1, 1]);
  });

  it('that can not be read refuses everything', async () => {
    world.settings.budget = { day: 'two' };
    await assert.rejects(start(), { code: 'over_budget', message: /^The budget can't be read: day: / });
    assert.equal(world.service.count(post), 0);
  });

  it('is not asked about what is free', async () => {
    world.settings.budget = { day: '0 USD' };
    const { id } = await engine.runner.start(world.request({ free: true }));
    assert.equal((await engine.runner.outcome(id)).status, 'completed');
  });

  /** Returns the ID of a task that another window left unsent. */
  async function heldTask(): Promise<string> {
    const [task] = engine.store.list({ limit: 1 });
    assert.ok(task);
    const id = `${task.id.slice(0, -1)}~`;
    const { request, origin, createdAt } = task;
    await engine.store.add({ id, request, origin, createdAt, status: 'waiting', held: true, results: [] });
    engine.store.releaseLease(id);
    return id;
  }
});
