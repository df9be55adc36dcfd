import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { Codecs } from '../../../../src/images/finish/codecs.ts';
import { describeInput } from '../../../../src/engine/files/taskInput.ts';
import type { TaskRequest } from '../../../../src/engine/task/task.ts';
import { withOldChecksums } from '../../../support/images/oldMaskFile.ts';
import { strictDecoders } from '../../../support/images/strictDecoders.ts';
import { json } from '../../../support/service/loopbackService.ts';
import { edits, maskedEdit, sentFiles } from './maskedEdit.ts';
import { World } from '../../../support/engine/world.ts';

const status = 'GET /v1/images/generations/task_1';

void describe('a mask that an earlier version kept with wrong checksums', () => {
  const codecs = new Codecs();
  let world: World;
  let request: TaskRequest;
  let path: string;
  /** As it should be, and as it is on disk. */
  let right: Buffer;
  let old: Buffer;

  beforeEach(async () => {
    world = await World.create();
    ({ request } = await maskedEdit(world, codecs));
    path = request.mask?.path ?? '';
    right = await readFile(path);
    old = withOldChecksums(right);
    await writeFile(path, old);
    request = { ...request, mask: await describeInput(path, undefined, 'mask') };
  });
  afterEach(() => world.dispose());
  after(() => codecs.dispose());

  async function assertReadable(mask: Buffer | undefined): Promise<void> {
    assert.ok(mask);
    for (const decode of Object.values(strictDecoders)) {
      assert.deepEqual(await decode(mask), await decode(right));
    }
  }

  void it('is sent as strict decoders read it, also again, and its file stays as the task knows it', async () => {
    const engine = await world.open();
    const { id } = await engine.runner.start(request);
    await engine.runner.outcome(id);
    const again = await engine.runner.start(request);
    await engine.runner.outcome(again.id);
    for (const index of [0, 1]) {
      await assertReadable((await sentFiles(world, index)).get('mask'));
    }
    assert.deepEqual(await readFile(path), old);
  });

  void it('is sent like that, too, for a task that waits with its own copy of it', async () => {
    const accepts = world.service.reply(edits);
    world.service.on(edits, json(503, { error: { code: 'queue_full', message: 'later' } }), accepts);
    const engine = await world.open();
    const { id } = await engine.runner.start(request);
    await engine.runner.outcome(id);
    assert.equal(world.service.count(edits), 2);
    await assertReadable((await sentFiles(world, 1)).get('mask'));
  });

  void it('is not sent when its file is another one than was chosen', async () => {
    const { keepOutside: _, ...plain } = request;
    await writeFile(path, right);
    const engine = await world.open();
    const { id } = await engine.runner.start(plain);
    const { error } = await engine.runner.outcome(id);
    assert.deepEqual([error?.code, error?.billing], ['invalid_request', 'no']);
    assert.equal(world.service.count(edits), 0);
  });

  void it('keeps everything outside of it', async () => {
    const engine = await world.open();
    const { id } = await engine.runner.start(request);
    const { results } = await engine.runner.outcome(id);
    assert.equal(results[0]?.keptOutside, true);
    assert.ok(world.service.count(status) > 0);
  });

  void it('is repaired alone: the image goes as the person has it', async () => {
    const image = withOldChecksums(await readFile(request.images?.[0]?.path ?? ''));
    await writeFile(request.images?.[0]?.path ?? '', image);
    const { keepOutside: _, ...plain } = request;
    // As an earlier version took it, which looked at no checksums.
    const images = [await describeInput(request.images?.[0]?.path ?? '', undefined, 'mask')];
    const engine = await world.open();
    const { id } = await engine.runner.start({ ...plain, images });
    await engine.runner.outcome(id);
    const files = await sentFiles(world, 0);
    assert.ok(files.get('image')?.equals(image));
    await assertReadable(files.get('mask'));
  });
});
