import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs, {
  appendFile,
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { fileUri, pathOfUri } from '../../../../src/common/fileUris.ts';
import {
  publishBytesOnDisk,
  type PublishJob,
  publishOnDisk,
  replaceOnDisk,
} from '../../../../src/engine/files/publishOnDisk.ts';
import { noLinkRights } from '../../../support/links.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';
import { openFiles } from '../../../support/openFiles.ts';
import { failDisk, namedPath } from '../run/diskFaults.ts';

const bytes = Buffer.from('the bytes of a picture');
const sha256 = createHash('sha256').update(bytes).digest('hex');

/** What happens where the file system has no hard links. */
const noLinks = async (): Promise<never> => {
  throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
};

/** Where there are links, nothing is put in the place of another file. */
const noRename = async (): Promise<never> => assert.fail('renamed');

class Crash extends Error {}

describe('publishOnDisk', () => {
  let folder: string;
  let root: string;
  let images: string;
  let stagedPath: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(memoryFolder, 'limner-publish-')));
    root = join(folder, 'workspace');
    images = join(root, 'images');
    stagedPath = join(folder, 'incoming');
    await mkdir(images, { recursive: true });
    await writeFile(stagedPath, bytes);
  });

  afterEach(() => rm(folder, { recursive: true }));

  function job(changes: Partial<PublishJob> = {}): PublishJob {
    return {
      key: 'task-0',
      fence: 1,
      stagedPath,
      sha256,
      target: {
        folder: fileUri(images),
        root: fileUri(root),
        fileName: '',
      },
      name: 'fox.png',
      ...changes,
    };
  }

  const posixOnly = { skip: process.platform === 'win32' && 'Windows keeps rights elsewhere' };

  const linuxOnly = { skip: process.platform !== 'linux' && 'A folder is held by its name elsewhere' };

  it(
    'puts nothing outside of the root, though the folder becomes a link while it is at work',
    linuxOnly,
    async () => {
      const outside = join(folder, 'outside');
      await mkdir(outside);
      const exchange = async (from: string, to: string): Promise<void> => {
        if (from !== stagedPath) {
          await rename(images, join(root, 'moved'));
          await symlink(outside, images);
        }
        return link(from, to);
      };
      await publishOnDisk(job(), { link: exchange });
      assert.deepEqual(await readdir(outside), []);
      assert.deepEqual(await readdir(join(root, 'moved')), ['fox.png']);
    },
  );

  it('removes what a process left that died while it wrote bytes, and nothing of one that lives', async () => {
    const dead = spawnSync(process.execPath, ['--version']).pid;
    let own = '';
    const { target } = job();
    const write = fs.writeFile.bind(fs);
    const writing = mock.method(fs, 'writeFile', async (...given: Parameters<typeof write>) => {
      own = typeof given[0] === 'string' ? basename(given[0]) : '';
      return write(...given);
    });
    syncBuiltinESMExports();
    await publishBytesOnDisk(bytes, target, 'fox.png');
    writing.mock.restore();
    syncBuiltinESMExports();
    const leftover = own.replace(`-${process.pid}-`, `-${dead}-`);
    assert.notEqual(leftover, own);
    for (const name of [
      own,
      leftover,
      own.replace(/host\w{8}/u, 'host01234567').replace(`-${process.pid}-`, `-${dead}-`),
    ]) {
      await writeFile(join(images, name), 'half');
    }
    await replaceOnDisk(Buffer.from('other'), target, 'fox.png');
    const left = (await readdir(images)).toSorted();
    assert.deepEqual([left.length, left.includes(own), left.includes(leftover)], [3, true, false]);
    assert.equal(await readFile(join(images, 'fox.png'), 'utf8'), 'other');
  });

  it('publishes the bytes, leaves the incoming ones, and nothing else', async () => {
    const uri = await publishOnDisk(job());
    assert.equal(pathOfUri(uri), join(images, 'fox.png'));
    assert.deepEqual(await readdir(images), ['fox.png']);
    assert.deepEqual(await readFile(join(images, 'fox.png')), bytes);
    assert.deepEqual(await readFile(stagedPath), bytes);
  });

  it('gives the synced bytes a second name instead of copying them', posixOnly, async () => {
    const uri = await publishOnDisk(job());
    assert.equal((await lstat(pathOfUri(uri))).ino, (await lstat(stagedPath)).ino);
  });

  it('copies bytes whose rights are not those of a file made in the folder', posixOnly, async () => {
    await chmod(stagedPath, 0o600);
    const uri = await publishOnDisk(job());
    assert.notEqual((await lstat(pathOfUri(uri))).ino, (await lstat(stagedPath)).ino);
    assert.deepEqual(await readdir(images), ['fox.png']);
    assert.deepEqual(await readFile(pathOfUri(uri)), bytes);
    const own = join(images, 'own');
    await writeFile(own, '');
    assert.equal((await lstat(pathOfUri(uri))).mode, (await lstat(own)).mode);
  });

  it('copies bytes from where no link leads to the folder', async () => {
    const uri = await publishOnDisk(job(), {
      link: async (from, to) =>
        from === stagedPath
          ? Promise.reject(Object.assign(new Error('cross-device link'), { code: 'EXDEV' }))
          : link(from, to),
    });
    assert.notEqual((await lstat(pathOfUri(uri))).ino, (await lstat(stagedPath)).ino);
    assert.deepEqual(await readFile(pathOfUri(uri)), bytes);
  });

  it('copies bytes on Windows, where rights come from the folder', async ({ mock }) => {
    mock.property(process, 'platform', 'win32');
    const uri = await publishOnDisk(job());
    assert.notEqual((await lstat(pathOfUri(uri))).ino, (await lstat(stagedPath)).ino);
    assert.deepEqual(await readFile(pathOfUri(uri)), bytes);
    assert.deepEqual(await readdir(images), ['fox.png']);
  });

  it('leaves no file open, however the bytes get there', async () => {
    for (const steps of [{}, { link: noLinks }]) {
      await publishOnDisk(job(), steps);
      await chmod(stagedPath, 0o600);
      await publishOnDisk(job(), steps);
      await chmod(stagedPath, 0o644);
    }
    assert.deepEqual(openFiles(folder), []);
  });

  it('is done once what it wrote survives a power cut: bytes and name', posixOnly, async () => {
    const copy = await failDisk({ operation: 'sync', code: 'EIO', on: (path) => path.endsWith('.tmp') });
    try {
      await assert.rejects(publishOnDisk(job(), { link: noLinks }), { code: 'save_failed' });
    } finally {
      copy.end();
    }
    assert.deepEqual(await readdir(images), []);
    // Some file systems can't say it of folders.
    const name = await failDisk({ operation: 'sync', code: 'EINVAL', on: (path) => path === images });
    try {
      await publishOnDisk(job());
    } finally {
      name.end();
    }
    assert.equal(name.count(), 1);
  });

  for (const [what, put, written] of [
    [
      'in the place of',
      async (file: string) => unlink(file).then(async () => writeFile(file, 'quicker')),
      'quicker',
    ],
    [
      'nothing yet in the place of',
      async (file: string) => unlink(file).then(async () => writeFile(file, '')),
      '',
    ],
    ['into', async (file: string) => writeFile(file, 'quicker'), 'quicker'],
  ] as const) {
    it(`takes the next name when somebody writes ${what} the file that reserves one, without links`, async ({
      mock,
    }) => {
      const first = join(images, 'fox.png');
      const open = fs.open.bind(fs);
      mock.method(fs, 'open', async (...given: Parameters<typeof open>) => {
        const file = await open(...given);
        if (namedPath(String(given[0])) === first && given[1] === 'wx') {
          await put(first);
        }
        return file;
      });
      syncBuiltinESMExports();
      try {
        const uri = await publishOnDisk(job(), { link: noLinks });
        assert.equal(pathOfUri(uri), join(images, 'fox-2.png'));
      } finally {
        mock.restoreAll();
        syncBuiltinESMExports();
      }
      assert.equal(await readFile(first, 'utf8'), written);
      assert.deepEqual(await readFile(join(images, 'fox-2.png')), bytes);
    });
  }

  it('says so when the disk takes no name, rather than to try others', async () => {
    for (const [operation, intended] of [
      ['open', undefined],
      ['unlink', fileUri(join(images, 'fox.png'))],
    ] as const) {
      if (intended !== undefined) {
        await writeFile(join(images, '.limner-task-0-1.tmp'), bytes);
        await writeFile(join(images, 'fox.png'), '');
      }
      const fault = await failDisk({
        operation,
        code: 'EROFS',
        on: (path) => path === join(images, 'fox.png'),
      });
      try {
        await assert.rejects(publishOnDisk(job({ fence: 2, intended }), { link: noLinks }), {
          code: 'save_failed',
          message: "The folder isn't writable.",
        });
      } finally {
        fault.end();
      }
      assert.deepEqual(
        (await readdir(images)).filter((name) => name.endsWith('.png')),
        intended === undefined ? [] : ['fox.png'],
      );
    }
  });

  it('makes the folder', async () => {
    await rm(images, { recursive: true });
    await publishOnDisk(job());
    assert.deepEqual(await readdir(images), ['fox.png']);
  });

  for (const [what, steps] of [
    ['with links', { rename: noRename }],
    ['without links', { link: noLinks }],
  ] as const) {
    it(`numbers names that are taken and overwrites nothing, ${what}`, async () => {
      await writeFile(join(images, 'fox.png'), 'mine');
      await writeFile(join(images, 'fox-2.png'), '');
      const uri = await publishOnDisk(job(), steps);
      assert.equal(pathOfUri(uri), join(images, 'fox-3.png'));
      assert.equal(await readFile(join(images, 'fox.png'), 'utf8'), 'mine');
      assert.deepEqual((await readdir(images)).toSorted(), ['fox-2.png', 'fox-3.png', 'fox.png']);
    });

    it(`takes the next name when one is taken in the very last moment, ${what}`, async () => {
      let first = true;
      const uri = await publishOnDisk(job(), {
        ...steps,
        intend: async (intended) => {
          if (first) {
            first = false;
            await writeFile(pathOfUri(intended), 'quicker');
          }
        },
      });
      assert.equal(pathOfUri(uri), join(images, 'fox-2.png'));
      assert.equal(await readFile(join(images, 'fox.png'), 'utf8'), 'quicker');
    });
  }

  for (const code of ['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EXDEV']) {
    it(`does without links where there are none (${code})`, async () => {
      const uri = await publishOnDisk(job(), {
        link: async () => Promise.reject(Object.assign(new Error(code), { code })),
      });
      assert.deepEqual(await readdir(images), ['fox.png']);
      assert.deepEqual(await readFile(pathOfUri(uri)), bytes);
    });
  }

  for (const code of ['ENOENT', 'ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', undefined]) {
    it(`leaves nothing behind where the disk fails, which says nothing about links (${code})`, async () => {
      let renamed = false;
      const intended: string[] = [];
      await assert.rejects(
        publishOnDisk(job(), {
          link: async () =>
            Promise.reject(Object.assign(new Error('failed'), code !== undefined && { code })),
          rename: async () => {
            renamed = true;
          },
          intend: async (uri) => {
            intended.push(pathOfUri(uri));
          },
        }),
        { code: 'save_failed' },
      );
      assert.equal(renamed, false);
      assert.deepEqual(await readdir(images), []);
      // Whether another window took over is asked once more.
      assert.deepEqual(intended, [join(images, 'fox.png'), join(images, 'fox.png')]);
    });
  }

  it('takes a link for made whose answer was lost on the way', async () => {
    const uri = await publishOnDisk(job(), {
      link: async (from, to) => {
        await link(from, to);
        if (from !== stagedPath) {
          throw Object.assign(new Error('exists'), { code: 'EEXIST' });
        }
      },
    });
    assert.equal(pathOfUri(uri), join(images, 'fox.png'));
    assert.deepEqual(await readdir(images), ['fox.png']);
  });

  it('takes away what an earlier run of the same image left, and nothing of others', async () => {
    const photo = 'some-long-photo1.png';
    const others = [
      '.limner-task-0-11.tmp',
      '.limner-task-1-1.tmp',
      '.limner-task-0-.tmp',
      'task-0-1.tmp',
      photo,
    ];
    for (const name of [...others, '.limner-task-0-1.tmp', '.limner-task-0-10.tmp']) {
      await writeFile(join(images, name), bytes);
    }
    await publishOnDisk(job({ fence: 10 }));
    assert.deepEqual((await readdir(images)).toSorted(), [...others, 'fox.png'].toSorted());
  });

  for (const [what, reserved, copied, age, isKept] of [
    ['that a run reserved', '', bytes, 0, false],
    ['that a run reserved a while after its copy', '', bytes, 60, false],
    ['that was there before the copy', '', bytes, -60, true],
    ['beside a copy that is empty itself', '', Buffer.alloc(0), 60, true],
    ['in which somebody wrote meanwhile', 'x', bytes, 60, true],
  ] as const) {
    it(`${isKept ? 'keeps' : 'takes back'} an intended name ${what}`, async () => {
      const [copy, file] = [join(images, '.limner-task-0-1.tmp'), join(images, 'fox.png')];
      await writeFile(copy, copied);
      await writeFile(file, reserved);
      const at = 1_700_000_000;
      await utimes(copy, at, at);
      await utimes(file, at + age, at + age);
      const uri = await publishOnDisk(job({ fence: 2, intended: fileUri(file) }));
      const name = isKept ? 'fox-2.png' : 'fox.png';
      assert.equal(pathOfUri(uri), join(images, name));
      assert.deepEqual((await readdir(images)).toSorted(), isKept ? ['fox-2.png', 'fox.png'] : ['fox.png']);
      assert.deepEqual(await readFile(join(images, name)), bytes);
      assert.equal(isKept && (await readFile(file, 'utf8')), isKept && reserved);
    });
  }

  it('finds what it published as a copy, and nothing where the name is on no disk', async () => {
    await writeFile(join(images, 'fox.png'), bytes);
    const intended = fileUri(join(images, 'fox.png'));
    assert.equal(await publishOnDisk(job({ fence: 2, intended })), intended);
    assert.deepEqual(await readdir(images), ['fox.png']);
    const other = await publishOnDisk(job({ fence: 2, intended: 'memfs:/images/fox.png', name: 'hen.png' }));
    assert.equal(pathOfUri(other), join(images, 'hen.png'));
  });

  const rootOnly = { skip: process.getuid?.() !== 0 && 'only root gives files away' };
  it('copies bytes that belong to others, so that the file belongs to who made it', rootOnly, async () => {
    const { uid, gid } = await lstat(images);
    for (const [name, owner, group] of [
      ['user.png', 65_534, gid],
      ['group.png', uid, 65_534],
    ] as const) {
      await chown(stagedPath, owner, group);
      const published = await lstat(pathOfUri(await publishOnDisk(job({ name }))));
      assert.deepEqual([published.uid, published.gid], [uid, gid]);
    }
  });

  it('gives the file the group of a folder that is shared in one', rootOnly, async () => {
    await chown(images, 0, 65_533);
    await chmod(images, 0o2775);
    const { gid } = await lstat(pathOfUri(await publishOnDisk(job())));
    assert.equal(gid, 65_533);
  });

  it('publishes no part of an image, and all of it where the disk takes a part at a time', async () => {
    for (const code of ['ENOSPC', 'short']) {
      const fault = await failDisk({ operation: 'write', code, on: (path) => path.startsWith(images) });
      try {
        const published = publishOnDisk(job(), { link: noLinks });
        await (code === 'short' ? published : assert.rejects(published, { message: 'The disk is full.' }));
      } finally {
        fault.end();
      }
      assert.deepEqual(await readdir(images), code === 'short' ? ['fox.png'] : []);
    }
    assert.deepEqual(await readFile(join(images, 'fox.png')), bytes);
  });

  it(
    'publishes no part of an image that cannot be read whole',
    { skip: process.platform !== 'linux' },
    async () => {
      // Its size is said to be another one than what is read of it.
      await assert.rejects(publishOnDisk(job({ stagedPath: '/proc/version' }), { link: noLinks }), {
        message: 'Only part of the image could be read.',
      });
      assert.deepEqual(await readdir(images), []);
    },
  );

  it('numbers a name by its stem, however many dots it has, and one without an extension', async () => {
    for (const [name, second] of [
      ['a.b.png', 'a.b-2.png'],
      ['fox', 'fox-2'],
    ] as const) {
      await publishOnDisk(job({ name }));
      assert.equal(pathOfUri(await publishOnDisk(job({ name }))), join(images, second));
    }
  });

  it('goes nowhere outside of the root, not even to make a folder', async () => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    for (const target of [join(root, '..', 'outside'), join(root, '..')]) {
      await assert.rejects(publishOnDisk(job({ target: { ...job().target, folder: fileUri(target) } })), {
        code: 'save_failed',
      });
    }
    assert.deepEqual(await readdir(outside), []);
  });

  for (const [what, steps] of [
    ['with links', { link }],
    ['without links', { link: noLinks }],
  ] as const) {
    it(
      `writes through no link under its final or its hidden name, ${what}`,
      { skip: noLinkRights },
      async () => {
        const outside = join(folder, 'outside.png');
        await writeFile(outside, 'mine');
        await symlink(outside, join(images, 'fox.png'));
        await symlink(join(folder, 'not-there.png'), join(images, 'fox-2.png'));
        await symlink(outside, join(images, '.limner-task-0-1.tmp'));
        const uri = await publishOnDisk(job(), steps);
        assert.equal(pathOfUri(uri), join(images, 'fox-3.png'));
        assert.equal(await readFile(outside, 'utf8'), 'mine');
        assert.deepEqual((await readdir(folder)).toSorted(), ['incoming', 'outside.png', 'workspace']);
        assert.ok((await lstat(pathOfUri(uri))).isFile());
      },
    );

    it(
      `writes through no link that takes its place in the very last moment, ${what}`,
      { skip: noLinkRights },
      async () => {
        const outside = join(folder, 'outside.png');
        await writeFile(outside, 'mine');
        let first = true;
        const uri = await publishOnDisk(job(), {
          ...steps,
          intend: async (intended) => {
            if (first) {
              await symlink(outside, pathOfUri(intended));
            }
            first = false;
          },
        });
        assert.equal(pathOfUri(uri), join(images, 'fox-2.png'));
        assert.equal(await readFile(outside, 'utf8'), 'mine');
      },
    );
  }

  it('goes through no link that leads out of the root', { skip: noLinkRights }, async () => {
    const outside = join(folder, 'outside');
    await mkdir(join(outside, 'images'), { recursive: true });
    await symlink(outside, join(root, 'parent'));
    for (const path of [
      join(root, 'parent'),
      join(root, 'parent', 'images'),
      join(root, 'parent', 'new', 'images'),
    ]) {
      await assert.rejects(publishOnDisk(job({ target: { ...job().target, folder: fileUri(path) } })), {
        code: 'save_failed',
        message: /leads outside/u,
      });
    }
    assert.deepEqual(await readdir(outside, { recursive: true }), ['images']);
  });

  it('follows links that stay inside of the root', { skip: noLinkRights }, async () => {
    await symlink(images, join(root, 'link'));
    const uri = await publishOnDisk(
      job({ target: { ...job().target, folder: fileUri(join(root, 'link')) } }),
    );
    assert.equal(pathOfUri(uri), join(root, 'link', 'fox.png'));
    assert.deepEqual(await readdir(images), ['fox.png']);
  });

  it(
    'names files as the person does where the root is reached through a link',
    { skip: noLinkRights },
    async () => {
      const opened = join(folder, 'opened');
      await symlink(root, opened);
      const [there, inside] = [opened, join(opened, 'new')].map((path) => fileUri(path));
      assert.ok(there !== undefined && inside !== undefined);
      const intended: string[] = [];
      const uri = await publishOnDisk(job({ target: { folder: inside, root: there, fileName: '' } }), {
        intend: async (name) => void intended.push(name),
      });
      assert.deepEqual([uri, ...intended], [`${inside}/fox.png`, `${inside}/fox.png`]);
      assert.deepEqual(await readdir(join(root, 'new')), ['fox.png']);
    },
  );

  it('refuses a name that is a path', async () => {
    for (const name of ['../fox.png', 'a/b.png', '..', '.', '']) {
      await assert.rejects(publishOnDisk(job({ name })), { code: 'save_failed' });
    }
  });

  it('publishes once when it was cut off before the link', async () => {
    let intended = '';
    await assert.rejects(
      publishOnDisk(job(), {
        intend: async (uri) => {
          intended = uri;
          throw new Crash();
        },
      }),
      { code: 'save_failed' },
    );
    await publishOnDisk(job({ fence: 2, intended }));
    assert.deepEqual(await readdir(images), ['fox.png']);
  });

  it('publishes once when it was cut off after the link', async () => {
    const intended = await publishOnDisk(job());
    await writeFile(join(images, '.limner-task-0-1.tmp'), bytes);
    const again = await publishOnDisk(job({ fence: 2, intended }));
    assert.equal(again, intended);
    assert.deepEqual(await readdir(images), ['fox.png']);
  });

  it(
    'publishes once when its file was drawn on before anybody wrote down that it is there',
    posixOnly,
    async () => {
      const intended = await publishOnDisk(job());
      await appendFile(pathOfUri(intended), ' and a hat');
      const again = await publishOnDisk(job({ fence: 2, intended }));
      assert.equal(again, intended);
      assert.deepEqual(await readdir(images), ['fox.png']);
    },
  );

  it('publishes beside a file that took the intended name meanwhile', async () => {
    await writeFile(join(images, 'fox.png'), 'mine');
    const intended = fileUri(join(images, 'fox.png'));
    await publishOnDisk(job({ fence: 2, intended }));
    assert.deepEqual((await readdir(images)).toSorted(), ['fox-2.png', 'fox.png']);
  });

  it('removes the empty file with which a run that was cut off reserved its name', async () => {
    await writeFile(join(images, '.limner-task-0-1.tmp'), bytes);
    await writeFile(join(images, 'fox.png'), '');
    const intended = fileUri(join(images, 'fox.png'));
    await publishOnDisk(job({ fence: 2, intended }), { link: noLinks });
    assert.deepEqual(await readdir(images), ['fox.png']);
    assert.deepEqual(await readFile(join(images, 'fox.png')), bytes);
  });

  it('takes nothing from the window that took over from it while it slept', async () => {
    await publishOnDisk(job({ fence: 2 }), {
      link: async (from, to) => {
        // This one publishes whatever it may; the store is what keeps it from it.
        await publishOnDisk(job({ name: 'late.png' }));
        await link(from, to);
      },
    });
    assert.deepEqual(await readFile(join(images, 'fox.png')), bytes);
  });

  it('leaves the picture alone that another window published under the reserved name while this one slept', async () => {
    const intended = fileUri(join(images, 'fox.png'));
    await assert.rejects(
      publishOnDisk(job(), {
        link: noLinks,
        rename: async (from, to) => {
          await publishOnDisk(job({ fence: 2, intended }), { link: noLinks });
          await rename(from, to);
        },
      }),
    );
    assert.deepEqual(await readdir(images), ['fox.png']);
    assert.deepEqual(await readFile(join(images, 'fox.png')), bytes);
  });

  it('takes the reserved name back when the picture cannot be put under it', async () => {
    await assert.rejects(
      publishOnDisk(job(), { link: noLinks, rename: () => Promise.reject(new Error('The disk failed.')) }),
    );
    assert.deepEqual(await readdir(images), []);
  });

  for (const [what, steps] of [
    ['with links', { link }],
    ['without links', { link: noLinks }],
  ] as const) {
    it(`publishes nothing twice when a sleeping window wakes between its last check and the end, ${what}`, async () => {
      let mayPublish = true;
      await assert.rejects(
        publishOnDisk(job(), {
          ...steps,
          intend: async () => {
            if (!mayPublish) {
              throw Object.assign(new Error('another window'), { code: 'stopped', name: 'LimnerError' });
            }
            // Here this window sleeps; another one takes over, publishes, and the user moves the file away.
            mayPublish = false;
            await publishOnDisk(job({ fence: 2 }));
            await unlink(join(images, 'fox.png'));
          },
        }),
      );
      assert.deepEqual(await readdir(images), []);
    });
  }
});
