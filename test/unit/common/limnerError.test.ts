import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asLimnerError, LimnerError } from '../../../src/common/limnerError.ts';

describe('asLimnerError', () => {
  it('leaves an error of its kind as it is', () => {
    const error = new LimnerError('network', 'The connection was closed.', { sent: false });
    assert.equal(asLimnerError(error, 'The answer could not be read.', { sent: true }), error);
  });

  it('takes everything else for a mistake in an answer or in this program', () => {
    const cause = new TypeError('x is no function');
    const error = asLimnerError(cause);
    assert.deepEqual(error.toRecord(), { code: 'protocol', message: 'TypeError: x is no function' });
    assert.equal(error.cause, cause);
    assert.deepEqual(asLimnerError(cause, 'The answer could not be read.', { sent: true }).toRecord(), {
      code: 'protocol',
      message: 'The answer could not be read.',
      sent: true,
    });
  });
});
