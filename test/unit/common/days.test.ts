import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  clockTime,
  startOfDay,
  startOfMonth,
  startOfNextDay,
  startOfYesterday,
} from '../../../src/common/days.ts';

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

  it('ends when the next one begins, whatever the clocks do at midnight', () => {
    for (const [place, year, month, day] of [
      ['Europe/Berlin', 2026, 2, 29],
      ['Europe/Berlin', 2026, 9, 25],
      ['America/New_York', 2026, 10, 1],
      // There was no midnight.
      ['America/Sao_Paulo', 2018, 10, 4],
      ['America/Sao_Paulo', 2018, 10, 3],
      ['Asia/Kathmandu', 2026, 1, 28],
      ['Pacific/Apia', 2026, 11, 31],
    ] as const) {
      process.env['TZ'] = place;
      const start = new Date(year, month, day).getTime();
      const end = startOfNextDay(start);
      assert.equal(end, new Date(year, month, day + 1).getTime(), place);
      for (const time of [start, start + 1, (start + end) / 2, end - 1]) {
        assert.equal(startOfDay(time), start, place);
        assert.equal(startOfNextDay(time), end, place);
      }
    }
    process.env['TZ'] = 'Europe/Berlin';
  });

  it('belongs to the month of the calendar', () => {
    for (const [month, day] of [
      [0, 31],
      [1, 28],
      [2, 1],
      [2, 31],
      [9, 31],
      [11, 31],
    ] as const) {
      const first = new Date(2026, month, 1).getTime();
      assert.equal(startOfMonth(new Date(2026, month, day, 23, 59, 59, 999).getTime()), first);
      assert.equal(startOfMonth(new Date(2026, month, day).getTime()), first);
    }
    assert.equal(startOfMonth(new Date(2028, 1, 29, 12).getTime()), new Date(2028, 1, 1).getTime());
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
