import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { identityOf } from '../../../../src/engine/store/database.ts';
import { finishSettingAside, hasSetAside, setAside } from '../../../../src/engine/store/setAside.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

describe('a list that cannot be used', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(memoryFolder, 'limner-aside-'));
    file = join(folder, 'limner.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Puts files beside the list, or the list itself: each has its own name in it. */
  function write(...suffixes: string[]): void {
    for (const suffix of suffixes) {
      writeFileSync(file + suffix, `was ${suffix}`);
    }
  }

  const names = (): string[] => readdirSync(folder).toSorted();

  it('is renamed with all that belongs to it, by when that was', () => {
    write('', '-wal', '-shm', '-journal', '.suspect');
    assert.equal(hasSetAside(file), false);
    const aside = setAside(file, 'damaged', identityOf(file), at);
    assert.equal(aside, `${file}.damaged-20260102030405`);
    assert.deepEqual(names(), [
      'limner.db.damaged-20260102030405',
      'limner.db.damaged-20260102030405-journal',
      'limner.db.damaged-20260102030405-shm',
      'limner.db.damaged-20260102030405-wal',
      'limner.db.suspect',
    ]);
    assert.equal(readFileSync(`${aside}-wal`, 'utf8'), 'was -wal');
    assert.equal(hasSetAside(file), true);
  });

  it('takes the place of no other, however often that is in a second', () => {
    const kept = Array.from({ length: 3 }, () => {
      write('');
      return setAside(file, 'newer', identityOf(file), at);
    });
    const base = `${file}.newer-20260102030405`;
    assert.deepEqual(kept, [base, `${base}-2`, `${base}-3`]);
    assert.equal(names().length, 3);
    assert.equal(hasSetAside(file), true);
  });

  it('is left alone where another window was faster', () => {
    write('', '-wal');
    const identity = identityOf(file);
    assert.equal(setAside(file, 'damaged', undefined, at), undefined);
    assert.equal(setAside(file, 'damaged', `${identity}0`, at), undefined);
    rmSync(file);
    assert.equal(setAside(file, 'damaged', identity, at), undefined);
    assert.equal(setAside(file, 'damaged', undefined, at), undefined);
    assert.deepEqual(names(), ['limner.db-wal']);
  });

  it('gets what was left beside the next one, where its renaming was cut off', () => {
    write(
      '-wal',
      '-shm',
      '.damaged-20250101000000',
      '.damaged-20260101000000',
      '.damaged-20260101000000-journal',
    );
    write('.newer-20251231000000', '.damaged-20240101000000');
    finishSettingAside(file);
    assert.equal(existsSync(`${file}-wal`), false);
    assert.equal(readFileSync(`${file}.damaged-20260101000000-wal`, 'utf8'), 'was -wal');
    assert.equal(readFileSync(`${file}.damaged-20260101000000-shm`, 'utf8'), 'was -shm');
    assert.equal(
      readFileSync(`${file}.damaged-20260101000000-journal`, 'utf8'),
      'was .damaged-20260101000000-journal',
    );
    finishSettingAside(file);
  });

  it('has nothing to get where none was set aside', () => {
    write('-wal', '-wal.damaged-1');
    finishSettingAside(file);
    assert.deepEqual(names(), ['limner.db-wal', 'limner.db-wal.damaged-1']);
    assert.equal(hasSetAside(join(folder, 'other.db')), false);
  });
});
