import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Engine } from '../../src/engine/run/engine.ts';
import { World } from '../support/engine/world.ts';
import { ManualClock } from '../support/manualClock.ts';
import { json, picture } from '../support/service/loopbackService.ts';
import { SteadyTransports } from '../unit/network/steadyTransports.ts';

const minute = 60_000;
const hour = 60 * minute;

const query = 'GET /v1/images/generations/task_1';
const hibernating = { id: 'task_1', status: 'hibernating' };

describe('A service that says nothing new', () => {
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

  it('is asked for a day awake, and then again once a person says so', async () => {
    world.service.on(query, json(200, hibernating));
    const { id } = await engine.runner.start(world.request());
    await transports.until(
      clock,
      world.when(engine, id, ({ remoteStatus }) => remoteStatus === 'hibernating'),
    );
    clock.jump(72 * hour);
    await transports.pass(clock, minute);
    assert.equal(engine.store.get(id)?.status, 'in_progress');

    // Seldom, so that a day is soon over.
    world.service.on(query, json(200, hibernating, { 'retry-after': '900' }));
    await transports.pass(clock, 23 * hour);
    assert.equal(engine.store.get(id)?.status, 'in_progress');
    await transports.pass(clock, 2 * hour);
    const { status, error } = engine.store.get(id) ?? assert.fail();
    assert.deepEqual([status, error?.code, error?.billing], ['stopped', 'timeout', 'maybe']);

    const data = [{ url: `${world.service.baseUrl}/api/async-images/0.png` }];
    world.service.on(query, json(200, { id: 'task_1', status: 'completed', data }));
    await engine.runner.resume(id);
    await transports.until(clock, world.until(engine, id, 'completed'));
    assert.equal(world.service.count('POST /v1/images/generations'), 1);
  });
});
