import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { CallStyle } from '../../../../src/common/requestValues.ts';
import type { Task, TaskRequest } from '../../../../src/engine/task/task.ts';
import { picture } from '../../../support/service/loopbackService.ts';
import { World } from '../../../support/engine/world.ts';

const script = fileURLToPath(new URL('engineProcess.ts', import.meta.url));
const submission = 'POST /v1/images/generations';
const bytes = picture('x'.repeat(200_000));

function inline(picture: Buffer): { b64_json: string } {
  return { b64_json: picture.toString('base64') };
}

describe('an engine that is killed', () => {
  let world: World;
  let images: string;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    world = await World.create();
    images = join(world.workspace, 'images');
    await mkdir(images);
    world.service.delivers(bytes);
  });

  afterEach(async () => {
    child?.kill('SIGKILL');
    await world.dispose();
  });

  async function run(request?: TaskRequest): Promise<void> {
    child = spawn(process.execPath, [script, world.home, ...(request ? [JSON.stringify(request)] : [])], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(child, 'exit');
  }

  const kill = (): void => void child?.kill('SIGKILL');

  /** Starts a task in a process that is killed on the way, then lets another one go on. */
  async function crashAndGoOn(callStyle: CallStyle = 'async'): Promise<Task> {
    await run(world.request({ callStyle }));
    assert.equal(child?.signalCode, 'SIGKILL', 'it was killed');
    await run();
    assert.equal(child?.exitCode, 0);
    const engine = await world.open();
    const [task] = engine.store.list({ limit: 10 });
    assert.ok(task);
    return task;
  }

  async function assertSavedOnce(task: Task): Promise<void> {
    assert.equal(task.status, 'completed', JSON.stringify(task));
    assert.deepEqual(await readdir(images), ['a-red-fox.png']);
    assert.deepEqual(await readFile(join(images, 'a-red-fox.png')), bytes);
    assert.equal(world.service.count(submission), 1);
    assert.deepEqual(await readdir(join(world.home, 'incoming')), []);
  }

  it('does not know what became of a request that was on the wire', async () => {
    world.service.on(submission, kill);
    const task = await crashAndGoOn();
    assert.deepEqual([task.status, task.error?.billing], ['unknown', 'maybe']);
    assert.equal(world.service.count(submission), 1);
  });

  it('saves an image as it came after two have died over it, not counting one that ended in order', async () => {
    const noise = { type: 'gaussian', mean: 120, sigma: 60 } as const;
    const large = await sharp({
      create: { width: 1000, height: 1000, channels: 3, background: '#888', noise },
    })
      .png()
      .toBuffer();
    world.service.delivers(large);
    const { store, runner } = await world.open();
    const attempts = (): number => store.list({ limit: 1 })[0]?.results[0]?.attempts ?? 0;
    const during = async (times: number, end: () => unknown, request?: TaskRequest): Promise<void> => {
      const watching = store.onDidChange(() => {
        if (attempts() === times) {
          watching.dispose();
          end();
        }
      });
      await run(request);
      watching.dispose();
    };
    const finish = { encoding: { format: 'webp', lossless: true } } as const;
    await during(1, kill, world.request({ finish }));
    assert.equal(attempts(), 1);
    await during(2, () => child?.send('dispose'));
    assert.deepEqual([child?.exitCode, attempts()], [0, 1]);
    await during(2, kill);
    assert.deepEqual([child?.signalCode, attempts()], ['SIGKILL', 2]);
    await run();
    const [task] = store.list({ limit: 1 });
    const { finished } = task?.results[0] ?? {};
    assert.match(finished && 'problem' in finished ? finished.problem : '', /ended twice/u);
    assert.deepEqual(await readFile(join(images, 'a-red-fox.png')), large);
    const again = await runner.outcome((await runner.finishAgain(task?.id ?? '')).id);
    assert.deepEqual(again.results[0]?.finished, { got: { width: 1000, height: 1000 } });
    assert.deepEqual((await readdir(images)).toSorted(), ['a-red-fox.png', 'a-red-fox.webp']);
  });

  it('publishes once when it was killed as the final name appears', async () => {
    const watcher = watch(images, (_event, name) => {
      if (name === 'a-red-fox.png') {
        watcher.close();
        kill();
      }
    });
    await run(world.request());
    watcher.close();
    await run();
    const engine = await world.open();
    const [task] = engine.store.list({ limit: 10 });
    assert.ok(task);
    await assertSavedOnce(task);
  });

  it('saves the pictures of a synchronous answer that came whole before it was killed', async () => {
    const body = JSON.stringify({
      created: 1,
      data: [inline(bytes), inline(picture('never whole'.repeat(9000)))],
    });
    const cut = body.length - 1000;
    world.service.on(submission, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.write(body.slice(0, cut));
    });
    const folder = join(world.home, 'incoming');
    await mkdir(folder, { recursive: true });
    const killed = run(world.request({ callStyle: 'sync', n: 2 }));
    const watcher = watch(folder, { recursive: true }, (_event, name) => {
      if (name !== null && name.endsWith('0-1.image')) {
        watcher.close();
        kill();
      }
    });
    await killed;
    watcher.close();
    await run();
    const engine = await world.open();
    const [task] = engine.store.list({ limit: 10 });
    assert.equal(task?.status, 'completed', JSON.stringify(task));
    assert.equal(task.error?.code, 'outcome_unknown');
    assert.deepEqual(await readdir(images), ['a-red-fox.png']);
    assert.deepEqual(await readFile(join(images, 'a-red-fox.png')), bytes);
    assert.equal(world.service.count(submission), 1);
  });
});
