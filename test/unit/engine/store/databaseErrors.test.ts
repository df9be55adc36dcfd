import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import {
  databaseTrouble,
  isBusy,
  isCorrupt,
  isDatabaseError,
  isUnreadable,
  mayPass,
} from '../../../../src/engine/store/databaseErrors.ts';

/** An error as SQLite reports it: the extended codes have the primary one in their lowest byte. */
function sqlite(code: number, extension = 0): Error & { errcode: number } {
  return Object.assign(new Error('in its words'), { errcode: code + 256 * extension });
}

/** By its primary result code: what a user hears, and what follows. */
const errors: [string, number, string, ('busy' | 'corrupt' | 'unreadable')[]][] = [
  ['SQLITE_ERROR', 1, 'A disk error occurred (in its words, code {code}).', []],
  ['SQLITE_PERM', 3, "The file or its folder isn't writable.", []],
  ['SQLITE_BUSY', 5, 'Another program is using the file.', ['busy']],
  ['SQLITE_LOCKED', 6, 'Another program is using the file.', ['busy']],
  ['SQLITE_READONLY', 8, "The file or its folder isn't writable.", []],
  ['SQLITE_IOERR', 10, 'A disk error occurred (in its words, code {code}).', ['unreadable']],
  ['SQLITE_CORRUPT', 11, 'The file is damaged.', ['corrupt', 'unreadable']],
  ['SQLITE_FULL', 13, 'The disk is full.', []],
  ['SQLITE_CANTOPEN', 14, "The file or its folder isn't writable.", []],
  ['SQLITE_AUTH', 23, "The file or its folder isn't writable.", []],
  ['SQLITE_NOTADB', 26, 'The file is damaged.', ['corrupt', 'unreadable']],
];

describe('an error of the task list', () => {
  for (const [name, code, words, kinds] of errors) {
    it(`is told and treated by its code: ${name}`, () => {
      for (const error of [sqlite(code), sqlite(code, 3)]) {
        assert.equal(databaseTrouble(error), words.replace('{code}', String(error.errcode)));
        assert.deepEqual(
          [isDatabaseError(error), isBusy(error), isCorrupt(error), isUnreadable(error)],
          [true, kinds.includes('busy'), kinds.includes('corrupt'), kinds.includes('unreadable')],
        );
      }
    });
  }

  it('may pass where another program has the journal open, on Windows', ({ mock }) => {
    const held = sqlite(10, 10);
    mock.property(process, 'platform', 'win32');
    assert.equal(isBusy(held), true);
    assert.equal(databaseTrouble(held), 'Another program is using the file.');
    assert.equal(isBusy(sqlite(10)), false);
    assert.deepEqual(
      [8, 10, 13, 14].map((code) => mayPass(sqlite(code))),
      [true, true, false, true],
    );
  });

  it('is none of SQLite where it has no such code', () => {
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    for (const error of [
      full,
      new Error('other'),
      { errcode: 11 },
      Object.assign(new Error(''), { errcode: '11' }),
    ]) {
      assert.deepEqual(
        [isDatabaseError(error), isBusy(error), isCorrupt(error), isUnreadable(error)],
        [false, false, false, false],
      );
    }
    assert.equal(databaseTrouble(full), 'The disk is full.');
  });

  it('is damage where a number in the list is too large to be read, and only there', () => {
    const list = new DatabaseSync(':memory:');
    let thrown: unknown;
    try {
      list.prepare(`SELECT ${2n ** 60n} AS n`).get();
    } catch (error) {
      thrown = error;
    }
    list.close();
    assert.ok(thrown instanceof RangeError);
    assert.ok(isCorrupt(thrown) && isUnreadable(thrown) && !isDatabaseError(thrown));
    assert.ok(!isCorrupt(new RangeError('of another kind')));
    assert.ok(!isCorrupt(Object.assign(new RangeError(''), { code: 'ERR_INVALID_ARG_VALUE' })));
    assert.ok(!isCorrupt(Object.assign(new Error(''), { code: 'ERR_OUT_OF_RANGE' })));
  });
});
