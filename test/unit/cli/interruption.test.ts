import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { DemoServiceOptions } from '../../../src/demo/endpoints/options.ts';
import { type Ended, type Running, World } from '../../support/cli/limner.ts';

/** A service whose tasks and calls are done when its clock is moved by this many milliseconds. */
const hour = 3_600_000;
const frozen: DemoServiceOptions = { clock: 'frozen', taskDuration: hour, syncDuration: hour };

describe('limner, interrupted', { concurrency: 2 }, () => {
  it('stops watching a task, says that it goes on, and fetches it later without paying again', async () => {
    await using world = await World.open(frozen);
    const { code, stdout, stderr } = await interrupt(await begin(world), 'SIGINT');
    assert.equal(code, 130);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /can't cancel it and may still finish it\. It may still be billed\. Run "limner tasks --resume \w+" to ask the service for it at no extra cost/,
    );
    assert.equal((await world.tasks())[0]?.status, 'stopped');

    await world.demo.advance(hour);
    const resumed = await world.run(['tasks', '--resume']);
    assert.equal(resumed.stdout, `${world.path('a-fox.png')}\n`);
    assert.equal(resumed.code, 0);
    assert.equal((await world.posts()).length, 1);
    assert.deepEqual(await world.ledger(), ['settled']);
  });

  it('says that the answer of a synchronous call is lost', async () => {
    await using world = await World.open(frozen);
    const running = world.start(['generate', 'a fox', '--size', '64x64', '--call-style', 'sync']);
    await world.got(1);
    const { code, stderr } = await interrupt(running, 'SIGINT');
    assert.equal(code, 130);
    assert.match(stderr, /the response, which can no longer be fetched\. .*It may still be billed\./);
    const resumed = await world.run(['tasks', '--resume']);
    assert.match(resumed.stderr, /There are no unfinished tasks\./);
    assert.equal((await world.posts()).length, 1);
  });

  it('waits a moment for the id of a submission on its way, so that it can be fetched', async () => {
    await using world = await World.open({ ...frozen, faults: [slowAnswer] });
    const running = world.start(['generate', 'a fox', '--size', '64x64']);
    await world.got(1);
    running.kill('SIGHUP');
    await running.said('Press Ctrl+C again to exit immediately');
    // Of a closed terminal, its shell tells as well.
    running.kill('SIGHUP');
    await world.demo.advance(slowAnswer.milliseconds);
    const { code, stderr } = await running.ended;
    assert.equal(code, 129);
    assert.match(stderr, /"limner tasks --resume \w+" to ask the service for it at no extra cost/);
    await world.demo.advance(hour);
    assert.equal((await world.run(['tasks', '--resume'])).stdout, `${world.path('a-fox.png')}\n`);
    assert.equal((await world.posts()).length, 1);
  });

  it('ends at once when it is interrupted again', async () => {
    await using world = await World.open({ ...frozen, faults: [slowAnswer] });
    const running = world.start(['generate', 'a fox', '--size', '64x64']);
    await world.got(1);
    running.kill('SIGINT');
    await running.said('Press Ctrl+C again to exit immediately');
    running.kill('SIGINT');
    const { code, stderr } = await running.ended;
    assert.equal(code, 130);
    assert.ok(stderr.endsWith('to exit immediately.\n'), stderr);
    assert.equal((await world.tasks())[0]?.status, 'stopped');
  });

  it('exits with 3 for a call of a killed process that may have been billed', async () => {
    await using world = await World.open(frozen);
    const running = world.start(['generate', 'a fox', '--size', '64x64', '--call-style', 'sync']);
    await world.got(1);
    await interrupt(running, 'SIGKILL');
    const resumed = await world.run(['tasks', '--resume']);
    assert.equal(resumed.code, 3);
    assert.match(resumed.stderr, /May have been billed\. Check your account/);
    assert.equal((await world.posts()).length, 1);
  });
});

describe('limner tasks --resume', { concurrency: 2 }, () => {
  it('does not wait for a key that is wrong or missing, and goes on with the right one', async () => {
    await using world = await World.open(frozen);
    await interrupt(await begin(world), 'SIGINT');
    await world.demo.advance(hour);
    for (const env of [{ LIMNER_API_KEY: 'wrong' }, { LIMNER_BASE_URL: undefined }]) {
      const refused = await world.run(['tasks', '--resume'], env);
      assert.equal(refused.code, 1);
      assert.ok(refused.stderr.includes(`to the values for ${world.demo.baseUrl}`), refused.stderr);
      assert.equal((await world.tasks())[0]?.status, 'needs_key');
    }
    const resumed = await world.run(['tasks', '--resume']);
    assert.equal(resumed.stdout, `${world.path('a-fox.png')}\n`);
    assert.equal(resumed.code, 0);
  });

  it('does not send what was never sent; --send does', async () => {
    await using world = await World.open({ faults: [busy] });
    const id = await leaveUnsent(world);
    for (const resumed of [await world.run(['tasks', '--resume']), await world.run(['tasks', '--resume'])]) {
      assert.equal(resumed.code, 1);
      assert.match(
        resumed.stderr,
        new RegExp(`Not sent yet: "a fox"\\. Run "limner tasks --send ${id}" to send it`),
      );
      assert.equal((await world.posts()).length, 1);
    }

    const sent = await world.run(['tasks', '--send']);
    assert.equal(sent.stdout, `${world.path('a-fox.png')}\n`);
    assert.equal(sent.code, 0);
    assert.equal((await world.posts()).length, 2);
    assert.deepEqual(await world.ledger(), ['settled']);
  });

  it('saves again what could not be saved, to its folder or to another one', async () => {
    for (const [options, saved] of [
      [[], 'images/a-fox.png'],
      [['--folder', 'elsewhere'], 'elsewhere/a-fox.png'],
    ] as const) {
      await using world = await World.open(frozen);
      const running = await begin(world, ['--folder', 'images']);
      await rm(world.path('images'), { recursive: true });
      await writeFile(world.path('images'), 'in the way');
      await world.demo.advance(hour);
      const { code, stdout, stderr } = await running.ended;
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(
        stderr,
        /Couldn't save the image: .*Run "limner tasks --resume", with --folder if needed, to save/,
      );

      assert.equal((await world.run(['tasks', '--resume'])).code, 1);
      if (options.length === 0) {
        await rm(world.path('images'));
        await mkdir(world.path('images'));
      }
      const resumed = await world.run(['tasks', '--resume', ...options]);
      assert.equal(resumed.stdout, `${world.path(saved)}\n`);
      assert.equal(resumed.code, 0);
      assert.deepEqual(await world.ledger(), ['settled']);
    }
  });

  it('goes on with several tasks and says which is which', async () => {
    await using world = await World.open(frozen);
    await Promise.all(
      ['one', 'two'].map(async (name) => interrupt(await begin(world, ['--name', name]), 'SIGINT')),
    );
    const running = world.start(['tasks', '--resume']);
    const ids = (await world.tasks()).map(({ taskId }) => taskId);
    await Promise.all(ids.map(async (id) => running.said(id)));
    await world.demo.advance(hour);
    const { code, stdout } = await running.ended;
    assert.deepEqual(stdout.trimEnd().split('\n').toSorted(), [world.path('one.png'), world.path('two.png')]);
    assert.equal(code, 0);
    assert.equal((await world.posts()).length, 2);
  });
});

describe('limner tasks', { concurrency: 2 }, () => {
  it('needs neither a service nor a key', async () => {
    await using world = await World.open();
    const { code, stderr } = await world.run(['tasks'], {
      LIMNER_API_KEY: undefined,
      LIMNER_BASE_URL: undefined,
    });
    assert.equal(stderr, 'There are no tasks.\n');
    assert.equal(code, 0);
  });
});

/** The answer to a submission takes its time. */
const slowAnswer = { kind: 'delay', on: 'generations', times: 1, skip: 0, milliseconds: 1000 } as const;

/** The first submission meets a full queue, and is to come back much later. */
const busy = {
  kind: 'status',
  on: 'generations',
  times: 1,
  skip: 0,
  status: 503,
  code: 'queue_full',
  message: 'The queue is full.',
  headers: { 'retry-after': '600' },
} as const;

/** Starts a task and waits until the service has it. */
async function begin(world: World, options: readonly string[] = []): Promise<Running> {
  const running = world.start(['generate', 'a fox', '--size', '64x64', ...options]);
  await running.said('queued');
  return running;
}

async function interrupt(running: Running, signal: NodeJS.Signals): Promise<Ended> {
  running.kill(signal);
  return running.ended;
}

/** Leaves a task behind that waits for a service that was busy, and gives its id. */
async function leaveUnsent(world: World): Promise<string> {
  const running = world.start(['generate', 'a fox', '--size', '64x64']);
  await running.said('service is busy, next try in');
  await interrupt(running, 'SIGKILL');
  const [task] = await world.tasks();
  assert.equal(task?.status, 'waiting');
  return task.taskId;
}
