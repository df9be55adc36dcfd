import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoff } from '../../../src/common/clock.ts';

test('backoff doubles a pause up to its limit, however often it failed', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 2000].map((failures) => backoff(failures, 2000, 30_000));
  assert.deepEqual(pauses, [2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});
