import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dateText } from '../../../../src/studio/history/dateText.ts';

void describe('the time of a task', () => {
  const now = new Date(2026, 10, 22, 14, 30).getTime();

  void it('is of today or yesterday by name, and of other days by date, with hours from 0 to 23', () => {
    assert.equal(dateText(new Date(2026, 10, 22, 0, 5).getTime(), now, 'en'), 'Today, 00:05');
    assert.equal(dateText(new Date(2026, 10, 21, 23, 55).getTime(), now, 'en'), 'Yesterday, 23:55');
    assert.equal(dateText(new Date(2026, 10, 20, 23, 55).getTime(), now, 'en'), 'Nov 20, 2026, 23:55');
  });

  void it("is written in VS Code's language, whatever that of the browser is", () => {
    assert.equal(dateText(new Date(2026, 10, 20, 23, 55).getTime(), now, 'de'), '20.11.2026, 23:55');
    assert.equal(dateText(new Date(2026, 10, 22, 0, 5).getTime(), now, 'fa'), 'Today, ۰۰:۰۵');
  });
});
