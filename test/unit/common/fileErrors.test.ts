import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { asSaveError, fileTrouble, type FileTrouble, isHeld } from '../../../src/common/fileErrors.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

/** What the operating system says, what it means, and what a user is told whose image was not saved. */
const table: [code: string, trouble: FileTrouble | undefined, words: string][] = [
  ['ENOSPC', 'full', 'The disk is full.'],
  ['EDQUOT', 'full', 'The disk is full.'],
  ['EACCES', 'denied', "The folder isn't writable."],
  ['EPERM', 'denied', "The folder isn't writable."],
  ['EROFS', 'readOnly', "The folder isn't writable."],
  ['ENOENT', 'gone', 'The folder no longer exists.'],
  ['ENOTDIR', 'notFolder', 'The folder no longer exists.'],
  ['EEXIST', 'exists', 'A file with the name of the folder exists.'],
  ['EBUSY', 'busy', 'Another program is using the file.'],
  ['ENAMETOOLONG', 'nameTooLong', 'The file name is too long for this disk.'],
  ['EIO', undefined, 'A disk error occurred (EIO).'],
];

describe('fileTrouble', () => {
  for (const [code, trouble, words] of table) {
    it(`knows what ${code} means, and what is said of it`, () => {
      const error = Object.assign(new Error('no'), { code });
      assert.equal(fileTrouble(error), trouble);
      assert.equal(asSaveError(error).message, words);
    });
  }

  it('tells a file that is read-only on Windows from one that another program has open', ({ mock }) => {
    const { path, remove } = temporaryFolder('errors');
    const dest = join(path, 'fox.png');
    const error = Object.assign(new Error('no'), { code: 'EPERM', syscall: 'rename', dest });
    mock.property(process, 'platform', 'win32');
    writeFileSync(dest, '', { mode: 0o444 });
    assert.deepEqual([fileTrouble(error), isHeld(error)], ['protected', false]);
    assert.equal(asSaveError(error).message, 'The file is read-only.');
    chmodSync(dest, 0o644);
    assert.deepEqual([fileTrouble(error), isHeld(error)], ['busy', true]);
    remove();
    assert.deepEqual([fileTrouble(error), isHeld(error)], ['busy', true]);
  });

  it('knows the errors of the file systems of an editor, and nothing of others', ({ mock }) => {
    mock.property(process, 'platform', 'linux');
    const codes = ['NoPermissions', 'FileNotFound', 'FileNotADirectory', 'FileExists', 'Unavailable'];
    assert.deepEqual(
      codes.map((code) => fileTrouble(Object.assign(new Error('no'), { code }))),
      ['denied', 'gone', 'notFolder', 'exists', 'unavailable'],
    );
    assert.equal(fileTrouble(new Error('ENOENT')), undefined);
    assert.equal(fileTrouble({ code: 'ENOENT' }), undefined);
    assert.equal(asSaveError(new Error('It broke.')).message, 'It broke.');
  });
});
