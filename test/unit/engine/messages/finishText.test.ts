import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { damageText, imageNotes } from '../../../../src/engine/messages/finishText.ts';
import type { TaskResult } from '../../../../src/engine/task/task.ts';
import { aResult } from '../../../support/engine/taskBuilders.ts';

const reasons = [
  { flaw: 'remains', text: 'Some of it is left.' },
  { flaw: 'corners', text: 'A corner is covered.' },
] as const;
const got = { width: 64, height: 48 };

const images: Record<string, Partial<TaskResult>> = {
  'has what was asked for': { finished: { got, scaled: 'down', embedded: true } },
  'had it before': { finished: { got, untouched: 'nothingToDo' } },
  'is animated': { finished: { got, untouched: 'animated' } },
  'has deep colors': { finished: { got, untouched: '16bit' } },
  'is a deep JPEG': { finished: { got, untouched: '12bit' } },
  'has inks': { finished: { got, untouched: 'cmyk' } },
  'was scaled up': { finished: { got, scaled: 'up' } },
  'has nothing to trim': { finished: { got, untrimmed: 'opaque' } },
  'was transparent': { finished: { got, flattened: '#ff8800' } },
  'is not smaller': { finished: { got, notSmaller: true } },
  'has other colors': { finished: { got, lostColours: true } },
  'has lost its credentials': { finished: { got, lostCredentials: true } },
  'has lost its credentials without being finished': { lostCredentials: true },
  'keeps its credentials beside the prompt': { finished: { got, embedded: 'credentials' } },
  'keeps its metadata beside the prompt': { finished: { got, embedded: 'metadata' } },
  'was cut out well': { finished: { got, cutout: { verdict: 'good', reasons: [] } } },
  'was cut out doubtfully, and scaled': {
    finished: { got, scaled: 'up', cutout: { verdict: 'doubtful', reasons: [...reasons] } },
  },
  'keeps its background': { finished: { got, cutout: { verdict: 'bad', reasons: reasons.slice(0, 1) } } },
  'is cut out although its check failed': {
    finished: { got, cutout: { verdict: 'bad', reasons: reasons.slice(0, 1), keptAnyway: true } },
  },
  'could not be finished': { finished: { problem: 'It is too large.' } },
  'is truncated': { seemsCut: true },
  'is damaged': { damage: 'row 7 is missing' },
  'was damaged before it was finished': { finished: { got, damage: 'row 7 is missing' } },
};

test('what users read of the making of an image is what the golden file says', (t: TestContext) => {
  const text = Object.entries(images)
    .map(([which, facts]) => {
      const result = aResult({ state: 'saved', ...facts });
      return [`## ${which}`, damageText(result), ...imageNotes(result)]
        .filter((line) => line !== undefined)
        .join('\n');
    })
    .join('\n\n');
  t.assert.fileSnapshot(text, join(dirname(import.meta.filename), 'golden', 'finishText.txt'), {
    serializers: [String],
  });
});
