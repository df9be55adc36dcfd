import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finishRemarks, savedRemarks } from '../../../../src/cli/output/finishRemarks.ts';
import type { TaskRequest, TaskResult } from '../../../../src/tasks/task.ts';
import { aRequest, aResult } from '../../../support/engine/taskBuilders.ts';

type Facts = Parameters<typeof finishRemarks>[0];

const reasons = [
  { flaw: 'remains', text: 'Some of it is left.' },
  { flaw: 'corners', text: 'A corner is covered.' },
] as const;

describe('what a person hears of a finished image', () => {
  const remarks: [string, Facts, string[]][] = [
    ['of one that has what was asked for', { scaled: 'down', embedded: true }, []],
    ['of one that had it before', { untouched: 'nothingToDo' }, []],
    ['of an animation', { untouched: 'animated' }, ['Animated images stay as they are.']],
    ['of deep colors', { untouched: '16bit' }, ['Images with 16 bits per channel stay as they are.']],
    ['of a deep JPEG', { untouched: '12bit' }, ['Images with 12 bits per channel stay as they are.']],
    ['of inks', { untouched: 'cmyk' }, ['Images with CMYK colors stay as they are.']],
    ['of invented pixels', { scaled: 'up' }, ['Scaled up: details were invented.']],
    [
      'of one without surroundings',
      { untrimmed: 'opaque' },
      ['There is nothing to trim: no pixel is transparent, or all are.'],
    ],
    ['of what shines through', { flattened: '#ff8800' }, ['Transparency became #ff8800.']],
    [
      'of other colors',
      { lostColours: true },
      ['The colors may look different: the format cannot hold what they mean.'],
    ],
    [
      'of credentials that no longer hold',
      { lostCredentials: true },
      ['The Content Credentials were left out: they hold for the original only.'],
    ],
    [
      'of a prompt beside credentials',
      { embedded: 'credentials' },
      ['The prompt was not embedded: the image has Content Credentials, which are kept.'],
    ],
    [
      'of a prompt beside metadata',
      { embedded: 'metadata' },
      ['The prompt was not embedded: the image has metadata of its own, which is kept.'],
    ],
    ['of a clean cut', { cutout: { verdict: 'good', reasons: [] } }, []],
    [
      'of a doubtful cut, before all else',
      { scaled: 'up', cutout: { verdict: 'doubtful', reasons: [...reasons] } },
      [
        'Look at the removed background: Some of it is left. A corner is covered.',
        'Scaled up: details were invented.',
      ],
    ],
    [
      'of a background that stayed',
      { cutout: { verdict: 'bad', reasons: reasons.slice(0, 1) } },
      ['The background was not removed: Some of it is left.'],
    ],
  ];
  for (const [of, facts, expected] of remarks) {
    it(of, () => assert.deepEqual(finishRemarks(facts), expected));
  }
});

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
        'The Content Credentials were left out: they hold for the original only.',
      ],
    ],
    [
      'that could not be finished, whatever it is',
      { size: '64x48' },
      { width: 32, height: 24, finished: { problem: 'It is too large.' } },
      ['It is too large. It was saved as received.'],
    ],
  ];
  for (const [which, request, result, expected] of sizes) {
    it(which, () =>
      assert.deepEqual(savedRemarks(aRequest(request), aResult({ state: 'saved', ...result })), expected),
    );
  }
});
