import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Allowance } from '../../../../src/agents/tools/allowance.ts';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { newTaskId } from '../../../../src/engine/task/taskId.ts';
import { aRequest, aTask, anError } from '../../../support/engine/taskBuilders.ts';
import { World } from '../../../support/engine/world.ts';

const hour = 3_600_000;
const start = 1_700_000_000_000;

describe('the allowance of a session', () => {
  let world: World;
  let engine: Engine;

  beforeEach(async () => {
    world = await World.create();
    engine = await world.open();
  });
  afterEach(() => world.dispose());

  /** Spends an image at this time on a task that ends at once. */
  async function spend(allowance: Allowance, now: number, changes: Partial<Task> = {}): Promise<string> {
    const { id } = await allowance.spend(engine.store, 1, now, async (check) => {
      const request = aRequest({ startedBy: 'agent', agent: { call: newTaskId(now) } });
      const task = aTask({ id: newTaskId(now), createdAt: now, status: 'completed', request, ...changes });
      await engine.store.add(task, check);
      return task;
    });
    return id;
  }

  it('holds as long as the session, also for tasks that are old or were removed', async () => {
    const allowance = new Allowance(() => ({ session: 2, day: 50 }));
    const id = await spend(allowance, start);
    assert.ok(await engine.store.remove(id));
    await spend(allowance, start);
    await assert.rejects(spend(allowance, start + 30 * hour), /2 images in one session/u);
  });

  it('counts nothing that was not billed', async () => {
    const allowance = new Allowance(() => ({ session: 1, day: 50 }));
    await spend(allowance, start, { status: 'failed', error: anError({ billing: 'refunded' }) });
    await spend(allowance, start);
    await assert.rejects(spend(allowance, start), /1 image in one session/u);
  });
});
