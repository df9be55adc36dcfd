import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  checkRights,
  exists,
  folderProblem,
  makeTrialFile,
  prepareFolder,
  rootExists,
  trialFile,
} from '../../../../src/engine/files/targetFolder.ts';
import { noLinkRights } from '../../../support/links.ts';
import { notOnWindows } from '../../../support/platform.ts';
import { asOrdinaryUser } from '../store/ordinaryUser.ts';

/** A folder in which nobody can make a file, whoever asks: root neither, whom its rights would let. */
const readOnly = '/sys';
const elsewhere =
  process.platform === 'linux' ? false : 'only Linux has a folder that is read-only for everybody';

/** The rights of Windows are other ones. */
const otherRights = notOnWindows('rights there are no bits');

/** Returns a probe that finds this error of the operating system. */
function failing(code: string): () => Promise<never> {
  return async () => Promise.reject(Object.assign(new Error(code), { code }));
}

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

  it(
    'is read-only where its rights say so',
    { skip: otherRights || (process.getuid?.() === 0 && 'root may') },
    async () => {
      await chmod(folder, 0o555);
      assert.deepEqual(await folderProblem(join(folder, 'new'), checkRights), {
        kind: 'readOnly',
        path: folder,
      });
    },
  );

  it('is no file and not inside one', async () => {
    const path = join(folder, 'images');
    await writeFile(path, 'in the way');
    assert.deepEqual(await folderProblem(path, checkRights), { kind: 'file', path });
    // Windows says of what is below a file that it isn't there, and Limner looks further up.
    assert.deepEqual(
      await folderProblem(join(path, 'new'), checkRights),
      process.platform === 'win32' ? { kind: 'file', path } : { kind: 'inFile', path: join(path, 'new') },
    );
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

  it(
    'is rid of what a crash left of an earlier try, even where that leads elsewhere',
    { skip: noLinkRights },
    async () => {
      const root = pathToFileURL(folder).href;
      const link = join(folder, trialFile);
      await symlink(join(folder, 'outside'), link);
      await prepareFolder({ folder: root, root, fileName: '' });
      assert.deepEqual(await readdir(folder), []);
    },
  );

  it('is read-only where a try says so, and has another problem where it says that', async () => {
    const path = join(folder, 'new');
    for (const code of ['EACCES', 'EPERM', 'EROFS', 'ENOENT']) {
      assert.deepEqual(await folderProblem(path, failing(code)), { kind: 'readOnly', path: folder });
    }
    await assert.rejects(folderProblem(path, failing('ENOSPC')), { code: 'ENOSPC' });
  });

  it('is read-only, or said to be out of reach, where nobody may look', { skip: otherRights }, async () => {
    const path = join(folder, 'locked', 'images');
    await mkdir(path, { recursive: true });
    await chmod(join(folder, 'locked'), 0);
    await asOrdinaryUser(async () => {
      assert.deepEqual(await folderProblem(path, checkRights), { kind: 'readOnly', path });
      await assert.rejects(exists(path), { code: 'EACCES' });
    });
    await chmod(join(folder, 'locked'), 0o700);
  });

  it('has nothing in it that is not there', async () => {
    await writeFile(join(folder, 'file'), '');
    assert.deepEqual(
      await Promise.all(['file', '.', 'none', 'file/below'].map(async (name) => exists(join(folder, name)))),
      [true, true, false, false],
    );
    await assert.rejects(checkRights(join(folder, 'none')), { code: 'ENOENT' });
  });

  it('has a link in it that leads nowhere', { skip: noLinkRights }, async () => {
    await symlink(join(folder, 'nowhere'), join(folder, 'link'));
    assert.equal(await exists(join(folder, 'link')), true);
  });

  it('is below a root that is a folder', async () => {
    const rootOf = async (name: string): Promise<boolean> => {
      const root = pathToFileURL(join(folder, name)).href;
      return rootExists({ folder: root, root, fileName: '' });
    };
    await writeFile(join(folder, 'file'), '');
    assert.deepEqual([await rootOf('.'), await rootOf('file'), await rootOf('none')], [true, false, false]);
  });

  it('is made where it is its own root, and in no root that is gone', async () => {
    const own = pathToFileURL(join(folder, 'own/images')).href;
    await prepareFolder({ folder: own, root: own, fileName: '' });
    assert.deepEqual(await readdir(join(folder, 'own')), ['images']);
    const root = pathToFileURL(join(folder, 'gone')).href;
    await assert.rejects(prepareFolder({ folder: `${root}/images`, root, fileName: '' }), {
      code: 'save_failed',
      billing: 'no',
    });
    assert.deepEqual(await readdir(folder), ['own']);
  });

  it('is left to others where it is on no disk', async () => {
    await prepareFolder({ folder: 'memfs:/images', root: 'memfs:/', fileName: '' });
  });

  for (const name of ['aux', 'com1.d', 'NUL .x', 'dots.', 'spaces ', 'what?']) {
    it(`is refused at no cost on Windows, which has no such name: ${name}`, async ({ mock }) => {
      const root = pathToFileURL(folder).href;
      const target = { folder: pathToFileURL(join(folder, name, 'images')).href, root, fileName: '' };
      mock.property(process, 'platform', 'win32');
      await assert.rejects(prepareFolder(target), {
        code: 'save_failed',
        billing: 'no',
        message: `Windows can't use "${name}" as the name of a folder.`,
      });
      assert.deepEqual(await readdir(folder), []);
      mock.restoreAll();
      if (process.platform !== 'win32') {
        await prepareFolder(target);
      }
    });
  }

  it('is made and left empty', async () => {
    const root = pathToFileURL(folder).href;
    await prepareFolder({ folder: `${root}/images`, root, fileName: '' });
    assert.deepEqual(await readdir(folder), ['images']);
    assert.deepEqual(await readdir(join(folder, 'images')), []);
  });
});
