import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LimnerError, type ErrorCode, type LimnerErrorOptions } from '../../../../src/common/limnerError.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { aResult } from '../../../support/engine/taskBuilders.ts';
import { StillWorld } from '../../../support/engine/stillWorld.ts';
import { picture } from '../../../support/service/loopbackService.ts';

const minute = 60_000;
const hour = 60 * minute;
const url = 'https://results.example/0.png';
const billing = 'yes';

describe('saveResults', () => {
  let world: StillWorld;

  beforeEach(async () => {
    world = await StillWorld.create();
  });

  afterEach(async () => world.dispose());

  function fails(code: ErrorCode, options: LimnerErrorOptions = {}): void {
    world.download = async () => {
      throw new LimnerError(code, `It is ${code}.`, options);
    };
  }

  async function save(changes: Partial<Task> = {}): Promise<string> {
    return world.goOn({
      status: 'saving',
      completedAt: world.clock.now(),
      results: [aResult({ url })],
      ...changes,
    });
  }

  /** Leaves a picture that has arrived, whose bytes are gone. */
  async function lost(more: Parameters<typeof aResult>[0] = {}, changes: Partial<Task> = {}): Promise<Task> {
    const stagedPath = join(world.inbox, 'gone.png');
    const result = aResult({
      state: 'staged',
      stagedPath,
      sha256: 'a',
      mediaType: 'image/png',
      size: 9,
      ...more,
    });
    const id = await save({ results: [result], ...changes });
    return world.task(id);
  }

  function gaps(): number[] {
    return world.fetched.slice(1).map((at, index) => at - (world.fetched[index] ?? 0));
  }

  it('fetches again at growing intervals, of a minute at most, and gives up after six hours', async () => {
    fails('network');
    const id = await save();
    const began = world.clock.now();
    assert.match(world.log.lines.join('\n'), /: It is network\. Fetching again in 2 s\./u);
    const { status, retryAt, troubleSince, results } = world.task(id);
    assert.deepEqual([status, troubleSince, results[0]?.error?.code], ['saving', began, 'network']);
    assert.ok((retryAt ?? 0) - began >= 2000 && (retryAt ?? 0) - began <= 2200);
    await world.pass(20 * minute);
    assert.ok(
      gaps().every((gap, index) => gap >= 2000 && gap <= 66_000 && gap > (gaps()[index - 1] ?? 0) / 1.2),
      String(gaps()),
    );
    assert.ok((gaps().at(-1) ?? 0) >= 60_000);
    await world.runner.stop(id);
    const late = await save({ troubleSince: world.clock.now() - 6 * hour + 5 * minute });
    await world.pass(5 * minute - 1);
    assert.equal(world.task(late).status, 'saving');
    await world.pass(2 * minute);
    const { status: last, error } = world.task(late);
    assert.deepEqual(
      [last, error],
      ['failed', { code: 'network', message: 'It is network.', phase: 'download', billing }],
    );
  });

  describe('whose bytes somebody removed', () => {
    it('are fetched again', async () => {
      const { status, results } = await lost({ url });
      assert.deepEqual([status, results[0]?.size], ['completed', picture().length]);
      assert.equal(world.fetched.length, 1);
    });

    it('are taken from the original output, where that is kept', async () => {
      const path = join(world.inbox, 'original.png');
      mkdirSync(world.inbox, { recursive: true });
      writeFileSync(path, picture('original'));
      const { length: size } = picture('original');
      const answer = { path, size, mediaType: 'image/png', sha256: 'b' };
      const { status, results } = await lost({ url, answer });
      assert.deepEqual([status, results[0]?.size, world.fetched], ['completed', size, []]);
      assert.deepEqual(readFileSync(fileURLToPath(results[0]?.uri ?? '')), picture('original'));
      rmSync(path, { force: true });
      const fetched = await lost({ url, answer });
      assert.deepEqual([fetched.status, fetched.results[0]?.size], ['completed', picture().length]);
      assert.equal(world.fetched.length, 1);
    });
  });
});
