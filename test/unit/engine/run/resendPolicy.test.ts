import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ErrorCode,
  errorCodes,
  LimnerError,
  type LimnerErrorOptions,
} from '../../../../src/common/limnerError.ts';
import { ResendPolicy } from '../../../../src/engine/run/resendPolicy.ts';
import { aRequest } from '../../../support/engine/taskBuilders.ts';

function error(code: ErrorCode, options: LimnerErrorOptions = {}): LimnerError {
  return new LimnerError(code, 'Alas.', options);
}

/** Returns how often a request is sent again that never reaches the service. */
function triesAfter(code: ErrorCode, changes: Parameters<typeof aRequest>[0]): number {
  const policy = new ResendPolicy();
  let count = 0;
  while (policy.pauseAfter(error(code, { sent: false }), aRequest(changes), 0) !== undefined) {
    count++;
  }
  return count;
}

describe('a request that failed', () => {
  it("is sent once more for an agent that couldn't connect, and not after a timeout", () => {
    const agent = { startedBy: 'agent' } as const;
    assert.deepEqual([triesAfter('network', agent), triesAfter('timeout', agent)], [1, 0]);
    assert.ok(triesAfter('network', {}) > 3);
  });

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
});
