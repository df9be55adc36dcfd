import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { Codecs } from '../../../../src/images/finish/codecs.ts';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import type { Task, TaskRequest } from '../../../../src/engine/task/task.ts';
import { World } from '../../../support/engine/world.ts';
import { edits, maskedEdit, sentFiles } from './maskedEdit.ts';

void describe('an edit of a file that was replaced since', () => {
  const codecs = new Codecs();
  let world: World;
  let engine: Engine;
  /** With the pixels around the mask kept, and without. */
  let request: TaskRequest;
  let plain: TaskRequest;
  let path: string;
  let original: Buffer;

  beforeEach(async () => {
    world = await World.create();
    ({ request, path } = await maskedEdit(world, codecs));
    const { keepOutside: _, ...others } = request;
    plain = others;
    original = await readFile(path);
    engine = await world.open();
  });
  afterEach(() => world.dispose());
  after(() => codecs.dispose());

  async function run(sent: TaskRequest): Promise<Task> {
    const { id } = await engine.runner.start(sent);
    return engine.runner.outcome(id);
  }

  for (const [what, change] of [
    ['replaced', async () => writeFile(path, 'the edited image')],
    ['deleted', async () => rm(path)],
  ] as const) {
    void it(`sends what is kept of one that Limner ${what}`, async () => {
      await engine.keptFiles.keep(original, 'fox.png');
      await change();
      assert.equal((await run(plain)).status, 'completed');
      assert.ok((await sentFiles(world, 0)).get('image')?.equals(original));
    });
  }

  void it('keeps the pixels around the mask of what is kept', async () => {
    await engine.keptFiles.keep(original, 'fox.png');
    await writeFile(path, 'the edited image');
    const { results } = await run(request);
    assert.equal(results[0]?.keptOutside, true);
    assert.ok((await sentFiles(world, 0)).get('image')?.equals(original));
  });

  void it('sends nothing where no copy holds the same bytes', async () => {
    const kept = await engine.keptFiles.keep(original, 'fox.png');
    await writeFile(kept, 'another image');
    await writeFile(path, 'the edited image');
    for (const sent of [request, plain]) {
      const { error } = await run(sent);
      assert.deepEqual([error?.code, error?.billing], ['invalid_request', 'no']);
    }
    assert.equal(world.service.count(edits), 0);
  });
});
