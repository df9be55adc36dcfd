import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LimnerError } from '../../../../src/common/limnerError.ts';
import { inPhase } from '../../../../src/service/errors/phases.ts';

describe('an error', () => {
  it('that nobody expects counts as one of a request that was sent and may be billed', () => {
    const cause = new TypeError('undefined is not a function');
    const error = inPhase(cause, 'submit', 'maybe');
    assert.deepEqual(error.toRecord(), {
      code: 'protocol',
      message: 'The request failed unexpectedly.',
      phase: 'submit',
      billing: 'maybe',
      sent: true,
    });
    assert.equal(error.cause, cause);
  });

  it('keeps what it says of itself, and gets what it does not', () => {
    const known = new LimnerError('rate_limited', 'Later.', {
      phase: 'poll',
      billing: 'refunded',
      retryAfter: 5,
    });
    assert.equal(inPhase(known, 'submit', 'maybe'), known);
    for (const [options, phase, billing] of [
      [{ billing: 'refunded' }, 'download', 'refunded'],
      [{ phase: 'poll' }, 'poll', 'yes'],
      [{}, 'download', 'yes'],
    ] as const) {
      const bare = new LimnerError('rate_limited', 'Later.', { ...options, retryAfter: 5 });
      const expected = { code: 'rate_limited', message: 'Later.', phase, billing, retryAfter: 5 };
      assert.deepEqual(inPhase(bare, 'download', 'yes').toRecord(), expected);
    }
  });

  it('of a submission that was not sent costs nothing; of any other call, it may', () => {
    const unsent = new LimnerError('network', 'No connection.', { sent: false });
    assert.equal(inPhase(unsent, 'submit', 'maybe').billing, 'no');
    assert.equal(inPhase(unsent, 'poll', 'maybe').billing, 'maybe');
    assert.equal(
      inPhase(new LimnerError('network', 'Lost.', { sent: true }), 'submit', 'maybe').billing,
      'maybe',
    );
  });
});
