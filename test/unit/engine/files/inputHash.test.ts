import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { hashInput } from '../../../../src/engine/files/inputHash.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** When a file that was just written has been as it is for a while, in Unix milliseconds. */
const later = (): number => Date.now() + 60_000;

describe('hashInput', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;

  beforeEach(async () => {
    folder = temporaryFolder('inputs');
    file = join(folder.path, 'photo.png');
    await fs.writeFile(file, 'a fox');
  });

  afterEach(() => folder.remove());

  it('reads a file that nobody touches once', async () => {
    assert.equal(await hashInput(file, later()), sha256('a fox'));
    const open = mock.method(fs, 'open');
    syncBuiltinESMExports();
    try {
      assert.equal(await hashInput(file, later()), sha256('a fox'));
      assert.equal(open.mock.callCount(), 0);
      await fs.writeFile(file, 'two foxes');
      assert.equal(await hashInput(file, later()), sha256('two foxes'));
      assert.equal(open.mock.callCount(), 1);
    } finally {
      mock.restoreAll();
      syncBuiltinESMExports();
    }
  });

  it('sees other bytes of the same length, also with the time of the first', async () => {
    const { atime, mtime, ctimeMs } = await fs.stat(file);
    await hashInput(file, later());
    // The clock of file systems takes steps of some milliseconds.
    do {
      await fs.writeFile(file, 'a box');
      await fs.utimes(file, atime, mtime);
    } while ((await fs.stat(file)).ctimeMs === ctimeMs);
    assert.equal(await hashInput(file, later()), sha256('a box'));
  });

  it('sees another file in the place of one', async () => {
    await hashInput(file, later());
    const other = join(folder.path, 'other.png');
    await fs.writeFile(other, 'a box');
    await fs.rename(other, file);
    assert.equal(await hashInput(file, later()), sha256('a box'));
  });

  it('reads a file again that was changed just before: it may change once more without looking changed', async () => {
    await hashInput(file);
    const open = mock.method(fs, 'open');
    syncBuiltinESMExports();
    try {
      assert.equal(await hashInput(file), sha256('a fox'));
      assert.equal(open.mock.callCount(), 1);
    } finally {
      mock.restoreAll();
      syncBuiltinESMExports();
    }
  });
});
