import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPng, linesOf, type Running, type World } from '../support/cli/limner.ts';
import { openShipped } from './shipped.ts';

const hour = 3_600_000;

/** Ends a process as the Task Manager does: it notices nothing. */
async function terminate(running: Running): Promise<void> {
  running.kill('SIGKILL');
  await running.ended;
}

/** Continues what is unfinished, and checks that one image was paid for and is there. */
async function resume(world: World): Promise<void> {
  const { code, stdout, stderr } = await world.run(['tasks', '--resume']);
  assert.equal(code, 0, stderr);
  const [path = ''] = linesOf(stdout);
  assert.ok(await isPng(path));
  assert.deepEqual(await world.files(), ['a-fox.png']);
  assert.deepEqual(await world.ledger(), ['settled']);
}

describe('limner, ended by TerminateProcess', () => {
  it('while it waits, gets the image later, and pays once', async () => {
    await using world = await openShipped({ clock: 'frozen', taskDuration: hour });
    const running = world.start(['generate', 'a fox']);
    await running.said('in progress');
    await terminate(running);
    await world.demo.advance(hour);
    await resume(world);
  });

  it('while the image arrives, gets it later, and pays once', async () => {
    const slow = { kind: 'slow', on: 'image', bytesPerSecond: 20_000, times: 1, skip: 0 } as const;
    await using world = await openShipped({ faults: [slow] });
    const running = world.start(['generate', 'a fox']);
    await running.said('saving');
    await terminate(running);
    await resume(world);
  });
});

describe('several processes of limner on one list', () => {
  it('make one image each, under names of their own', async () => {
    await using world = await openShipped();
    const ends = await Promise.all(Array.from({ length: 4 }, async () => world.run(['generate', 'a fox'])));
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0, 0, 0],
    );
    assert.deepEqual(await world.files(), ['a-fox-2.png', 'a-fox-3.png', 'a-fox-4.png', 'a-fox.png']);
    assert.equal((await world.tasks()).length, 4);
    assert.equal((await world.ledger()).length, 4);
  });
});
