import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { clockTime, startOfDay, startOfYesterday } from '../../../src/common/days.ts';

describe('a day', () => {
  const zone = process.env['TZ'];
  before(() => (process.env['TZ'] = 'Europe/Berlin'));
  after(() => {
    if (zone === undefined) {
      delete process.env['TZ'];
    } else {
      process.env['TZ'] = zone;
    }
  });

  it('begins at midnight, also after one of 23 or 25 hours', () => {
    for (const [month, day] of [
      [2, 30],
      [9, 26],
    ] as const) {
      const noon = new Date(2026, month, day, 12).getTime();
      assert.equal(startOfDay(noon), new Date(2026, month, day).getTime());
      assert.equal(startOfYesterday(noon), new Date(2026, month, day - 1).getTime());
    }
    // The clocks changed in that night, or else this shows nothing.
    const hours = (startOfDay(new Date(2026, 2, 30).getTime()) - new Date(2026, 2, 29).getTime()) / 3_600_000;
    assert.equal(hours, 23);
  });
});

describe('a time of day', () => {
  it('is written as the language does, with seconds where they matter', () => {
    const time = new Date(2026, 2, 30, 9, 5, 7).getTime();
    assert.equal(clockTime(time, 'en'), '09:05');
    assert.equal(clockTime(time, 'fi'), '09.05');
    assert.equal(clockTime(time, 'en', '2-digit'), '09:05:07');
    assert.equal(clockTime(new Date(2026, 2, 30, 0, 5).getTime(), 'en'), '00:05');
    assert.equal(clockTime(1e300, 'en'), 'Invalid Date');
  });
});
