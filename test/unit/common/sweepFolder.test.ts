import assert from 'node:assert/strict';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sweepFolder } from '../../../src/common/folders.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const day = 24 * 3_600_000;

test('deletes what is old and not needed, and asks once what is', async () => {
  const { path, remove } = temporaryFolder('sweep');
  for (const name of ['old', 'old-and-needed', 'older', 'new']) {
    await mkdir(join(path, name));
    await writeFile(join(path, name, 'mask.png'), name);
    const time = name === 'new' ? new Date() : new Date(Date.now() - 8 * day);
    await utimes(join(path, name), time, time);
  }
  let asked = 0;
  await sweepFolder(path, 7 * day, () => {
    asked += 1;
    return (name) => name === 'old-and-needed';
  });
  assert.deepEqual((await readdir(path)).toSorted(), ['new', 'old-and-needed']);
  assert.equal(asked, 1);
  remove();
});

test('does nothing where there is no folder yet', async () => {
  const { path, remove } = temporaryFolder('sweep');
  await sweepFolder(join(path, 'missing'), 0, () => assert.fail('Nothing is old.'));
  remove();
});
