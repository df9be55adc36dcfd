import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import { imagesToCome } from '../../../../src/common/taskStatus.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { anError, aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { World } from '../../../support/engine/world.ts';

const secret = 'a prompt that nobody should ever read again';

describe('data that a user deletes', () => {
  let world: World;
  let engine: Engine;
  beforeEach(async () => {
    world = await World.create();
    engine = await world.open();
  });
  afterEach(async () => world.dispose());

  async function add(id: string, changes: Partial<Task> = {}): Promise<void> {
    const now = Date.now();
    const done: Partial<Task> = {
      status: 'completed',
      completedAt: now,
      results: [aResult({ state: 'saved' })],
    };
    const path = join(world.home, 'inputs', id, 'response.txt');
    const images = [{ uri: 'untitled:a', path, name: 'a', size: 1, mediaType: 'image/png', sha256: 'a' }];
    const request = aRequest({ prompt: secret, price: { amount: 1, currency: 'USD' }, images });
    await engine.store.add(aTask({ id, createdAt: now, ...done, request, ...changes }));
    for (const folder of ['incoming', 'inbox/answers', 'inputs']) {
      await mkdir(join(world.home, folder, id), { recursive: true });
      await writeFile(join(world.home, folder, id, 'response.txt'), secret);
    }
  }

  /** Returns the names of all files in the home that hold the prompt. */
  async function traces(): Promise<string[]> {
    const files = await readdir(world.home, { recursive: true, withFileTypes: true });
    const found = await Promise.all(
      files
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) =>
          (await readFile(join(parentPath, name))).includes(secret) ? name : [],
        ),
    );
    return found.flat();
  }

  it('leaves no byte of a prompt, although another window has the list open, which goes on', async () => {
    const other = await world.open();
    await add('a');
    await writeFile(join(world.home, 'limner.db.damaged-20260101000000'), secret);
    assert.equal(other.store.count(), 1);
    assert.ok((await traces()).length > 4);
    await engine.erase({ tasks: () => true, newerLists: true, spending: true });
    assert.deepEqual(await traces(), []);
    assert.deepEqual([other.store.count(), other.store.spent.between(0)], [0, []]);
    await other.store.add(aTask({ id: 'b' }));
    assert.equal(engine.store.get('b')?.id, 'b');
  });

  it('stays where nobody chose it: tasks with their files, and what the others cost', async () => {
    await add('gone');
    await add('kept', { request: aRequest({ prompt: 'kept' }) });
    await engine.erase({ tasks: ({ id }) => id === 'gone', newerLists: false, spending: false });
    assert.deepEqual(
      engine.store.list({ limit: 9 }).map(({ id }) => id),
      ['kept'],
    );
    assert.deepEqual(
      ['gone', 'kept'].map((id) => existsSync(join(world.home, 'incoming', id))),
      [false, true],
    );
    assert.equal(engine.store.spent.between(0).length, 2);
  });

  it('is no file that another window just made for a request, or that a task names by now', async () => {
    await add('gone');
    const input = join(world.home, 'inputs', 'new', 'input.png');
    const image = join(world.home, 'inbox', 'late.png');
    for (const path of [input, image]) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, 'bytes');
    }
    await engine.erase({ tasks: () => true, newerLists: true, spending: true });
    assert.deepEqual([existsSync(input), existsSync(image)], [true, true]);
  });
});

it('images that were paid for and are no files yet are counted', () => {
  const now = Date.now();
  const of = (changes: Partial<Task>): number =>
    imagesToCome(aTask({ createdAt: now, request: aRequest({ n: 3 }), ...changes }), now);
  const saved = aResult({ state: 'saved' });
  const remote = aResult({ index: 1, state: 'remote', url: 'https://images.example.com/1' });
  assert.equal(of({ status: 'in_progress' }), 3);
  assert.equal(of({ status: 'waiting', held: true }), 0);
  assert.equal(of({ status: 'completed', completedAt: now, results: [saved] }), 0);
  assert.equal(of({ status: 'completed', completedAt: now, results: [saved, remote] }), 2);
  assert.equal(of({ status: 'completed', completedAt: 1, results: [saved, remote] }), 0);
  assert.equal(
    of({ status: 'completed', completedAt: 1, results: [aResult({ state: 'staged', stagedPath: '/x' })] }),
    1,
  );
  assert.equal(of({ status: 'failed', error: anError({ billing: 'no' }) }), 0);
});
