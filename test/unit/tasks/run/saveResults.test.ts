import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LimnerError, type ErrorCode, type LimnerErrorOptions } from '../../../../src/common/limnerError.ts';
import type { Task } from '../../../../src/tasks/task.ts';
import { newTaskId } from '../../../../src/tasks/taskId.ts';
import { aResult } from '../../../support/engine/taskBuilders.ts';
import { quiet, StillWorld } from '../../../support/engine/stillWorld.ts';
import { picture } from '../../../support/service/loopbackService.ts';

const minute = 60_000;
const hour = 60 * minute;
const url = 'https://results.example/0.png';
const billing = 'yes';

function noKey(status: number): string {
  return `The image's host refuses access (HTTP ${status}): results are fetched without the API key, which is sent to no image host.`;
}

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

  function brings(bytes: Buffer | (() => Buffer), mediaType = 'image/png'): void {
    world.download = async (_service, _url, sink) => {
      await sink.write(typeof bytes === 'function' ? bytes() : bytes);
      await sink.close();
      return mediaType;
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

  it('waits as long as a host asks, for a quarter of an hour at most', async () => {
    fails('rate_limited', { status: 429, retryAfter: 10 * minute });
    await save();
    await world.pass(10 * minute);
    fails('timeout', { retryAfter: hour });
    await world.pass(30 * minute);
    assert.deepEqual(gaps(), [10 * minute, 10 * minute, 15 * minute]);
  });

  it('waits as long as the slowest of several hosts asks', async () => {
    world.download = async (_service, one) => {
      throw new LimnerError('rate_limited', 'Not now.', one === url ? {} : { retryAfter: 10 * minute });
    };
    await save({ results: [aResult({ url }), aResult({ index: 1, url: 'https://results.example/1.png' })] });
    await world.pass(10 * minute);
    assert.deepEqual(gaps(), [0, 10 * minute, 0]);
  });

  it('saves the chosen picture again, and not the other one, which failed as well', async () => {
    const task = newTaskId(world.clock.now());
    const files = await Promise.all(
      [0, 1].map(async (index) => {
        const sink = world.staging.sink(task, index, 1);
        await sink.write(picture(String(index)));
        await sink.close();
        return sink.file ?? assert.fail();
      }),
    );
    const error = { code: 'save_failed', message: 'The disk is full.' } as const;
    const results = files.map((file, index) => aResult({ index, state: 'failed', error, ...file }));
    const id = await world.goOn({ id: task, status: 'failed', error, results });
    await world.runner.saveAgain(id, undefined, ({ index }) => index === 1);
    await quiet();
    assert.deepEqual(
      world.task(id).results.map(({ state }) => state),
      ['failed', 'saved'],
    );
    assert.deepEqual(world.task(id).results[0], results[0]);
  });

  it('asks the service for fresh addresses while a host does not have the picture, ever more seldom', async () => {
    fails('result_expired', { status: 404 });
    world.query = async () => ({ id: 'task_1', status: 'completed', images: [{ kind: 'url', url }] });
    const id = await save();
    const { message, code } = world.task(id).results[0]?.error ?? {};
    assert.deepEqual([code, message], ['network', "The image's host doesn't have it yet (HTTP 404)."]);
    await world.pass(5 * hour);
    assert.equal(world.task(id).status, 'saving');
    assert.equal(world.asked.length, world.fetched.length - 1);
    assert.ok(gaps().every((gap) => gap >= 2000 && gap <= 16.5 * minute));
    assert.ok((gaps().at(-1) ?? 0) >= 15 * minute);
    await world.pass(2 * hour);
    const { status, error } = world.task(id);
    assert.deepEqual([status, error?.code, error?.billing], ['expired', 'result_expired', billing]);
    assert.equal(
      error?.message,
      "The image's host doesn't have it (HTTP 404); the service keeps images for 6 hours.",
    );
    assert.ok((world.fetched.at(-1) ?? 0) - (world.fetched[0] ?? 0) < 6.5 * hour);
  });

  it('fetches each minute what may come, although a host does not have another picture', async () => {
    const second = 'https://results.example/1.png';
    world.download = async (_service, one) => {
      throw new LimnerError(one === url ? 'result_expired' : 'network', 'Not now.', { status: 404 });
    };
    world.query = async () => ({
      id: 'task_1',
      status: 'completed',
      images: [
        { kind: 'url', url },
        { kind: 'url', url: second },
      ],
    });
    const troubleSince = world.clock.now() - hour;
    await save({ troubleSince, results: [aResult({ url }), aResult({ index: 1, url: second })] });
    await world.pass(10 * minute);
    assert.ok(world.fetched.length >= 2 * 9, String(world.fetched.length));
    assert.ok(world.asked.length >= 9, 'for that other one there may be a fresh address');
  });

  for (const [code, options] of [
    ['result_refused', {}],
    ['result_too_large', {}],
    ['protocol', { sent: false }],
  ] as const) {
    it(`fetches once what never comes: ${code}`, async () => {
      fails(code, options);
      const id = await save();
      await world.pass(hour);
      const { status, error } = world.task(id);
      assert.deepEqual(
        [status, error?.code, error?.phase, error?.billing],
        ['failed', code, 'download', billing],
      );
      assert.equal(world.fetched.length, 1);
    });
  }

  it('saves what comes, and fetches on what does not, until that is refused', async () => {
    const { download } = world;
    world.download = async (...given) => {
      if (given[1].endsWith('1.png')) {
        throw new LimnerError('network', 'Not now.');
      }
      return download(...given);
    };
    const results = [0, 1, 2].map((index) => aResult({ index, url: `https://results.example/${index}.png` }));
    const id = await save({ request: world.request({ n: 3 }), results });
    assert.deepEqual(
      world.task(id).results.map(({ state }) => state),
      ['saved', 'remote', 'saved'],
    );
    fails('result_refused');
    await world.pass(minute);
    const { status, error, results: last } = world.task(id);
    assert.deepEqual([status, error], ['completed', undefined]);
    assert.deepEqual(
      last.map(({ state }) => state),
      ['saved', 'failed', 'saved'],
    );
    assert.equal(world.fetched.length, 4);
  });

  it('says that a page came in place of a picture, and fetches again', async () => {
    for (const type of ['text/html', 'text/plain', 'application/json', 'application/problem+json']) {
      brings(Buffer.from('<title>Sign in</title>'), type);
      const id = await save();
      const { state, error } = world.task(id).results[0] ?? {};
      assert.deepEqual(
        [state, error?.code, error?.phase, error?.billing],
        ['remote', 'protocol', 'download', billing],
      );
      assert.equal(error?.message, 'A web page or text was received instead of the image.');
      brings(picture(), type);
      await world.pass(minute);
      const { status, results } = world.task(id);
      assert.deepEqual([status, results[0]?.state, results[0]?.error], ['completed', 'saved', undefined]);
    }
  });

  it('accepts what seems cut, or is no picture, once the same bytes came eight times in a row', async () => {
    const whole = picture('x'.repeat(100));
    let cut = 0;
    // One that grows is on its way still.
    brings(() => whole.subarray(0, Math.min(80, 40 + 2 * cut++)));
    const id = await save();
    const { error } = world.task(id).results[0] ?? {};
    assert.deepEqual(
      [error?.code, error?.message, error?.billing],
      ['network', 'The image appears to be truncated.', billing],
    );
    await world.pass(hour);
    const { status, results } = world.task(id);
    assert.deepEqual([status, results[0]?.seemsCut, results[0]?.size], ['completed', true, 80]);
    assert.equal(world.fetched.length, 20 + 8);

    brings(Buffer.from('neither'));
    const other = await save();
    assert.equal(
      world.task(other).results[0]?.error?.message,
      "The received data isn't a PNG, JPEG, or WebP image.",
    );
    await world.pass(hour);
    const { status: last, results: kept } = world.task(other);
    assert.deepEqual(
      [last, kept[0]?.error?.code, kept[0]?.error?.phase],
      ['failed', 'unsupported_image', 'save'],
    );
    assert.equal(kept[0]?.stagedPath, join(world.inbox, `${other}-1.bin`));
    assert.equal(readFileSync(kept[0].stagedPath, 'latin1'), 'neither');
    assert.equal(world.fetched.length, 28 + 8);
  });

  it('accepts what is no picture, and other bytes each time, after ten minutes', async () => {
    brings(() => Buffer.from(`It is ${world.clock.now()}.`));
    const id = await save();
    await world.pass(10 * minute - 1);
    assert.equal(world.task(id).status, 'saving');
    await world.pass(2 * minute);
    assert.deepEqual([world.task(id).status, world.task(id).error?.code], ['failed', 'unsupported_image']);
  });

  function refuses(status: number): void {
    const code = [403, 404].includes(status) ? 'result_expired' : 'protocol';
    fails(code, { status, sent: true });
  }
  it('believes a host that wants a sign-in five times, within two minutes, and can be asked again', async () => {
    refuses(401);
    // Whatever else went wrong before.
    const id = await save({ troubleSince: world.clock.now() - hour });
    await world.pass(3000);
    assert.equal(world.task(id).results[0]?.error?.message, noKey(401));
    await world.pass(2 * minute - 3000);
    const { status, error, results } = world.task(id);
    assert.deepEqual(
      [status, error],
      [
        'failed',
        { code: 'protocol', message: noKey(401), status: 401, sent: true, phase: 'download', billing },
      ],
    );
    assert.deepEqual([results[0]?.state, results[0]?.url, world.fetched.length], ['failed', url, 5]);
    brings(picture());
    await world.runner.saveAgain(id);
    await quiet();
    assert.equal(world.task(id).status, 'completed');
  });

  it('takes a picture that a host gives after ten minutes of 403, and no later one', async () => {
    refuses(403);
    world.query = async () => ({ id: 'task_1', status: 'completed', images: [{ kind: 'url', url }] });
    const early = await save();
    assert.match(world.task(early).results[0]?.error?.message ?? '', /doesn't have it yet \(HTTP 403\)/u);
    await world.pass(10 * minute - 1);
    assert.deepEqual(
      [world.task(early).status, world.task(early).results[0]?.error?.message],
      ['saving', noKey(403)],
    );
    brings(picture());
    await world.pass(10_000);
    assert.equal(world.task(early).status, 'completed');
    assert.ok(world.asked.length > 5, 'fresh addresses are asked for');

    refuses(403);
    const late = await save();
    await world.pass(11 * minute);
    const { status, error } = world.task(late);
    assert.deepEqual(
      [status, error?.code, error?.status, error?.message],
      ['failed', 'protocol', 403, noKey(403)],
    );
  });

  it('gives up after ten minutes what a host never gives: a status, a page, another page', async () => {
    for (const fail of [
      () => refuses(402),
      () => refuses(451),
      () => brings(Buffer.from('<!doctype html><title>Sign in</title>'), 'text/html'),
      () => brings(() => Buffer.from(`{"now":${world.clock.now()}}`), 'application/json'),
    ]) {
      fail();
      const id = await save();
      await world.pass(10 * minute - 1);
      assert.equal(world.task(id).status, 'saving');
      await world.pass(minute);
      const { status, error } = world.task(id);
      assert.deepEqual([status, error?.code], ['failed', 'protocol']);
      assert.match(error?.message ?? '', / Limner tried for 10 minutes\.$/u);
    }
  });

  it('waits on for a host that lacks the picture, and counts no trouble of the network', async () => {
    world.query = async () => ({ id: 'task_1', status: 'completed', images: [{ kind: 'url', url }] });
    refuses(403);
    const id = await save();
    await world.pass(9 * minute);
    refuses(404);
    await world.pass(hour);
    refuses(403);
    await world.pass(9 * minute);
    assert.equal(world.task(id).status, 'saving');
    await world.runner.stop(id);

    refuses(403);
    const other = await save();
    await world.pass(5 * minute);
    fails('network');
    await world.pass(hour);
    assert.equal(world.task(other).status, 'saving');
    refuses(403);
    await world.pass(2 * minute);
    assert.equal(world.task(other).status, 'failed');
  });

  it('keeps another format under its own extension, after one download, and names it', async () => {
    for (const [bytes, extension, name] of [
      [Buffer.from('GIF89a'), 'gif', 'a GIF image'],
      [Buffer.from('\0\0\0\x1cftypavif\0\0\0\0mif1avifmiaf', 'latin1'), 'avif', 'an AVIF image'],
      [Buffer.from('\0\0\0\x18ftypmif1\0\0\0\0mif1heic', 'latin1'), 'heic', 'an HEIC image'],
      [Buffer.from('<?xml version="1.0"?>\n<!-- A fox --><svg width="1"/>'), 'svg', 'an SVG image'],
    ] as const) {
      const before = world.fetched.length;
      // However it is called.
      brings(bytes, 'text/plain');
      const id = await save();
      const { status, error, results } = world.task(id);
      assert.deepEqual(
        [status, error?.code, error?.message, world.fetched.length - before],
        ['failed', 'unsupported_image', `The received data is ${name}, which Limner can't process.`, 1],
      );
      assert.equal(results[0]?.stagedPath, join(world.inbox, `${id}-1.${extension}`));
      assert.deepEqual(readFileSync(results[0].stagedPath), bytes);
    }
  });

  it('is content at once with what is cut where the picture could not be fetched much longer', async () => {
    brings(picture('x'.repeat(100)).subarray(0, 80));
    const id = await save({ troubleSince: world.clock.now() - 6 * hour });
    assert.deepEqual([world.task(id).status, world.fetched.length], ['completed', 1]);
  });

  it('says that a download that ended without a picture brought none, and fetches again', async () => {
    world.download = async () => undefined;
    const id = await save();
    const { error } = world.task(id).results[0] ?? {};
    assert.deepEqual(
      [error?.code, error?.phase, error?.message],
      ['protocol', 'download', "The image wasn't received completely."],
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

    it('are not fetched again of a picture that is not to be saved now', async () => {
      const gone = join(world.inbox, 'gone.png');
      const error = { code: 'save_failed', message: 'The disk is full.' } as const;
      const failed = aResult({ index: 1, state: 'failed', stagedPath: gone, sha256: 'a', error });
      const { results } = world.task(await save({ results: [aResult({ url }), failed] }));
      assert.deepEqual([results[0]?.state, results[1], world.fetched.length], ['saved', failed, 1]);
    });

    it('are reported as lost where there is no address', async () => {
      const result = { index: 0, state: 'staged', stagedPath: join(world.inbox, 'gone.png') } as const;
      const { status, error } = world.task(await save({ results: [result] }));
      assert.equal(status, 'failed');
      assert.deepEqual(error, {
        code: 'save_failed',
        message: 'The image data is missing.',
        phase: 'save',
        billing,
      });
    });

    it('are taken from the file that was published just before a crash, and from no other one', async () => {
      const first = world.task(await save());
      const [{ uri = '', sha256 = '' } = aResult()] = first.results;
      const found = await lost({ url, publishing: uri, sha256 });
      assert.deepEqual(
        [found.results[0]?.state, found.results[0]?.uri, found.results[0]?.publishing],
        ['saved', uri, undefined],
      );
      assert.equal(world.fetched.length, 1);
      const other = await lost({ url, publishing: uri, sha256: 'b' });
      assert.notEqual(other.results[0]?.uri, uri);
      assert.equal(world.fetched.length, 2);
      rmSync(fileURLToPath(uri));
      const gone = await lost({ url, publishing: uri, sha256 });
      assert.deepEqual([gone.results[0]?.state, gone.results[0]?.uri], ['saved', uri]);
      const elsewhere = await lost({ url, publishing: 'vscode-vfs://github/o/r/fox.png', sha256 });
      assert.equal(elsewhere.results[0]?.state, 'saved');
      assert.equal(world.fetched.length, 4);
    });
  });

  it('takes what arrived just before a crash instead of fetching it again', async () => {
    const id = await world.goOn();
    await world.runner.stop(id);
    await quiet();
    const sink = world.staging.sink(id, 0, 1);
    await sink.write(picture('kept'));
    await sink.close();
    fails('network');
    world.query = async () => ({ id: 'task_1', status: 'completed', images: [{ kind: 'url', url }] });
    await world.runner.resume(id);
    await world.pass(minute);
    const { status, results } = world.task(id);
    assert.deepEqual(
      [status, results[0]?.state, results[0]?.size],
      ['completed', 'saved', picture('kept').length],
    );
    assert.equal(world.fetched.length, 0);
  });

  it('leaves nothing in the folder where pictures arrive, and logs what it saved', async () => {
    const id = await save();
    assert.equal(world.task(id).status, 'completed');
    assert.ok(world.log.lines.includes(`info Task ${id}: saved image 1.`));
    assert.deepEqual(await world.staging.stagedFiles(id), new Map());
    assert.throws(() => readFileSync(join(world.incoming, id)), { code: 'ENOENT' });
  });

  it('ends with the download when its window closes, and says nothing of it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.download = async (_service, _url, _sink, signal) => {
      signal?.addEventListener('abort', () => resolve());
      await promise;
      throw new LimnerError('stopped', 'It was stopped.');
    };
    const id = await save();
    const closing = world.runner.dispose();
    await quiet();
    await closing;
    const { status, results } = world.task(id);
    assert.deepEqual([status, results[0]?.state, results[0]?.error], ['saving', 'remote', undefined]);
  });
});
