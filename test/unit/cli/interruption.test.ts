import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { describe, it } from 'node:test';
import type { DemoServiceOptions } from '../../../src/demo/options.ts';
import { pngFile } from '../../support/images/pngFile.ts';
import { type Ended, jsonLines, linesOf, type Running, World } from '../../support/cli/limner.ts';

/** A service whose tasks and calls are done when its clock is moved by this many milliseconds. */
const hour = 3_600_000;
const frozen: DemoServiceOptions = { clock: 'frozen', taskDuration: hour, syncDuration: hour };

const picture = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 0, lines: [0, 0] });

describe('limner, interrupted', { concurrency: 2 }, () => {
  it('stops watching a task, says that it goes on, and fetches it later without paying again', async () => {
    await using world = await World.open(frozen);
    const { code, stdout, stderr } = await interrupt(await begin(world), 'SIGINT');
    assert.equal(code, 130);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /The service may still finish the task\. It may still be billed\. Run "limner tasks --resume" within 6 hours to fetch the result\./,
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
    const running = world.start(['generate', 'a fox', '--call-style', 'sync']);
    await world.got(1);
    const { code, stderr } = await interrupt(running, 'SIGINT');
    assert.equal(code, 130);
    assert.match(
      stderr,
      /may still finish this call, but its response can no longer be fetched\. It may still be billed\./,
    );
    const resumed = await world.run(['tasks', '--resume']);
    assert.match(resumed.stderr, /There are no unfinished tasks\./);
    assert.equal((await world.posts()).length, 1);
  });

  it('stops watching when the time to wait is over, as by Ctrl+C, and fails', async () => {
    await using world = await World.open(frozen);
    const running = world.start(['generate', 'a fox', '--size', '64x64', '--wait', '2s', '--json']);
    const { code, stdout, stderr } = await running.ended;
    const [task] = jsonLines(stdout);
    assert.deepEqual([code, task?.status], [1, 'stopped']);
    assert.match(stderr, /It may still be billed\./);
    assert.ok(stderr.includes(`Run "limner tasks --resume ${task?.taskId}" to wait on at no extra cost.`));
    await world.demo.advance(hour);
    const resumed = await world.run(['tasks', '--resume', task?.taskId ?? '', '--wait', '1m']);
    assert.deepEqual([resumed.code, resumed.stdout], [0, `${world.path('a-fox.png')}\n`]);
    assert.equal((await world.posts()).length, 1);
  });

  for (const [name, expected] of [
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    it(`ends cleanly on ${name}, too`, async () => {
      await using world = await World.open(frozen);
      const { code, signal, stderr } = await interrupt(await begin(world), name);
      assert.equal(code, expected);
      assert.equal(signal, null);
      assert.match(stderr, /"limner tasks --resume" within 6 hours to fetch the result/);
    });
  }

  for (const [name, expected] of [
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const) {
    it(`waits a moment for the id of a submission on its way, so that it can be fetched, on ${name}`, async () => {
      await using world = await World.open({ ...frozen, faults: [slowAnswer] });
      const running = world.start(['generate', 'a fox', '--size', '64x64']);
      await world.got(1);
      running.kill(name);
      await running.said('Press Ctrl+C again to exit immediately');
      // Of a closed terminal, its shell tells as well.
      if (name === 'SIGHUP') {
        running.kill(name);
      }
      await world.demo.advance(slowAnswer.milliseconds);
      const { code, stderr } = await running.ended;
      assert.equal(code, expected);
      assert.match(stderr, /"limner tasks --resume" within 6 hours to fetch the result/);
      await world.demo.advance(hour);
      assert.equal((await world.run(['tasks', '--resume'])).stdout, `${world.path('a-fox.png')}\n`);
      assert.equal((await world.posts()).length, 1);
    });
  }

  it('leaves a task to the process that watches it as well', async () => {
    await using world = await World.open(frozen);
    const other = await begin(world);
    await other.said('in progress');
    const running = world.start(['tasks', '--resume']);
    await running.said('in progress');
    const { code, stderr } = await interrupt(running, 'SIGINT');
    assert.equal(code, 130);
    assert.match(stderr, /Another process continues to watch this task\./);
    await world.demo.advance(hour);
    assert.equal((await other.ended).code, 0);
  });

  it('ends at once when it is interrupted again', async () => {
    await using world = await World.open({ ...frozen, faults: [slowAnswer] });
    const running = world.start(['generate', 'a fox']);
    await world.got(1);
    running.kill('SIGINT');
    await running.said('Press Ctrl+C again to exit immediately');
    running.kill('SIGINT');
    const { code, stderr } = await running.ended;
    assert.equal(code, 130);
    assert.ok(stderr.endsWith('to exit immediately.\n'), stderr);
    assert.equal((await world.tasks())[0]?.status, 'stopped');
  });

  it('takes up what a killed process left, without a second submission', async () => {
    await using world = await World.open(frozen);
    await interrupt(await begin(world), 'SIGKILL');
    await world.demo.advance(hour);
    const resumed = await world.run(['tasks', '--resume']);
    assert.equal(resumed.stdout, `${world.path('a-fox.png')}\n`);
    assert.equal(resumed.code, 0);
    assert.equal((await world.posts()).length, 1);
  });

  it('exits with 3 for a call of a killed process that may have been billed', async () => {
    await using world = await World.open(frozen);
    const running = world.start(['generate', 'a fox', '--call-style', 'sync']);
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
    for (const env of [
      { LIMNER_API_KEY: 'wrong' },
      { LIMNER_API_KEY: undefined },
      { LIMNER_BASE_URL: undefined },
    ]) {
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

  it('forgets what was never sent once it is stopped', async () => {
    await using world = await World.open({ faults: [busy] });
    const id = await leaveUnsent(world);
    const stopped = await world.run(['tasks', '--stop', id]);
    assert.equal(stopped.code, 0);
    assert.match(stopped.stderr, /Stopped before it was sent\. Not billed\./);
    assert.match((await world.run(['tasks', '--resume'])).stderr, /no unfinished tasks/);
    assert.equal((await world.posts()).length, 1);
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
        /The image wasn't saved\. .*Run "limner tasks --resume", with --folder if needed, to save/,
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

  it('asks the service for what failed here although it may be paid for', async () => {
    await using world = await World.open(frozen);
    await interrupt(await begin(world), 'SIGINT');
    const lost = { code: 'task_not_found', message: 'It is not found.', billing: 'maybe' };
    world.edit(`UPDATE tasks SET status = 'failed', state = json_set(state, '$.error', json(?))`, lost);
    await world.demo.advance(hour);
    const resumed = await world.run(['tasks', '--resume']);
    assert.equal(resumed.stdout, `${world.path('a-fox.png')}\n`, resumed.stderr);
    assert.equal(resumed.code, 0);
    assert.equal((await world.posts()).length, 1);
  });

  it('asks for an image that is past its time only by the id of its task', async () => {
    const headers = { 'retry-after': '600' };
    const missing = { kind: 'status', on: 'image', skip: 0, code: '', message: '', headers } as const;
    await using world = await World.open({ faults: [{ ...missing, status: 404, times: 0 }] });
    const running = world.start(['generate', 'a fox']);
    await running.said("doesn't have it yet");
    running.kill('SIGINT');
    assert.match((await running.ended).stderr, /Billed\. Run "limner tasks --resume" to save them/u);

    world.edit(`UPDATE tasks SET state = json_set(state, '$.completedAt', ?)`, Date.now() - 7 * hour);
    const expired = await world.run(['tasks', '--resume']);
    const id = (await world.tasks())[0]?.taskId ?? '';
    assert.ok(
      expired.stderr.includes(`Run "limner tasks --resume ${id}" to ask for it once more`),
      expired.stderr,
    );
    assert.deepEqual([expired.code, (await world.tasks())[0]?.status], [1, 'expired']);
    assert.match((await world.run(['tasks', '--resume'])).stderr, /no unfinished tasks/u);

    await fetch(`${world.demo.baseUrl}/demo/faults`, { method: 'DELETE' });
    const resumed = await world.run(['tasks', '--resume', id]);
    assert.deepEqual([resumed.code, resumed.stdout], [0, `${world.path('a-fox.png')}\n`], resumed.stderr);
    assert.equal((await world.posts()).length, 1);
  });

  it('fetches more images than were asked for only by the id of their task', async (test) => {
    const host = http.createServer(({ url = '' }, response) =>
      response.end(Buffer.concat([picture, Buffer.from(url)])),
    );
    await once(host.listen(0, '127.0.0.1'), 'listening');
    test.after(() => host.close());
    const address = host.address();
    assert.ok(address !== null && typeof address === 'object');
    const url = `http://127.0.0.1:${address.port}`;
    const data = Array.from({ length: 20 }, (_, index) => ({ url: `${url}/${index}.png` }));
    const listed = { contentType: 'application/json', body: JSON.stringify({ status: 'completed', data }) };
    const fault = { kind: 'body', on: 'query', times: 0, skip: 0, ...listed } as const;
    await using world = await World.open({ faults: [fault] });
    const { code, stdout, stderr } = await world.run(['generate', 'a fox']);
    const id = (await world.tasks())[0]?.taskId ?? '';
    assert.deepEqual([code, linesOf(stdout).length], [0, 16]);
    assert.match(stderr, new RegExp(`lists 20 images, 4 more than .*"limner tasks --resume ${id}"`, 'u'));

    assert.match((await world.run(['tasks', '--resume'])).stderr, /no unfinished tasks/u);
    assert.equal((await world.files()).length, 16);
    const resumed = await world.run(['tasks', '--resume', id]);
    assert.deepEqual([resumed.code, linesOf(resumed.stdout).length], [0, 20], resumed.stderr);
    assert.equal((await world.files()).length, 20);
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
  it('lists the newest tasks first, with their files and what went wrong', async () => {
    await using world = await World.open();
    await world.run(['generate', 'demo:reject']);
    await world.run(['generate', 'a fox', '--call-style', 'sync', '--size', '64x64']);
    const { code, stdout, stderr } = await world.run(['tasks']);
    const [first = '', file, second = '', reason = ''] = stdout.split('\n');
    assert.match(first, /^\w+ {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}completed {2}a fox$/);
    assert.equal(file, `  ${world.path('a-fox.png')}`);
    assert.match(second, /failed {2}demo:reject$/);
    assert.match(reason, /^ {2}The service rejected the content.* Not billed\. Change the prompt\.$/);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.equal(
      (await world.run(['tasks', '--limit', '1', '--json'])).stdout.trimEnd().split('\n').length,
      1,
    );
  });

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
  await running.said('service busy, next try in');
  await interrupt(running, 'SIGKILL');
  const [task] = await world.tasks();
  assert.equal(task?.status, 'waiting');
  return task.taskId;
}
