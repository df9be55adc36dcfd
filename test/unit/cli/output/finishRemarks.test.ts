import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { savedRemarks } from '../../../../src/cli/output/finishRemarks.ts';
import type { TaskRequest, TaskResult } from '../../../../src/engine/task/task.ts';
import { aRequest, aResult } from '../../../support/engine/taskBuilders.ts';

describe('what a person hears of the size of a saved image', () => {
  const finished = { got: { width: 64, height: 48 } };
  const sizes: [string, Partial<TaskRequest>, Partial<TaskResult>, string[]][] = [
    ['that is as asked for', { size: '64x48' }, { width: 64, height: 48 }, []],
    ['that nobody asked for', {}, { width: 64, height: 48 }, []],
    [
      'that the service chose',
      { size: '64x48' },
      { width: 32, height: 24 },
      ['Asked for 64 × 48, got 32 × 24, saved 32 × 24.'],
    ],
    [
      'that was rounded up',
      { size: '64x48' },
      { width: 64, height: 64, finished },
      ['Asked for 64 × 48, got 64 × 48, saved 64 × 64.'],
    ],
    ['that is trimmed', {}, { width: 9, height: 8, finished }, ['Got 64 × 48, saved 9 × 8.']],
    [
      'that came as asked for, and is made of what was sent otherwise',
      { size: '128x96', finish: { size: { width: 64, height: 48 } } },
      { width: 64, height: 48, finished },
      [],
    ],
    ['of which only half is known', { size: '64x48' }, { width: 32 }, []],
    ['of which the other half is known', { size: '64x48' }, { height: 24 }, []],
    [
      'beside what was lost on the way',
      { size: '64x48' },
      { width: 32, height: 24, lostCredentials: true },
      [
        'Asked for 64 × 48, got 32 × 24, saved 32 × 24.',
        'The Content Credentials were removed: they are only valid for the original.',
      ],
    ],
    [
      'that could not be finished, whatever it is',
      { size: '64x48' },
      { width: 32, height: 24, finished: { problem: 'It is too large.' } },
      ['Saved as received: It is too large.'],
    ],
  ];
  for (const [which, request, result, expected] of sizes) {
    it(which, () =>
      assert.deepEqual(savedRemarks(aRequest(request), aResult({ state: 'saved', ...result })), expected),
    );
  }
});
