import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  checkRights,
  folderProblem,
  makeTrialFile,
  prepareFolder,
  trialFile,
} from '../../../../src/tasks/files/targetFolder.ts';

/** A folder in which nobody can make a file, whoever asks: root neither, whom its rights would let. */
const readOnly = '/sys';
const elsewhere =
  process.platform === 'linux' ? false : 'only Linux has a folder that is read-only for everybody';

describe('the folder that images go to', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'limner-folder-')));
  });

  afterEach(() => rm(folder, { recursive: true }));

  for (const probe of [checkRights, makeTrialFile]) {
    it(`may be there or not yet, and stays as it is (${probe.name})`, async () => {
      assert.equal(await folderProblem(folder, probe), undefined);
      assert.equal(await folderProblem(join(folder, 'new/images'), probe), undefined);
      assert.deepEqual(await readdir(folder), []);
    });
  }

  it('is not written to where only its rights are looked at', async () => {
    await writeFile(join(folder, trialFile), 'of somebody else');
    assert.equal(await folderProblem(join(folder, 'new'), checkRights), undefined);
    assert.deepEqual(await readdir(folder), [trialFile]);
  });

  it('is read-only where its rights say so', { skip: process.getuid?.() === 0 && 'root may' }, async () => {
    await chmod(folder, 0o555);
    assert.deepEqual(await folderProblem(join(folder, 'new'), checkRights), {
      kind: 'readOnly',
      path: folder,
    });
  });

  it('is no file and not inside one', async () => {
    const path = join(folder, 'images');
    await writeFile(path, 'in the way');
    assert.deepEqual(await folderProblem(path, checkRights), { kind: 'file', path });
    assert.deepEqual(await folderProblem(join(path, 'new'), checkRights), {
      kind: 'inFile',
      path: join(path, 'new'),
    });
  });

  it('is not read-only, nor what it is made in', { skip: elsewhere }, async () => {
    assert.deepEqual(await folderProblem(readOnly, makeTrialFile), { kind: 'readOnly', path: readOnly });
    assert.deepEqual(await folderProblem(join(readOnly, 'new/images'), makeTrialFile), {
      kind: 'readOnly',
      path: readOnly,
    });
  });

  it('is refused at no cost when it is read-only', { skip: elsewhere }, async () => {
    const uri = pathToFileURL(readOnly).href;
    await assert.rejects(prepareFolder({ folder: uri, root: uri, fileName: '' }), {
      code: 'save_failed',
      message: "The folder isn't writable.",
      billing: 'no',
    });
  });

  it('is rid of what a crash left of an earlier try, even where that leads elsewhere', async () => {
    const root = pathToFileURL(folder).href;
    const link = join(folder, trialFile);
    await symlink(join(folder, 'outside'), link);
    await prepareFolder({ folder: root, root, fileName: '' });
    assert.deepEqual(await readdir(folder), []);
  });

  it('is made and left empty', async () => {
    const root = pathToFileURL(folder).href;
    await prepareFolder({ folder: `${root}/images`, root, fileName: '' });
    assert.deepEqual(await readdir(folder), ['images']);
    assert.deepEqual(await readdir(join(folder, 'images')), []);
  });
});
