import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LimnerError, type ErrorCode, type ErrorRecord } from '../../../../src/common/limnerError.ts';
import { canBeResumed, canSaveAgain } from '../../../../src/common/resultAvailability.ts';
import type { RemoteTask } from '../../../../src/service/messages.ts';
import { aResult } from '../../../support/engine/taskBuilders.ts';
import { accepted, quiet, StillWorld } from '../../../support/engine/stillWorld.ts';
import { apiKey } from '../../../support/engine/world.ts';
import { picture } from '../../../support/service/loopbackService.ts';

const minute = 60_000;
const hour = 60 * minute;
const seldom = { retryAfter: 15 * minute };

function told(progress: number, more: Partial<RemoteTask> = seldom): RemoteTask {
  return { id: 'task_1', status: 'in_progress', progress, ...more };
}

/** A report of a task in progress that lists images already, under signatures that are new each time. */
function listing(progress: number, at: number, ...names: string[]): RemoteTask {
  const listed = names.map((name) => ({
    kind: 'url' as const,
    url: `https://results.example/${name}.png?signature=${at}`,
  }));
  return { ...told(progress, {}), listed };
}

const images: RemoteTask = {
  id: 'task_1',
  status: 'completed',
  images: [{ kind: 'url', url: 'https://results.example/0.png' }],
};

async function broken(): Promise<never> {
  throw new LimnerError('task_query_failed', 'It broke.', { status: 500, sent: true, ...seldom });
}

async function untrusted(): Promise<never> {
  const lasting = { sent: false, lasting: true, billing: 'maybe' } as const;
  throw new LimnerError('network', 'The certificate is not trusted.', lasting);
}

function unauthorized(): LimnerError {
  return new LimnerError('unauthorized', 'The key is refused.', {
    status: 401,
    sent: true,
    service: { code: 'invalid_api_key' },
  });
}

describe('watchRemoteTask', () => {
  let world: StillWorld;

  beforeEach(async () => {
    world = await StillWorld.create();
  });

  afterEach(async () => world.dispose());

  it('leaves a task, resumable, whose trouble only a person can end, soon where nobody sits by', async () => {
    const unattended = await StillWorld.create(true);
    try {
      for (const [one, status] of [
        [world, 'in_progress'],
        [unattended, 'stopped'],
      ] as const) {
        one.query = async () => told(40, {});
        const id = await one.goOn();
        await one.pass(minute);
        one.query = untrusted;
        await one.pass(20_000);
        const task = one.task(id);
        assert.equal(task.status, status);
        assert.deepEqual([task.error?.code, task.error?.billing], ['network', 'maybe']);
        assert.ok(canBeResumed({ ...task, status: 'stopped' }));
      }
    } finally {
      await unattended.dispose();
    }
  });

  it('leaves an image, which can be fetched again, for the same reason', async () => {
    const unattended = await StillWorld.create(true);
    try {
      unattended.query = async () => images;
      unattended.download = async () => {
        throw new LimnerError('network', 'The certificate is not trusted.', { sent: false, lasting: true });
      };
      const id = await unattended.goOn();
      await unattended.pass(20_000);
      const task = unattended.task(id);
      assert.equal(task.status, 'failed');
      assert.ok(canSaveAgain(task));
    } finally {
      await unattended.dispose();
    }
  });

  it('stops a task, which can be resumed, once nothing new was reported of it for 24 hours', async () => {
    world.query = async () => told(40);
    const id = await world.goOn();
    await world.pass(20 * hour);
    world.query = async () => told(41);
    await world.pass(24 * hour);
    assert.equal(world.task(id).status, 'in_progress');
    await world.pass(15 * minute);
    const { status, error, progress } = world.task(id);
    assert.deepEqual([status, progress], ['stopped', 41]);
    assert.deepEqual(error, {
      code: 'timeout',
      message: 'The service has reported nothing new about the task for 24 hours.',
      phase: 'poll',
      billing: 'maybe',
    } satisfies ErrorRecord);
    const { length } = world.asked;
    await world.pass(hour);
    assert.equal(world.asked.length, length);
    world.query = async () => images;
    await world.runner.resume(id);
    await world.pass(0);
    assert.equal(world.task(id).status, 'completed');
  });

  it('takes no sleep of the machine for silence of the service', async () => {
    world.query = async () => told(40);
    const id = await world.goOn();
    for (let night = 0; night < 3; night++) {
      await world.pass(hour);
      world.clock.jump(12 * hour);
    }
    await world.pass(hour);
    assert.equal(world.task(id).status, 'in_progress');
  });

  describe('while nobody can be asked', () => {
    it('stops a task after 24 hours', async () => {
      world.query = broken;
      const id = await world.goOn();
      await world.pass(24 * hour - 1);
      const { status, error, retryAt } = world.task(id);
      assert.deepEqual([status, error?.code, error?.phase], ['queued', 'task_query_failed', 'poll']);
      assert.equal(retryAt, world.clock.now() + 1);
      await world.pass(1);
      const { status: last, error: why } = world.task(id);
      assert.deepEqual([last, why?.code, why?.phase], ['stopped', 'task_query_failed', 'poll']);
    });

    it('stops no task before the machine was awake for an hour of them', async () => {
      world.query = broken;
      const id = await world.goOn();
      // Of each sleep, 20 minutes may have been another wait.
      for (const night of [30 * hour, hour, hour]) {
        assert.equal(world.task(id).status, 'queued');
        await world.pass(10 * minute);
        world.clock.jump(night);
        await world.pass(5 * minute);
      }
      assert.equal(world.task(id).status, 'stopped');
    });

    it('counts those hours anew after each response', async () => {
      world.query = broken;
      const id = await world.goOn();
      await world.pass(23 * hour);
      world.query = async () => told(10);
      await world.pass(20 * minute);
      world.query = broken;
      await world.pass(20 * minute);
      world.clock.jump(24 * hour);
      await world.pass(15 * minute);
      assert.equal(world.task(id).status, 'in_progress');
    });
  });

  it('asks a service that refuses the key no more after a day, but as soon as there is another one', async () => {
    world.query = async () => Promise.reject(unauthorized());
    const id = await world.goOn();
    await world.pass(23 * hour);
    const { length } = world.asked;
    await world.pass(hour / 2);
    assert.ok(world.asked.length > length);
    await world.pass(2 * hour);
    const end = world.asked.length;
    await world.pass(hour);
    assert.equal(world.asked.length, end);
    assert.equal(world.task(id).status, 'needs_key');
    const warnings = world.log.lines.filter((line) => line.startsWith('warn'));
    assert.deepEqual(warnings, [`warn Task ${id}: invalid_api_key (HTTP 401)`]);
    world.keys.set('sk-of-another-service', 'https://another.example');
    await world.pass(hour);
    assert.equal(world.asked.length, end);
    world.keys.set('sk-another', world.origin);
    await world.pass(hour);
    assert.ok(world.asked.length > end + 5, 'the day begins anew');
    world.query = async () => images;
    await world.pass(10 * minute);
    assert.equal(world.task(id).status, 'completed');
    assert.deepEqual([...world.keysSeen], [apiKey, 'sk-another']);
    const { length: all } = world.asked;
    world.keys.set('sk-a-third', world.origin);
    await world.pass(hour);
    assert.equal(world.asked.length, all, 'nobody asks about a task that has ended');
  });

  it('believes no two refusals of the key that submitted the task, also when it was entered anew', async () => {
    let refusals = 2;
    world.query = async () => (refusals-- > 0 ? Promise.reject(unauthorized()) : told(10, {}));
    const id = await world.goOn();
    const seen = new Set<string>();
    world.store.onDidChange(() => seen.add(world.task(id).status));
    await world.pass(minute);
    refusals = 2;
    await world.pass(minute);
    assert.deepEqual([...seen].toSorted(), ['in_progress', 'queued']);
    refusals = Infinity;
    await world.pass(10 * minute);
    const { status, error } = world.task(id);
    assert.deepEqual(
      [status, error?.code, error?.phase, error?.status],
      ['needs_key', 'unauthorized', 'poll', 401],
    );
    refusals = 2;
    world.keys.set(apiKey, world.origin);
    await world.pass(3000);
    assert.deepEqual([world.task(id).status, world.task(id).retryAt !== undefined], ['queued', true]);
    await world.pass(5000);
    assert.deepEqual([world.task(id).status, world.task(id).retryAt !== undefined], ['queued', true]);
    await world.pass(minute);
    assert.deepEqual([world.task(id).status, world.task(id).error], ['in_progress', undefined]);
  });

  it('says within ten seconds that its key is refused, and at once of another one', async () => {
    world.query = async () => Promise.reject(unauthorized());
    const id = await world.goOn();
    await world.pass(10_000);
    assert.equal(world.task(id).status, 'needs_key');
    world.keys.key = 'sk-another';
    const other = await world.goOn();
    assert.equal(world.task(other).status, 'needs_key');
  });

  it('says at once that there is no key, asks nobody, and goes on once there is one', async ({ mock }) => {
    const key = mock.method(world.keys, 'get', async () => undefined);
    const id = await world.goOn();
    await world.pass(hour);
    const { status, error } = world.task(id);
    assert.deepEqual(
      [status, error],
      [
        'needs_key',
        { code: 'no_key', message: `No API key is set for ${world.origin}.`, phase: 'poll', sent: false },
      ],
    );
    assert.deepEqual([world.asked, [...world.keysSeen], key.mock.callCount()], [[], [], 1]);
    key.mock.restore();
    world.keys.set('sk-any', world.origin);
    await world.pass(5000);
    assert.equal(world.task(id).status, 'in_progress');
  });

  it('keeps the picture that is here when the service forgot its task, and says of the other that it is gone', async () => {
    world.query = async () => {
      throw new LimnerError('task_not_found', 'Unknown.', { status: 404, sent: true });
    };
    const saved = aResult({ state: 'saved', uri: 'file:///fox.png' });
    const id = await world.goOn({ results: [saved, aResult({ index: 1 })] });
    await world.pass(hour);
    const { status, results } = world.task(id);
    assert.deepEqual([status, results[0]], ['completed', saved]);
    const { state, error } = results[1] ?? {};
    assert.deepEqual(
      [state, error?.code, error?.billing, error?.phase],
      ['failed', 'result_expired', 'yes', 'poll'],
    );
    assert.deepEqual([world.asked.length, world.fetched.length], [10, 0]);
  });

  it('shows why a key is needed, not that the service could not be reached since', async () => {
    world.query = async () => Promise.reject(unauthorized());
    const id = await world.goOn();
    await world.pass(10 * minute);
    const before = world.task(id);
    world.query = async () => Promise.reject(new LimnerError('network', 'No way.', { sent: true }));
    const { length } = world.asked;
    await world.pass(20 * minute);
    assert.ok(world.asked.length > length + 1);
    assert.deepEqual(world.task(id), before);
  });

  it('asks at once about a task that it takes up, and about one that was just sent when the service said so', async () => {
    world.query = async () => told(10, {});
    await world.goOn();
    assert.deepEqual(world.asked, [world.clock.now()]);
    await world.pass(minute);
    await world.runner.stop(world.store.list({ limit: 1 })[0]?.id ?? '');
    const { length } = world.asked;
    await world.pass(hour);
    assert.equal(world.asked.length, length);
    world.submit = async () => accepted({ retryAfter: 10 * minute });
    world.query = async () => images;
    const { download } = world;
    world.download = async () => {
      throw new LimnerError('result_expired', 'Not there.', { status: 404 });
    };
    const id = await world.start();
    await world.pass(9 * minute);
    assert.equal(world.asked.length, length);
    await world.pass(2 * minute);
    assert.ok(world.asked.length > length + 1, 'for fresh addresses it is asked without that wait');
    world.download = download;
    await world.pass(5 * minute);
    assert.equal(world.task(id).status, 'completed');
  });

  it('saves what came within the report, and does not take a picture of an earlier report for it', async () => {
    const incomplete: ErrorRecord = { code: 'protocol', message: 'One is damaged.', billing: 'yes' };
    let reports = 0;
    world.query = async (_id, { openSink }) => {
      reports++;
      const sink = openSink(0);
      await sink.write(picture(String(reports)));
      await sink.close();
      return { id: 'task_1', status: 'completed', images: [{ kind: 'inline', sink: 0 }], incomplete };
    };
    const id = await world.goOn({ request: world.request({ n: 2 }) });
    await world.pass(20 * minute);
    const { status, error, results } = world.task(id);
    assert.deepEqual([status, error, reports], ['completed', { ...incomplete, phase: 'poll' }, 10]);
    assert.deepEqual(
      results.map(({ state, size }) => [state, size]),
      [['saved', picture('10').length]],
    );
  });

  it('asks for a minute, every 2 to 5 s, about a completed task without an image, and says so meanwhile', async () => {
    const incomplete: ErrorRecord = { code: 'empty_result', message: 'There is none.', billing: 'maybe' };
    const empty: RemoteTask = { id: 'task_1', status: 'completed', images: [], incomplete };
    world.query = async () => empty;
    const id = await world.goOn();
    const began = world.clock.now();
    await world.pass(minute - 1);
    assert.equal(world.task(id).error?.code, 'empty_result');
    await world.pass(5000);
    const { status, error } = world.task(id);
    assert.deepEqual([status, error], ['failed', { ...incomplete, phase: 'poll' }]);
    const gaps = world.asked.slice(1).map((at, index) => at - (world.asked[index] ?? 0));
    assert.ok(
      gaps.every((gap) => gap >= 2000 && gap <= 5000),
      String(gaps),
    );
    assert.ok((world.asked.at(-1) ?? 0) - began >= minute);

    const late = await world.goOn();
    await world.pass(minute / 2);
    world.query = async () => images;
    await world.pass(5000);
    assert.equal(world.task(late).status, 'completed');
  });

  it('is not sure that there is no image because the machine slept', async () => {
    const incomplete: ErrorRecord = { code: 'empty_result', message: 'There is none.', billing: 'maybe' };
    world.query = async () => ({ id: 'task_1', status: 'completed', images: [], incomplete });
    const id = await world.goOn();
    world.clock.jump(hour);
    await world.pass(5000);
    world.query = async () => images;
    await world.pass(5000);
    assert.equal(world.task(id).status, 'completed');
  });

  describe('whose images are listed while it is in progress', () => {
    it('has them at 100 %, once they were the same three times', async () => {
      world.query = async () => listing(100, world.asked.length, world.asked.length === 1 ? 'first' : 'last');
      const id = await world.goOn();
      await world.pass(20_000);
      const { status, results } = world.task(id);
      assert.deepEqual([status, world.asked.length], ['completed', 4]);
      assert.match(results[0]?.url ?? '', /last\.png\?signature=4$/u);
    });

    it('has them at less once they were the same for a minute, and not while they change', async () => {
      world.query = async () => listing(40, world.asked.length, String(Math.floor(world.asked.length / 5)));
      const id = await world.goOn();
      await world.pass(5 * minute);
      assert.equal(world.task(id).status, 'in_progress');
      world.query = async () => listing(40, world.asked.length, 'last');
      await world.pass(minute - 5000);
      assert.equal(world.task(id).status, 'in_progress');
      await world.pass(20_000);
      assert.equal(world.task(id).status, 'completed');
    });

    it('waits much longer for those that are missing', async () => {
      world.query = async () => listing(100, world.asked.length, 'one');
      const id = await world.goOn({ request: world.request({ n: 2 }) });
      await world.pass(9 * minute);
      assert.equal(world.task(id).status, 'in_progress');
      await world.pass(2 * minute);
      assert.equal(world.task(id).status, 'completed');
    });

    it('has those that come within the answer, but no earlier ones', async () => {
      let report = 'preview';
      world.query = async (_id, { openSink }) => {
        const sink = openSink(0);
        await sink.write(picture(report));
        await sink.close();
        return { ...told(100, {}), listed: [{ kind: 'inline', sink: 0 }] };
      };
      const id = await world.goOn();
      await world.pass(0);
      assert.deepEqual(await world.staging.stagedFiles(id), new Map());
      report = 'the picture';
      await world.pass(20_000);
      const { status, results } = world.task(id);
      assert.deepEqual([status, results[0]?.size], ['completed', picture('the picture').length]);
    });
  });

  it('says what the service said of a task that it failed', async () => {
    const error: ErrorRecord = {
      code: 'content_rejected',
      message: 'No.',
      phase: 'poll',
      billing: 'refunded',
    };
    world.query = async () => ({ id: 'task_1', status: 'failed', error });
    const id = await world.goOn();
    await world.pass(hour);
    assert.deepEqual([world.task(id).status, world.task(id).error], ['failed', error]);
    assert.equal(world.asked.length, 1);
  });

  it('believes no nine nodes in a row that do not know a task, whatever else went wrong before', async () => {
    const replies: (ErrorCode | undefined)[] = [
      ...Array<ErrorCode>(9).fill('task_not_found'),
      undefined,
      ...Array<ErrorCode>(9).fill('task_not_found'),
      undefined,
      ...Array<ErrorCode>(9).fill('task_query_failed'),
      'task_not_found',
    ];
    world.query = async () => {
      const code = replies.shift();
      return code === undefined ? told(10) : Promise.reject(new LimnerError(code, 'No.', { sent: true }));
    };
    const id = await world.goOn();
    await world.pass(hour);
    assert.deepEqual([replies, world.task(id).status], [[], 'in_progress']);
  });

  it('asks no sooner because a person stars a picture', async () => {
    world.query = async () => told(10);
    const id = await world.goOn({ results: [aResult()] });
    for (const starred of [true, false, true]) {
      await world.pass(minute);
      await world.runner.star(id, 0, starred);
    }
    await world.pass(minute);
    assert.equal(world.asked.length, 1);
  });

  it('is stopped and resumed at any moment', async () => {
    const id = await world.goOn();
    for (let moment = 0; moment < 40; moment++) {
      await world.runner.stop(id);
      await quiet();
      const resumed = world.runner.resume(id);
      for (let turn = 0; turn < moment; turn++) {
        await Promise.resolve();
      }
      await world.runner.stop(id);
      await resumed;
      await world.runner.stop(id);
      await quiet();
    }
    const { length } = world.asked;
    await world.pass(hour);
    assert.equal(world.asked.length, length);
    await world.runner.resume(id);
    await world.pass(0);
    assert.equal(world.asked.length, length + 1);
  });
});
