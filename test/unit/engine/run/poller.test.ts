import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LimnerError, type LimnerErrorOptions, type ErrorCode } from '../../../../src/common/limnerError.ts';
import type { RemoteTask } from '../../../../src/service/terms/messages.ts';
import { sleep } from '../../../../src/common/clock.ts';
import { Poller, type PollTarget } from '../../../../src/engine/run/poller.ts';
import { ManualClock, settle } from '../../../support/manualClock.ts';

const working: RemoteTask = { id: 'task_1', status: 'in_progress' };

/** A task whose answers the test gives. */
class Watched implements PollTarget {
  readonly id: string;
  readonly origin: string;
  readonly watchedAt: number;
  readonly askedAt: number[] = [];
  readonly troubles: LimnerError[] = [];
  readonly refusals: LimnerError[] = [];
  answer: (signal: AbortSignal) => RemoteTask | Promise<RemoteTask> = () => working;
  shouldContinue = true;
  readonly #clock: ManualClock;

  constructor(clock: ManualClock, id = 'a', origin = 'https://service.example') {
    this.#clock = clock;
    this.id = id;
    this.origin = origin;
    this.watchedAt = clock.now();
  }

  ask = async (signal: AbortSignal): Promise<RemoteTask> => {
    this.askedAt.push(this.#clock.now());
    return this.answer(signal);
  };

  onStatus = async (): Promise<boolean> => this.shouldContinue;

  onError = async (error: LimnerError): Promise<boolean> => {
    this.troubles.push(error);
    return true;
  };

  isRefusal = ({ code }: LimnerError): boolean => code === 'unauthorized' || code === 'no_key';

  onRefused = async (error: LimnerError): Promise<boolean> => {
    this.refusals.push(error);
    return error.code !== 'no_key';
  };

  get gaps(): number[] {
    return this.askedAt.slice(1).map((time, index) => time - (this.askedAt[index] ?? 0));
  }
}

function failing(code: ErrorCode, options: LimnerErrorOptions = {}): () => never {
  return () => {
    throw new LimnerError(code, code, options);
  };
}

describe('Poller', () => {
  let clock: ManualClock;
  let poller: Poller;
  let errors: unknown[];

  beforeEach(() => {
    clock = new ManualClock();
    errors = [];
    poller = new Poller({ clock, onError: (error) => errors.push(error) });
  });

  afterEach(() => {
    poller.dispose();
    assert.deepEqual(errors, []);
    assert.equal(clock.pending, 0, 'no timer is left behind');
  });

  it('asks every 2 s at first, easing to 5 s, never faster', async () => {
    const task = new Watched(clock);
    poller.watch(task, 0);
    await clock.pass(60_000);
    const first = (task.askedAt[0] ?? 0) - task.watchedAt;
    assert.ok(first >= 2000 && first <= 2200, `the first question comes after ${first} ms`);
    assert.ok(
      task.gaps.every((gap) => gap >= 2000 && gap <= 5000),
      String(task.gaps),
    );
    assert.ok((task.gaps.at(-1) ?? 0) >= 4500, String(task.gaps));
  });

  it('asks no sooner than 2 s after the last time, also when it is hurried or watched again', async () => {
    const task = new Watched(clock);
    for (let turns = 0; turns < 20; turns++) {
      poller.watch(task);
      await clock.pass(300);
      poller.pollNow('a');
      await clock.pass(300);
    }
    assert.ok(task.gaps.length >= 5 && task.gaps.every((gap) => gap >= 2000), String(task.gaps));
    clock.jump(-3_600_000);
    poller.pollNow('a');
    await clock.pass(0);
    assert.ok((task.gaps.at(-1) ?? 0) < 0, 'a clock that is set back holds nothing up');
  });

  it('has at most 4 questions open, however many tasks there are', async () => {
    let open = 0;
    let most = 0;
    const answers: (() => void)[] = [];
    for (let index = 0; index < 100; index++) {
      const task = new Watched(clock, `task ${index}`);
      task.answer = async () => {
        most = Math.max(most, ++open);
        await new Promise<void>((resolve) => answers.push(resolve));
        open--;
        return { ...working };
      };
      task.shouldContinue = false;
      poller.watch(task);
    }
    for (let answered = 0; answered < 100; answered++) {
      await settle();
      answers.shift()?.();
    }
    await settle();
    assert.equal(most, 4);
  });

  it('tries one task for all of an origin that is out of reach, and all go on within 5 s of its return', async () => {
    const tasks = Array.from({ length: 20 }, (_, index) => new Watched(clock, `task ${index}`));
    for (const task of tasks) {
      task.answer = failing('network', { sent: false });
      poller.watch(task);
    }
    await clock.pass(60_000);
    const before = tasks.map(({ askedAt }) => askedAt.length);
    await clock.pass(10 * 60_000);
    const tried = tasks.filter(({ askedAt }, index) => askedAt.length > (before[index] ?? 0));
    assert.equal(tried.length, 1);
    for (const task of tasks) {
      task.answer = () => working;
      task.shouldContinue = false;
    }
    const back = clock.now();
    await clock.pass(5000);
    assert.ok(tasks.every(({ askedAt }) => (askedAt.at(-1) ?? 0) >= back));
  });

  describe('while questions are swallowed', () => {
    const patience = 30_000;

    /** Tasks whose questions time out, as those do that go nowhere or are not answered, while this holds. */
    function swallowed(count: number, origin: string, isSwallowed: (index: number) => boolean): Watched[] {
      return Array.from({ length: count }, (_, index) => {
        const task = new Watched(clock, `${origin} ${index}`, origin);
        task.answer = async (signal) => {
          if (isSwallowed(index)) {
            await sleep(clock, patience, signal);
            throw new LimnerError('timeout', 'timeout', { sent: true });
          }
          return working;
        };
        poller.watch(task);
        return task;
      });
    }

    it('tries one task at a time, holds up no other service, and all go on soon after', async () => {
      let isThere = false;
      const tasks = swallowed(20, 'https://service.example', () => !isThere);
      const [other] = swallowed(1, 'https://other.example', () => false);
      assert.ok(other);
      await clock.pass(patience + 10_000);
      const from = clock.now();
      await clock.pass(10 * patience);
      const tries = tasks.flatMap(({ askedAt }) => askedAt.filter((at) => at >= from));
      tries.sort((one, other) => one - other);
      assert.ok(tries.length >= 8);
      for (const [index, at] of tries.slice(1).entries()) {
        assert.ok(at - (tries[index] ?? 0) >= patience, String(tries));
      }
      const gaps = other.gaps.slice(-20);
      assert.ok(
        gaps.every((gap) => gap <= 5000),
        String(gaps),
      );
      isThere = true;
      const back = clock.now();
      await clock.pass(patience + 5000);
      assert.ok(tasks.every(({ askedAt }) => (askedAt.at(-1) ?? 0) >= back));
    });

    it('holds up no task for another one that alone is never answered', async () => {
      const tasks = swallowed(10, 'https://service.example', (index) => index === 0);
      await clock.pass(10 * 60_000);
      for (const task of tasks.slice(1)) {
        assert.ok(
          task.gaps.every((gap) => gap <= 10_000),
          String(task.gaps),
        );
      }
      assert.ok((tasks[0]?.askedAt.length ?? 0) > 10);
    });
  });

  it('breaks off an open question about a task that is forgotten', async () => {
    const task = new Watched(clock);
    let signal: AbortSignal | undefined;
    const watched: PollTarget = Object.assign(task, {
      ask: async (given: AbortSignal) => {
        signal = given;
        return new Promise<RemoteTask>(() => {});
      },
    });
    poller.watch(watched);
    await settle();
    poller.forget(task.id);
    assert.equal(signal?.aborted, true);
  });
});
