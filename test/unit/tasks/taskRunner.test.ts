import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { picture } from './loopbackService.ts';
import { World } from './world.ts';

describe('TaskRunner', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create();
  });

  afterEach(() => world.dispose());

  it('turns a prompt into a file, with one POST', async () => {
    world.service.delivers(picture());
    const { runner } = await world.open();
    const { id } = await runner.start(world.request());
    const task = await runner.outcome(id);
    assert.equal(task.status, 'completed', JSON.stringify(task));
    assert.equal(task.results[0]?.state, 'saved');
    const path = join(world.workspace, 'images', 'a-red-fox.png');
    assert.deepEqual(await readFile(path), picture());
    assert.deepEqual(await readdir(join(world.workspace, 'images')), ['a-red-fox.png']);
    assert.equal(world.service.count('POST /v1/images/generations'), 1);
    assert.deepEqual([task.results[0]?.width, task.results[0]?.height], [3, 2]);
  });
});
