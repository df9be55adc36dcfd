import assert from 'node:assert/strict';
import fs, { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inOneNotation, isSameFile, realWayInto, wayInto } from '../../../src/common/fileUris.ts';
import { noLinkRights } from '../../support/links.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

describe('the names of files on disk', () => {
  let folder: ReturnType<typeof temporaryFolder>;

  beforeEach(async () => {
    folder = temporaryFolder('names');
    await mkdir(join(folder.path, 'real/images'), { recursive: true });
    await mkdir(join(folder.path, 'elsewhere'));
    if (noLinkRights === false) {
      await symlink(join(folder.path, 'real'), join(folder.path, 'opened'));
      await symlink(join(folder.path, 'elsewhere'), join(folder.path, 'real/way-out'));
    }
  });

  afterEach(() => folder.remove());

  it(
    'lead out of a folder only where links do, whether or not the folder is a link itself',
    { skip: noLinkRights },
    async () => {
      const opened = join(folder.path, 'opened');
      for (const [path, way] of [
        ['images', 'images'],
        ['new/images', ''],
        ['../real/images', 'images'],
        ['way-out', undefined],
        ['way-out/new/fox.png', undefined],
        ['../elsewhere', undefined],
      ] as const) {
        assert.equal(await realWayInto(opened, join(opened, path)), way, path);
      }
      await assert.rejects(realWayInto(join(folder.path, 'none'), join(folder.path, 'none/images')), {
        code: 'ENOENT',
      });
    },
  );

  it('lead to a folder that another window makes at this moment', async () => {
    const made = join(folder.path, 'real/new');
    const asked = fs.realpath;
    const mocked = mock.method(fs, 'realpath', async (path: string) => {
      try {
        return await asked(path);
      } catch (error) {
        await mkdir(made, { recursive: true });
        throw error;
      }
    });
    syncBuiltinESMExports();
    try {
      assert.equal(await realWayInto(join(folder.path, 'real'), made), 'new');
    } finally {
      mocked.mock.restore();
      syncBuiltinESMExports();
    }
  });

  for (const code of ['EISDIR', 'UNKNOWN']) {
    it(
      `lead to the same where a disk has no real paths, and says ${code}`,
      { skip: noLinkRights },
      async () => {
        const [opened, inside] = [join(folder.path, 'opened'), join(folder.path, 'opened/images')];
        // What is not there yet may still have one, as on a disk in memory below a folder on another one.
        const mocked = mock.method(fs, 'realpath', async (path: string) => {
          if (path === opened || path === inside) {
            throw Object.assign(new Error(code), { code });
          }
          return realpath(path);
        });
        syncBuiltinESMExports();
        try {
          assert.equal(await realWayInto(opened, inside), 'images');
          assert.equal(await realWayInto(opened, join(opened, 'way-out')), undefined);
        } finally {
          mocked.mock.restore();
          syncBuiltinESMExports();
        }
      },
    );
  }

  it('are compared whichever program wrote them', () => {
    const disk = process.platform === 'win32' ? 'file:///c:' : 'file://';
    const uri = `${disk}/w/a%20fox%20%281%29%2Bb.png`;
    assert.equal(inOneNotation(uri), `${disk}/w/a%20fox%20(1)+b.png`);
    assert.ok(isSameFile(uri, `${disk}/w/a fox (1)+b.png`));
    assert.ok(isSameFile('FILE:/w/100%.png', 'file://localhost/w/100%.png'));
    assert.equal(wayInto('file:///w/', 'file:///w/images/a%23b.png'), 'images/a#b.png');
    assert.equal(wayInto('file:///w', 'file:///w'), '');
    assert.equal(wayInto('file:///w', 'file:///ww/fox.png'), undefined);
    assert.equal(wayInto('vscode-vfs://github/o/r', 'vscode-vfs://github/o/r/fox.png'), 'fox.png');
    assert.equal(wayInto('vscode-vfs://github/o/r', 'file:///o/r/fox.png'), undefined);
    assert.equal(wayInto('vscode-vfs://github/o/r', 'vscode-vfs://github/o/R/fox.png'), undefined);
    assert.equal(inOneNotation('vscode-vfs://github/o/r%201'), 'vscode-vfs://github/o/r%201');
  });

  it('that differ in their case, or how letters are composed, are one where the disk says so', async () => {
    const uriOf = (name: string): string => pathToFileURL(join(folder.path, name)).href;
    for (const name of ['real/fox.png', 'real/é.png']) {
      await writeFile(join(folder.path, name), name);
    }
    const isOne = async (name: string): Promise<boolean> =>
      realpath(join(folder.path, name)).then(
        () => true,
        () => false,
      );
    for (const [name, other] of [
      ['real/fox.png', 'real/Fox.png'],
      ['real/é.png', 'real/e\u0301.png'],
      ['real/fox.png', 'REAL/fox.png'],
    ] as const) {
      assert.equal(isSameFile(uriOf(name), uriOf(other)), await isOne(other), other);
    }
    // A second name of the same file, as on disks that take both.
    await symlink('fox.png', join(folder.path, 'real/FOX.png')).catch(() => {});
    assert.ok(isSameFile(uriOf('real/fox.png'), uriOf('real/FOX.png')));
    assert.ok(!isSameFile(uriOf('real/fox.png'), uriOf('real/owl.png')));
  });
});
