import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Followers } from '../../../../src/agents/tools/followers.ts';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import type { TaskStatus } from '../../../../src/common/taskStatus.ts';
import type { TaskRequest } from '../../../../src/engine/task/task.ts';
import { newTaskId } from '../../../../src/engine/task/taskId.ts';
import { aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { World } from '../../../support/engine/world.ts';

describe('a call that waits for a task', () => {
  let world: World;
  let engine: Engine;

  beforeEach(async () => {
    world = await World.create();
    engine = await world.open();
  });
  afterEach(() => world.dispose());

  /** Waits for a task in a call that is canceled. @returns the status of the task then */
  async function canceled(status: TaskStatus, changes: Partial<TaskRequest> = {}): Promise<string> {
    const task = aTask({
      id: newTaskId(Date.now()),
      status,
      request: world.request(changes),
      createdAt: Date.now(),
    });
    await engine.store.add(task);
    const followers = new Followers({ engine: async () => Promise.resolve(engine) });
    const { task: left } = await followers.follow(task.id, { signal: AbortSignal.abort() });
    return left.status;
  }

  it('cancels what was not sent, and lets what was sent continue: the service bills it', async () => {
    const agent = { call: 'c' };
    assert.equal(await canceled('waiting', { agent }), 'stopped');
    assert.equal(await canceled('queued', { agent }), 'queued');
  });

  it('hears of the image on black that waits for a user, not of the one on white alone', async () => {
    const { signal } = new AbortController();
    const [first, second] = [newTaskId(Date.now()), newTaskId(Date.now())];
    const results = [aResult({ state: 'saved', onBlack: { id: second, begun: true } })];
    await engine.store.add(aTask({ id: first, status: 'completed', request: world.request(), results }));
    await engine.store.add(aTask({ id: second, status: 'waiting', held: true, request: world.request() }));
    const followers = new Followers({ engine: async () => Promise.resolve(engine) });
    const { task, onWhite } = await followers.follow(first, { signal });
    assert.deepEqual([task.id, task.held, onWhite?.id], [second, true, first]);
  });

  it("lets a user's own task go on", async () => {
    assert.equal(await canceled('waiting'), 'waiting');
  });
});
