import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathOfUri } from '../../../../src/common/fileUris.ts';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import type { Task, TaskRequest } from '../../../../src/engine/task/task.ts';
import { failDisk, type DiskFailure } from './diskFaults.ts';
import { image, json, picture } from '../../../support/service/loopbackService.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { World } from '../../../support/engine/world.ts';

const submission = 'POST /v1/images/generations';
const result = 'GET /api/async-images/0.png';
const bytes = picture('a red fox in the snow, '.repeat(50_000));

/** What a disk may say. */
const codes = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EPERM', 'EBUSY', 'EXDEV', 'ENOENT', 'EMFILE'];

let world: World;
let engine: Engine;
let images: string;

async function begin(): Promise<void> {
  world = await World.create();
  engine = await world.open();
  images = join(world.workspace, 'images');
}

beforeEach(begin);
afterEach(() => world.dispose());

const inImages = (path: string): boolean => path.startsWith(images);
const inIncoming = (path: string): boolean => path.startsWith(join(world.home, 'incoming'));

/** Starts a task, and lets something happen before its picture, or the answer that holds it, is sent. */
async function run(changes: Partial<TaskRequest>, before: (task: Task) => unknown): Promise<Task> {
  const started = Promise.withResolvers<Task>();
  const happened = started.promise.then(before);
  const answer = json(200, { created: 1, data: [{ b64_json: bytes.toString('base64') }] });
  world.service.delivers(bytes).on(result, async (...exchange) => {
    await happened;
    await image(bytes)(...exchange);
  });
  if (changes.callStyle === 'sync') {
    world.service.on(submission, async (...exchange) => {
      await happened;
      await answer(...exchange);
    });
  }
  started.resolve(await engine.runner.start(world.request(changes)));
  return engine.runner.outcome((await started.promise).id);
}

async function saveAgain({ id, request: { target } }: Task, folder = target.folder): Promise<Task> {
  await engine.runner.saveAgain(id, { ...target, folder });
  return engine.runner.outcome(id);
}

/** The picture is where the task says, whole, and nothing else is in the workspace. */
function assertSaved({ status, results }: Task, why: string): void {
  const [saved] = results;
  assert.deepEqual([status, saved?.state, saved?.error], ['completed', 'saved', undefined], why);
  const path = pathOfUri(saved?.uri ?? '');
  assert.ok(readFileSync(path).equals(bytes), why);
  const found = readdirSync(world.workspace, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  assert.deepEqual(files, [path], why);
}

/** The bytes are kept, whole, and the user is told that they are paid for. */
function assertKept({ status, error, results }: Task, why: string): void {
  assert.deepEqual(
    [status, error?.code, error?.phase, error?.billing],
    ['failed', 'save_failed', 'save', 'yes'],
    why,
  );
  assert.ok(readFileSync(results[0]?.stagedPath ?? '').equals(bytes), why);
}

describe('A picture that arrived', () => {
  for (const operation of ['open', 'link', 'write', 'rename', 'sync', 'readdir'] as const) {
    // Without links it has to be copied and renamed.
    const isWithoutLinks = operation === 'write' || operation === 'rename';
    it(`is kept and can be saved elsewhere, whatever the disk says to ${operation}`, async () => {
      for (const code of fuzzRuns(['ENOSPC', 'EXDEV', 'ENOENT'], codes)) {
        const why = `${operation} ${code}`;
        const noLinks = await failDisk({ operation: 'link', code: 'ENOTSUP', on: () => isWithoutLinks });
        let fault: DiskFailure | undefined;
        const task = await run({}, async () => {
          fault = await failDisk({ operation, code, on: inImages });
        });
        const asked = world.service.seen.length;
        try {
          if (task.status === 'completed') {
            // Without links there is another way, and a name that could not be synced is there all the same.
            assert.ok(operation === 'link' || operation === 'sync', why);
            assertSaved(task, why);
          } else {
            assertKept(task, why);
            assertSaved(await saveAgain(task, `${task.request.target.root}/elsewhere`), why);
          }
        } finally {
          fault?.end();
          noLinks.end();
        }
        assert.equal(world.service.seen.length, asked, why);
        assert.equal(world.service.count(submission), 1, why);
        await world.dispose();
        await begin();
      }
    });
  }

  for (const operation of ['open', 'readdir'] as const) {
    it(`is saved again in its own folder, once the disk says no more to ${operation}`, async () => {
      let fault: DiskFailure | undefined;
      const task = await run({}, async () => {
        fault = await failDisk({ operation, code: 'ENOSPC', on: inImages });
      });
      assertKept(task, operation);
      assert.match(task.error?.message ?? '', /disk is full/);
      assertKept(await saveAgain(task), 'the disk is full still');
      fault?.end();
      assertSaved(await saveAgain(task), operation);
      assert.equal(world.service.count(result), 1);
    });
  }

  for (const code of ['EBUSY', 'EMFILE']) {
    it(`waits for what passes by itself: ${code}`, async () => {
      let fault: DiskFailure | undefined;
      const task = await run({}, async () => {
        fault = await failDisk({ operation: 'open', code, on: inImages, times: 3 });
      });
      fault?.end();
      assertSaved(task, code);
      assert.equal(fault?.count(), 3);
    });
  }

  it('is copied whole although the disk takes a third at a time', async () => {
    let fault: DiskFailure | undefined;
    const task = await run({ callStyle: 'sync' }, async () => {
      fault = await failDisk({ operation: 'write', code: 'short', on: inIncoming });
    });
    fault?.end();
    assertSaved(task, 'short writes');
    assert.ok((fault?.count() ?? 0) > 2);
  });

  it('is whole when the other disk takes only parts of it at once', async () => {
    // On another disk, so that it has to be copied.
    const fault = await failDisk({ operation: 'link', code: 'EXDEV', on: () => true });
    const cut = await failDisk({ operation: 'write', code: 'short', on: inImages });
    const task = await run({}, () => undefined);
    cut.end();
    fault.end();
    assertSaved(task, 'a short copy');
    assert.ok(cut.count() > 2);
  });

  it('is saved where its folder vanished while it was saved', async () => {
    const fault = await failDisk({
      operation: 'link',
      code: 'ENOENT',
      on: (path) => {
        const isOurs = inImages(path) && !basename(path).startsWith('.');
        if (isOurs) {
          rmSync(images, { recursive: true });
        }
        return isOurs;
      },
      times: 1,
    });
    const task = await run({}, () => undefined);
    fault.end();
    assertKept(task, 'the folder is gone');
    assert.match(task.error?.message ?? '', /folder no longer exists/);
    assertSaved(await saveAgain(task), 'the folder is made again');
  });

  it('waits in the inbox where its workspace vanished, and the message names a path', async () => {
    const task = await run({}, () => rmSync(world.workspace, { recursive: true }));
    const [kept] = task.results;
    assert.deepEqual([task.status, kept?.state, kept?.error?.code], ['completed', 'staged', 'save_failed']);
    assert.ok(kept?.error?.message.includes(`The folder ${images} isn't`), kept?.error?.message);
    assert.equal(dirname(kept?.stagedPath ?? ''), join(world.home, 'inbox'));
  });

  it('is said to be gone, and paid for, once somebody removed it and there is nowhere to fetch it from', async () => {
    const fault = await failDisk({ operation: 'readdir', code: 'EIO', on: inImages });
    const task = await run({ callStyle: 'sync' }, () => undefined);
    fault.end();
    assertKept(task, 'a synchronous answer');
    rmSync(task.results[0]?.stagedPath ?? '');
    const { status, error } = await saveAgain(task);
    assert.deepEqual(
      [status, error?.code, error?.message, error?.billing],
      ['failed', 'save_failed', 'The image data is missing.', 'yes'],
    );
  });

  for (const [how, change] of [
    ['is written in another way', symlinkSync],
    ['was moved', renameSync],
  ] as const) {
    it(`is kept, and can be saved, where the home ${how}`, async () => {
      const fault = await failDisk({ operation: 'readdir', code: 'EIO', on: inImages });
      const task = await run({ callStyle: 'sync' }, () => undefined);
      assertKept(task, how);
      await world.close(engine);
      const home = `${world.home}-2`;
      change(world.home, home);
      engine = await world.open({ home });
      await engine.runner.resumeUnfinished();
      fault.end();
      assertSaved(await saveAgain(task), how);
    });
  }

  it('is told about once in the log', async () => {
    const fault = await failDisk({ operation: 'readdir', code: 'EIO', on: inImages });
    await run({}, () => undefined);
    fault.end();
    assert.equal(
      world.log.lines.filter((line) => line.startsWith('warn') && line.includes('(EIO)')).length,
      1,
    );
  });
});

describe('A picture that cannot be written down while it arrives', () => {
  for (const code of ['ENOSPC', 'EIO']) {
    it(`is fetched again without paying again: ${code}`, async () => {
      let fault: DiskFailure | undefined;
      const task = await run({}, async () => {
        fault = await failDisk({ operation: 'write', code, on: inIncoming });
      });
      fault?.end();
      assert.deepEqual([task.status, task.error?.code, task.error?.phase], ['failed', 'save_failed', 'save']);
      assertSaved(await saveAgain(task), code);
      assert.deepEqual([world.service.count(submission), world.service.count(result)], [1, 2]);
    });
  }

  it('is fetched again from a disk that is really full', { skip: !existsSync('/dev/full') }, async () => {
    const task = await run({}, ({ id }) => {
      const folder = join(world.home, 'incoming', id);
      mkdirSync(folder, { recursive: true });
      symlinkSync('/dev/full', join(folder, '0-1.part'));
    });
    assert.deepEqual([task.status, task.error?.message], ['failed', 'The disk is full.']);
    assertSaved(await saveAgain(task), '/dev/full');
  });

  it('ends a synchronous call, which says what it cost', async () => {
    let fault: DiskFailure | undefined;
    const task = await run({ callStyle: 'sync' }, async () => {
      fault = await failDisk({ operation: 'write', code: 'ENOSPC', on: inIncoming });
    });
    fault?.end();
    assert.deepEqual(
      [task.status, task.error?.code, task.error?.billing, task.error?.message],
      ['failed', 'save_failed', 'yes', 'The disk is full.'],
    );
  });

  it('stops the native calls that are not sent yet', async () => {
    const parts = [{ inlineData: { mimeType: 'image/png', data: bytes.toString('base64') } }];
    const route = 'POST /v1beta/models/painter-1:generateContent';
    world.service.on(route, json(200, { candidates: [{ content: { role: 'model', parts } }] }));
    const fault = await failDisk({ operation: 'write', code: 'ENOSPC', on: inIncoming });
    const { id } = await engine.runner.start(world.request({ callStyle: 'native', family: 'native', n: 12 }));
    const task = await engine.runner.outcome(id);
    fault.end();
    assert.deepEqual([task.status, task.error?.code, task.error?.billing], ['failed', 'save_failed', 'yes']);
    // Those that were open already when the first one failed.
    assert.equal(world.service.count(route), 4);
  });
});
