import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dateText } from '../../../../src/studio/history/dateText.ts';

void describe('the time of a task', () => {
  const now = new Date(2026, 10, 22, 14, 30).getTime();

  void it('is of today or yesterday by name, and of other days by date', () => {
    assert.match(dateText(new Date(2026, 10, 22, 0, 5).getTime(), now), /^Today, /);
    assert.match(dateText(new Date(2026, 10, 21, 23, 55).getTime(), now), /^Yesterday, /);
    assert.match(dateText(new Date(2026, 10, 20, 23, 55).getTime(), now), /2026/);
  });
});
