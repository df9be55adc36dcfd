import assert from 'node:assert/strict';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { makeFolder } from '../../../src/common/folders.ts';
import { memoryFolder } from '../../support/memoryFolder.ts';

describe('makeFolder', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(memoryFolder, 'limner-folders-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('makes the folders that are missing, also while others make them', async () => {
    const parents = Array.from({ length: 300 }, (_, index) => join(root, String(index)));
    const folders = parents.flatMap((parent) => ['one', 'other'].map((name) => join(parent, name)));
    await Promise.all([...folders, ...parents].map(async (folder) => makeFolder(folder)));
    await Promise.all(folders.map(async (folder) => access(folder)));
  });

  it('fails where a file is in the way, or a folder takes none', async () => {
    await writeFile(join(root, 'file'), '');
    await assert.rejects(makeFolder(join(root, 'file')), { code: 'EEXIST' });
    await assert.rejects(makeFolder(join(root, 'file/below')));
    if (process.platform === 'linux') {
      await assert.rejects(makeFolder('/proc/limner/below'), { code: 'ENOENT' });
    }
  });
});
