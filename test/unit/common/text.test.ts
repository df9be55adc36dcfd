import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { ellipsize, formatDuration, truncate } from '../../../src/common/text.ts';

const bytes = (part: string): number => Buffer.byteLength(part);

describe('truncate', () => {
  it('leaves what fits as it is', () => {
    assert.equal(truncate('fox', 3), 'fox');
    assert.equal(truncate('', 0), '');
  });

  it('cuts between characters as people see them', () => {
    assert.equal(truncate('a fox', 3), 'a f');
    assert.equal(truncate('🦊🦊', 3), '🦊');
    assert.equal(truncate('🦊', 1), '');
    assert.equal(truncate('cafe\u0301s', 4), 'caf');
    assert.equal(truncate('👩‍👩‍👧 and a fox', 6), '');
    assert.equal(truncate('🇩🇪🇫🇷', 5), '🇩🇪');
  });

  it('counts as it is told to', () => {
    assert.equal(truncate('狐狸', 5, bytes), '狐');
    assert.equal(truncate('狐狸', 6, bytes), '狐狸');
  });

  it('gives a beginning within the limit that holds no half of a pair, of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, limit) => {
        const cut = truncate(text, limit);
        assert.ok(text.startsWith(cut) && cut.length <= limit);
        assert.ok(cut.isWellFormed());
      }),
    );
  });
});

describe('ellipsize', () => {
  it('marks where something was cut off, within the limit', () => {
    assert.equal(ellipsize('a fox', 5), 'a fox');
    assert.equal(ellipsize('a fox', 4), 'a f…');
    assert.equal(ellipsize('a 🦊 runs', 4), 'a …');
    assert.equal(ellipsize('🦊', 1), '…');
  });
});

describe('formatDuration', () => {
  it('counts minutes, and hours once there are any', () => {
    assert.deepEqual(
      [-5, 999, 65_000, 3_725_000].map((time) => formatDuration(time)),
      ['0:00', '0:00', '1:05', '1:02:05'],
    );
  });
});
