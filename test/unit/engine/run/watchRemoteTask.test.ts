import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LimnerError, type ErrorRecord } from '../../../../src/common/limnerError.ts';
import { canBeResumed, canSaveAgain } from '../../../../src/common/taskStatus.ts';
import type { RemoteTask } from '../../../../src/service/terms/messages.ts';
import { aResult } from '../../../support/engine/taskBuilders.ts';
import { quiet, StillWorld } from '../../../support/engine/stillWorld.ts';

const minute = 60_000;
const hour = 60 * minute;
const seldom = { retryAfter: 15 * minute };

function told(progress: number, more: Partial<RemoteTask> = seldom): RemoteTask {
  return { id: 'task_1', status: 'in_progress', progress, ...more };
}

/** A report of a task in progress that lists images already, under signatures that are new each time. */
function listing(progress: number, at: number, ...names: string[]): RemoteTask {
  const listed = names.map((name) => ({
    kind: 'url' as const,
    url: `https://results.example/${name}.png?signature=${at}`,
  }));
  return { ...told(progress, {}), listed };
}

const images: RemoteTask = {
  id: 'task_1',
  status: 'completed',
  images: [{ kind: 'url', url: 'https://results.example/0.png' }],
};

async function broken(): Promise<never> {
  throw new LimnerError('task_query_failed', 'It broke.', { status: 500, sent: true, ...seldom });
}

async function untrusted(): Promise<never> {
  const lasting = { sent: false, lasting: true, billing: 'maybe' } as const;
  throw new LimnerError('network', 'The certificate is not trusted.', lasting);
}

describe('watchRemoteTask', () => {
  let world: StillWorld;

  beforeEach(async () => {
    world = await StillWorld.create();
  });

  afterEach(async () => world.dispose());

  it('leaves a task, resumable, whose trouble only a person can end, soon where nobody sits by', async () => {
    const unattended = await StillWorld.create(true);
    try {
      for (const [one, status] of [
        [world, 'in_progress'],
        [unattended, 'stopped'],
      ] as const) {
        one.query = async () => told(40, {});
        const id = await one.goOn();
        await one.pass(minute);
        one.query = untrusted;
        await one.pass(20_000);
        const task = one.task(id);
        assert.equal(task.status, status);
        assert.deepEqual([task.error?.code, task.error?.billing], ['network', 'maybe']);
        assert.ok(canBeResumed({ ...task, status: 'stopped' }));
      }
    } finally {
      await unattended.dispose();
    }
  });

  it('leaves an image, which can be fetched again, for the same reason', async () => {
    const unattended = await StillWorld.create(true);
    try {
      unattended.query = async () => images;
      unattended.download = async () => {
        throw new LimnerError('network', 'The certificate is not trusted.', { sent: false, lasting: true });
      };
      const id = await unattended.goOn();
      await unattended.pass(20_000);
      const task = unattended.task(id);
      assert.equal(task.status, 'failed');
      assert.ok(canSaveAgain(task));
    } finally {
      await unattended.dispose();
    }
  });

  it('stops a task, which can be resumed, once nothing new was reported of it for 24 hours', async () => {
    world.query = async () => told(40);
    const id = await world.goOn();
    await world.pass(20 * hour);
    world.query = async () => told(41);
    await world.pass(24 * hour);
    assert.equal(world.task(id).status, 'in_progress');
    await world.pass(15 * minute);
    const { status, error, progress } = world.task(id);
    assert.deepEqual([status, progress], ['stopped', 41]);
    assert.deepEqual(error, {
      code: 'timeout',
      message: 'The service has reported nothing new about the task for 24 hours.',
      phase: 'poll',
      billing: 'maybe',
    } satisfies ErrorRecord);
    const { length } = world.asked;
    await world.pass(hour);
    assert.equal(world.asked.length, length);
    world.query = async () => images;
    await world.runner.resume(id);
    await world.pass(0);
    assert.equal(world.task(id).status, 'completed');
  });

  it('takes no sleep of the machine for silence of the service', async () => {
    world.query = async () => told(40);
    const id = await world.goOn();
    for (let night = 0; night < 3; night++) {
      await world.pass(hour);
      world.clock.jump(12 * hour);
    }
    await world.pass(hour);
    assert.equal(world.task(id).status, 'in_progress');
  });

  describe('while nobody can be asked', () => {
    it('stops a task after 24 hours', async () => {
      world.query = broken;
      const id = await world.goOn();
      await world.pass(24 * hour - 1);
      const { status, error, retryAt } = world.task(id);
      assert.deepEqual([status, error?.code, error?.phase], ['queued', 'task_query_failed', 'poll']);
      assert.equal(retryAt, world.clock.now() + 1);
      await world.pass(1);
      const { status: last, error: why } = world.task(id);
      assert.deepEqual([last, why?.code, why?.phase], ['stopped', 'task_query_failed', 'poll']);
    });
  });

  it('keeps the picture that is here when the service forgot its task, and says of the other that it is gone', async () => {
    world.query = async () => {
      throw new LimnerError('task_not_found', 'Unknown.', { status: 404, sent: true });
    };
    const saved = aResult({ state: 'saved', uri: 'file:///fox.png' });
    const id = await world.goOn({ results: [saved, aResult({ index: 1 })] });
    await world.pass(hour);
    const { status, results } = world.task(id);
    assert.deepEqual([status, results[0]], ['completed', saved]);
    const { state, error } = results[1] ?? {};
    assert.deepEqual(
      [state, error?.code, error?.billing, error?.phase],
      ['failed', 'result_expired', 'yes', 'poll'],
    );
    assert.deepEqual([world.asked.length, world.fetched.length], [10, 0]);
  });

  describe('whose images are listed while it is in progress', () => {
    it('has them at 100 %, once they were the same three times', async () => {
      world.query = async () => listing(100, world.asked.length, world.asked.length === 1 ? 'first' : 'last');
      const id = await world.goOn();
      await world.pass(20_000);
      const { status, results } = world.task(id);
      assert.deepEqual([status, world.asked.length], ['completed', 4]);
      assert.match(results[0]?.url ?? '', /last\.png\?signature=4$/u);
    });

    it('has them at less once they were the same for a minute, and not while they change', async () => {
      world.query = async () => listing(40, world.asked.length, String(Math.floor(world.asked.length / 5)));
      const id = await world.goOn();
      await world.pass(5 * minute);
      assert.equal(world.task(id).status, 'in_progress');
      world.query = async () => listing(40, world.asked.length, 'last');
      await world.pass(minute - 5000);
      assert.equal(world.task(id).status, 'in_progress');
      await world.pass(20_000);
      assert.equal(world.task(id).status, 'completed');
    });
  });

  it('is stopped and resumed at any moment', async () => {
    const id = await world.goOn();
    for (let moment = 0; moment < 40; moment++) {
      await world.runner.stop(id);
      await quiet();
      const resumed = world.runner.resume(id);
      for (let turn = 0; turn < moment; turn++) {
        await Promise.resolve();
      }
      await world.runner.stop(id);
      await resumed;
      await world.runner.stop(id);
      await quiet();
    }
    const { length } = world.asked;
    await world.pass(hour);
    assert.equal(world.asked.length, length);
    await world.runner.resume(id);
    await world.pass(0);
    assert.equal(world.asked.length, length + 1);
  });
});
