import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../../src/common/clock.ts';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { World } from '../../../support/engine/world.ts';
import { json, picture } from '../../../support/service/loopbackService.ts';
import { failDisk } from './diskFaults.ts';

const submission = 'POST /v1/images/generations';
const bytes = picture('a red fox in the snow, '.repeat(5000));

/** On Windows, where another program has files open: how often it refuses what is done to them, and what it says. */
const holders = [
  ['sync', 'EBUSY', 'for a moment', 4],
  ['async', 'EPERM', 'for good', Infinity],
  ['sync', 'EACCES', 'for good', Infinity],
] as const;

function assertSaved({ status, error, results }: Task): void {
  assert.deepEqual([status, error], ['completed', undefined]);
  assert.ok(readFileSync(fileURLToPath(results[0]?.uri ?? '')).equals(bytes));
}

describe('An image that another program looks at as it arrives', () => {
  let world: World;
  let engine: Engine;
  let images: string;

  beforeEach(async (test) => {
    world = await World.create();
    engine = await world.open();
    images = join(world.workspace, 'images');
    const later = systemClock.setTimeout.bind(systemClock);
    if ('mock' in test) {
      test.mock.property(process, 'platform', 'win32');
      test.mock.method(systemClock, 'setTimeout', (callback: () => void, milliseconds: number) =>
        later(callback, milliseconds / 500),
      );
    }
  });
  afterEach(() => world.dispose());

  async function run(callStyle: 'sync' | 'async', prompt = 'a red fox'): Promise<Task> {
    world.service.delivers(bytes);
    if (callStyle === 'sync') {
      const data = [{ b64_json: bytes.toString('base64') }];
      world.service.on(submission, json(200, { created: 1, data }));
    }
    const { id } = await engine.runner.start(world.request({ callStyle, prompt }));
    return engine.runner.outcome(id);
  }

  for (const [callStyle, code, howLong, times] of holders) {
    it(`is saved: ${callStyle}, ${code} ${howLong}`, async () => {
      const incoming = join(world.home, 'incoming');
      const holder = await failDisk({
        operation: 'rename',
        code,
        on: (path) => path.startsWith(incoming),
        times,
      });
      try {
        assertSaved(await run(callStyle));
        assert.ok(holder.count() >= 4);
      } finally {
        holder.end();
      }
    });
  }

  it('is kept as it lies when it can be neither moved nor saved, and is saved later', async () => {
    const holder = await failDisk({
      operation: 'rename',
      code: 'EBUSY',
      on: (path) => path.endsWith('.image'),
    });
    const full = await failDisk({
      operation: 'open',
      code: 'ENOSPC',
      on: (path) => path.startsWith(join(images, '.limner-')),
    });
    const task = await run('sync');
    assert.equal(task.status, 'failed');
    const { stagedPath = '' } = task.results[0] ?? {};
    assert.ok(stagedPath.endsWith('.part') && readFileSync(stagedPath).equals(bytes));
    full.end();
    await engine.runner.resumeUnfinished();
    await engine.runner.saveAgain(task.id, task.request.target);
    assertSaved(await engine.runner.outcome(task.id));
    holder.end();
    assert.equal(world.service.count(submission), 1);
  });

  it('leaves no temporary file beside it once somebody saves there again', async () => {
    const holder = await failDisk({
      operation: 'unlink',
      code: 'EPERM',
      on: (path) => path.endsWith('.tmp'),
    });
    assertSaved(await run('async'));
    assert.ok(readdirSync(images).some((name) => name.endsWith('.tmp')));
    holder.end();
    assertSaved(await run('async', 'a blue fox'));
    assert.deepEqual(readdirSync(images).toSorted(), ['a-blue-fox.png', 'a-red-fox.png']);
  });

  it('says that another program has the file, where its folder can be written', async () => {
    const links = await failDisk({ operation: 'link', code: 'ENOTSUP', on: () => true });
    const holder = await failDisk({
      operation: 'rename',
      code: 'EPERM',
      on: (path) => path.startsWith(images),
    });
    const task = await run('async');
    holder.end();
    links.end();
    assert.equal(task.error?.message, 'Another program is using the file.');
    assert.ok(existsSync(task.results[0]?.stagedPath ?? ''));
  });
});
