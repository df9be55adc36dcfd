import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ErrorCode,
  errorCodes,
  LimnerError,
  type LimnerErrorOptions,
} from '../../../../src/common/limnerError.ts';
import { isOutcomeUnknown, maxPutOff, ResendPolicy } from '../../../../src/tasks/run/resendPolicy.ts';
import { aRequest } from '../../../support/engine/taskBuilders.ts';

function error(code: ErrorCode, options: LimnerErrorOptions = {}): LimnerError {
  return new LimnerError(code, 'Alas.', options);
}

const unsent = error('network', { sent: false });
const busy = error('rate_limited', { status: 429 });

/** Lets a request fail again and again at its next try, and returns the pauses before those. */
function pausesAfter(failure: LimnerError, policy = new ResendPolicy()): number[] {
  const pauses: number[] = [];
  for (let at = 0; ; at += pauses.at(-1) ?? 0) {
    policy.tries(at);
    const pause = policy.pauseAfter(failure, aRequest(), at);
    if (pause === undefined) {
      return pauses;
    }
    pauses.push(pause);
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe('a request that failed', () => {
  it('is sent again only where it was surely not taken', () => {
    const again: [string, LimnerError, Parameters<typeof aRequest>[0]][] = [];
    for (const code of errorCodes) {
      for (const status of [undefined, 429, 503]) {
        for (const sent of [undefined, true, false]) {
          for (const callStyle of ['async', 'sync'] as const) {
            const options = { ...(status !== undefined && { status }), ...(sent !== undefined && { sent }) };
            const failure = error(code, options);
            if (new ResendPolicy().pauseAfter(failure, aRequest({ callStyle }), 0) !== undefined) {
              again.push([`${code} ${status} ${sent} ${callStyle}`, failure, { callStyle }]);
            }
          }
        }
      }
    }
    const expected = [
      ...[undefined, true, false].map((sent) => `queue_full 503 ${sent} async`),
      ...[undefined, true, false].flatMap((sent) =>
        ['async', 'sync'].map((style) => `rate_limited 429 ${sent} ${style}`),
      ),
      ...['timeout', 'network', 'stopped'].flatMap((code) =>
        [undefined, 429, 503].flatMap((status) =>
          ['async', 'sync'].map((style) => `${code} ${status} false ${style}`),
        ),
      ),
    ];
    assert.deepEqual(
      again.map(([what]) => what),
      expected,
    );
  });

  it('waits longer each time, up to a minute or so, and no two requests wait the same', () => {
    const [pauses, others] = [pausesAfter(busy), pausesAfter(busy)];
    for (const [index, pause] of pauses.entries()) {
      const least = Math.min(2000 * 2 ** index, 60_000);
      assert.ok(pause >= least && pause < 1.2 * least, `${index}: ${pause}`);
    }
    assert.notDeepEqual(pauses, others);
  });

  it('waits as long as the service asks', () => {
    const asked = error('queue_full', { status: 503, retryAfter: 100_000 });
    assert.equal(new ResendPolicy().pauseAfter(asked, aRequest(), 0), 100_000);
  });

  for (const [cause, failure, minutes] of [
    ['the service is busy', busy, 15],
    ['nothing gets out', unsent, 2],
  ] as const) {
    it(`is given up once it would wait for more than ${minutes} minutes because ${cause}`, () => {
      const pauses = pausesAfter(failure);
      const all = sum(pauses);
      assert.ok(all <= minutes * 60_000, `${all}`);
      assert.ok(all + 1.2 * 60_000 > minutes * 60_000, `${all}`);
    });
  }

  it('may wait for the network as well as for a busy service', () => {
    const policy = new ResendPolicy();
    const minute = (failure: LimnerErrorOptions): number | undefined =>
      policy.pauseAfter(error('network', { sent: false, retryAfter: 60_000, ...failure }), aRequest(), 0);
    assert.equal(minute({}), 60_000);
    assert.equal(minute({}), 60_000);
    const slow = error('rate_limited', { status: 429, retryAfter: maxPutOff.busy });
    assert.equal(policy.pauseAfter(slow, aRequest(), 0), maxPutOff.busy);
    assert.equal(minute({}), undefined);
    assert.equal(policy.pauseAfter(error('rate_limited', { status: 429 }), aRequest(), 0), undefined);
  });

  it('has waited only as long as it did when a person ends a pause, and not longer when the machine slept', () => {
    const slow = error('network', { sent: false, retryAfter: 60_000 });
    const policy = new ResendPolicy();
    let at = 1_000_000;
    // Each time a person waits for half a minute.
    for (let tries = 0; tries < 3; tries++) {
      assert.equal(policy.pauseAfter(slow, aRequest(), at), 60_000, `${tries}`);
      at += 30_000;
      policy.tries(at);
      policy.tries(at);
    }
    // A minute and a half is over: of the two, no whole one is left.
    assert.equal(policy.pauseAfter(slow, aRequest(), at), undefined);

    const asleep = new ResendPolicy();
    assert.equal(asleep.pauseAfter(slow, aRequest(), at), 60_000);
    asleep.tries(at + 10 * 3_600_000);
    assert.equal(asleep.pauseAfter(slow, aRequest(), at), 60_000);
    // The clock was set back meanwhile: no more than the pause is given back.
    asleep.tries(at - 10 * 3_600_000);
    assert.equal(asleep.pauseAfter(slow, aRequest(), at), 60_000);
    assert.equal(asleep.pauseAfter(slow, aRequest(), at), undefined);
  });
});

describe('the outcome of a request that failed', () => {
  it('is unknown where it may have been taken, and nobody said that nothing is billed', () => {
    const open = errorCodes.filter((code) => isOutcomeUnknown(error(code)));
    assert.deepEqual(open.toSorted(), ['network', 'outcome_unknown', 'protocol', 'stopped', 'timeout']);
    for (const code of open) {
      assert.ok(isOutcomeUnknown(error(code, { sent: true, billing: 'maybe' })));
      assert.ok(!isOutcomeUnknown(error(code, { sent: false })));
      assert.ok(!isOutcomeUnknown(error(code, { billing: 'no' })));
    }
  });
});
