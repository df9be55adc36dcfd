import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import { type CallStyle, callStyles } from '../../../../src/common/requestValues.ts';
import { describeInput } from '../../../../src/engine/files/taskInput.ts';
import { isTerminal } from '../../../../src/common/taskStatus.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { assertWithoutKey, canaryKey, spilled } from '../../../support/canary.ts';
import { echoes, EchoingService } from '../../../support/service/echoingService.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { World } from '../../../support/engine/world.ts';

describe('a service that repeats the key', () => {
  let world: World;
  let service: EchoingService;
  let engine: Engine;

  beforeEach(async () => {
    world = await World.create();
    service = await EchoingService.start(canaryKey);
    world.keys.key = canaryKey;
    engine = await world.open();
  });
  afterEach(async () => {
    await world.dispose();
    await service.stop();
  });

  async function run(echo: string, callStyle: CallStyle): Promise<Task> {
    const { id } = await engine.runner.start(
      world.request({
        prompt: `a fox echo-${echo}`,
        callStyle,
        family: callStyle.startsWith('native') ? 'native' : 'image',
        baseUrl: service.baseUrl,
      }),
    );
    const task = await world.when(engine, id, ({ status }) => isTerminal(status) || status === 'needs_key');
    if (task.status === 'needs_key') {
      await engine.runner.stop(id);
    }
    return task;
  }

  async function assertNowhere(where: string): Promise<void> {
    assertWithoutKey(spilled(engine.store.list({ limit: 1000 })), canaryKey, `rows, ${where}`);
    assertWithoutKey(world.log.lines.join('\n'), canaryKey, `log, ${where}`);
    assertWithoutKey(service.elsewhere.join('\n'), canaryKey, `another host, ${where}`);
    assert.doesNotMatch(service.elsewhere.join('\n'), /authorization/iu);
    for (const name of await readdir(world.home)) {
      if (name.startsWith('limner.db')) {
        assertWithoutKey(await readFile(join(world.home, name), 'latin1'), canaryKey, `${name}, ${where}`);
      }
    }
  }

  /** After the end: every file that is left, and its name. */
  async function assertInNoFile(): Promise<void> {
    await world.close(engine);
    for (const folder of [world.home, world.workspace]) {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        assertWithoutKey(path, canaryKey, 'file names');
        if (entry.isFile()) {
          assertWithoutKey(await readFile(path, 'latin1'), canaryKey, path);
        }
      }
    }
  }

  for (const callStyle of callStyles) {
    it(`does not bring it into database, log, files or to another host: ${callStyle}`, async () => {
      for (const echo of echoes) {
        await run(echo, callStyle);
        await assertNowhere(`${echo}, ${callStyle}`);
      }
      assert.deepEqual(service.keyless, []);
      await assertInNoFile();
    });
  }

  it('does not bring it there by an edit either', async () => {
    const path = join(world.workspace, 'original.png');
    await writeFile(path, pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 0, lines: [0, 0] }));
    const input = await describeInput(path);
    const { id } = await engine.runner.start(
      world.request({ kind: 'edit', prompt: 'echo-refused', images: [input], baseUrl: service.baseUrl }),
    );
    assert.equal((await engine.runner.outcome(id)).status, 'failed');
    await assertNowhere('edit');
    await assertInNoFile();
  });

  it('is still read: what it says is kept without the key', async () => {
    assert.equal((await run('success', 'sync')).results[0]?.revisedPrompt, 'a fox, •••');
    assert.equal((await run('success', 'native')).remark, 'Your key is •••.');
    const { error } = await run('unauthorized', 'async');
    assert.match(error?.message ?? '', /Incorrect API key provided: •••, sent as .*•••/u);
    assert.equal((await run('leaking-url', 'async')).results[0]?.error?.code, 'result_refused');
    assert.equal((await run('leaking-redirect', 'async')).results[0]?.error?.code, 'result_refused');
    assert.equal((await run('leaking-image', 'async')).status, 'completed');
  });
});
