import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { jsonError, World } from '../../support/cli/limner.ts';

/** The connection breaks before the submission is answered. */
const cut = { kind: 'reset', when: 'after', on: 'generations', times: 1, skip: 0 } as const;

/** The list of tasks, opened by another program; it is there once `limner` has run. */
async function openList(test: TestContext, world: World): Promise<DatabaseSync> {
  assert.equal((await world.run(['tasks'])).code, 0);
  const list = new DatabaseSync(join(world.home, 'limner.db'));
  test.after(() => list.close());
  return list;
}

describe('limner, whose list cannot be written', { concurrency: 2 }, () => {
  it('lists the tasks while another program holds it', async (test) => {
    await using world = await World.open();
    const list = await openList(test, world);
    list.exec('BEGIN IMMEDIATE');
    const { code, stderr } = await world.run(['tasks']);
    assert.equal(stderr, 'There are no tasks.\n');
    assert.equal(code, 0);
  });

  it('says so where it would have to be written', async (test) => {
    await using world = await World.open({ clock: 'frozen' });
    const running = world.start(['generate', 'a fox']);
    await running.said('queued');
    running.kill('SIGINT');
    await running.ended;
    const list = await openList(test, world);
    list.exec('BEGIN IMMEDIATE');
    const { code, stdout, stderr } = await world.run(['tasks', '--resume', '--json']);
    assert.equal(jsonError(stdout).code, 'save_failed');
    assert.equal(stderr, "error: The task list can't be used. Another program is using the file.\n");
    assert.equal(code, 1);
  });

  it('exits with 130 after Ctrl+C, says what can be done, and nothing of another process', async (test) => {
    await using world = await World.open({ clock: 'frozen', taskDuration: 1000 });
    const list = await openList(test, world);
    const running = world.start(['generate', 'a fox', '--size', '64x64']);
    await running.said('queued');
    list.exec('BEGIN IMMEDIATE');
    running.kill('SIGINT');
    const { code, stderr } = await running.ended;
    assert.equal(code, 130, stderr);
    assert.match(stderr, /Couldn't write the task list\. Another program is using the file\.\n/);
    assert.match(stderr, /may still be billed\. Run "limner tasks --resume/);
    assert.doesNotMatch(stderr, /Another process|^ {4}at /m);
    list.exec('ROLLBACK');
    await world.demo.advance(1000);
    assert.equal((await world.run(['tasks', '--resume'])).stdout, `${world.path('a-fox.png')}\n`);
    assert.equal((await world.posts()).length, 1);
  });

  it('says in plain words that it waits for another program, and saves the picture after that', async (test) => {
    await using world = await World.open({ clock: 'frozen', taskDuration: 1000 });
    const list = await openList(test, world);
    const running = world.start(['generate', 'a fox', '--size', '64x64']);
    await running.said('queued');
    list.exec('BEGIN IMMEDIATE');
    await world.demo.advance(1000);
    await running.said('Another program is using the file.');
    list.exec('ROLLBACK');
    const { code, stdout, stderr } = await running.ended;
    assert.equal(code, 0, stderr);
    assert.equal(stdout, `${world.path('a-fox.png')}\n`);
    assert.match(stderr, /^Couldn't write task \S+; retrying\. Another program is using the file\.$/mu);
    assert.doesNotMatch(stderr, /Heartbeat|Error/u);
  });

  it('exits as the picture says when the disk is full in the end', async (test) => {
    await using world = await World.open({ faults: [cut] });
    const list = await openList(test, world);
    list.exec(`CREATE TRIGGER full BEFORE DELETE ON owners
                 BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
    const { code, stderr } = await world.run(['generate', 'a fox', '--size', '64x64']);
    assert.equal(code, 3, stderr);
    assert.doesNotMatch(stderr, /disk is full|^ {4}at /m);
  });
});
