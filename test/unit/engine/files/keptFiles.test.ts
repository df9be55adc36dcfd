import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { KeptFiles } from '../../../../src/engine/files/keptFiles.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { openFiles } from '../../../support/openFiles.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { failDisk } from '../run/diskFaults.ts';

const day = 24 * 3_600_000;
const png = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 0, lines: [0, 0] });
const other = Buffer.from('no image');

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function age(copy: string, days: number): Promise<void> {
  const time = new Date(Date.now() - days * day);
  await utimes(copy, time, time);
  await utimes(dirname(copy), time, time);
}

describe('KeptFiles', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let kept: KeptFiles;

  beforeEach(() => {
    folder = temporaryFolder('kept');
    kept = new KeptFiles(join(folder.path, 'replaced'));
  });

  afterEach(() => {
    assert.deepEqual(openFiles(folder.path), []);
    folder.remove();
  });

  /** All copies, below their folder. */
  async function names(): Promise<string[]> {
    const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  it('keeps the same bytes once, for 30 days from the last time', async () => {
    const path = await kept.keep(png, 'photo.png');
    assert.equal(basename(path), 'photo.png');
    await age(path, 29);
    assert.equal(await kept.keep(png, 'photo.png'), path);
    assert.deepEqual(await readFile(path), png);
    // The sweep goes by the age of the folder.
    assert.ok(Date.now() - (await stat(dirname(path))).mtimeMs < day);
    assert.deepEqual(await names(), ['photo.png']);
  });

  it('says of no copy that it is kept before it survives a power cut, under its name', async () => {
    const replaced = join(folder.path, 'replaced');
    const synced: string[] = [];
    const disk = await failDisk({
      operation: 'sync',
      code: 'EIO',
      on(path) {
        synced.push(path);
        return false;
      },
    });
    let copy: string;
    try {
      copy = await kept.keep(png, 'photo.png');
    } finally {
      disk.end();
    }
    const [part = '', ...folders] = synced;
    assert.equal(dirname(part), replaced);
    assert.deepEqual(folders, process.platform === 'win32' ? [] : [dirname(copy), replaced]);
    const failing = await failDisk({
      operation: 'sync',
      code: 'EIO',
      on: (path) => dirname(path) === replaced,
    });
    try {
      await assert.rejects(kept.keep(other, 'other.png'), { code: 'EIO' });
    } finally {
      failing.end();
    }
    assert.deepEqual(await names(), ['photo.png']);
  });

  it('keeps files of the same name apart', async () => {
    const [first, second] = [await kept.keep(png, 'photo.png'), await kept.keep(other, 'photo.png')];
    assert.deepEqual(await readFile(first), png);
    assert.deepEqual(await readFile(second), other);
  });

  it('leaves an earlier copy whole when the bytes are kept again', async () => {
    const path = await kept.keep(png, 'photo.png');
    const { ino } = await stat(path);
    await kept.keep(png, 'photo.png');
    // A viewer may have it open, which Windows lets nobody replace.
    assert.equal((await stat(path)).ino, ino);
    await writeFile(path, png.subarray(1));
    await kept.keep(png, 'photo.png');
    assert.deepEqual(await readFile(path), png);
  });

  for (const [name, expected] of [
    ['Ägypten & ich.JPG', 'Ägypten & ich.JPG'],
    [`${'é'.repeat(100)}.webp`, `${'é'.repeat(30)}.webp`],
    ['con.png', '_con.png'],
    ['a:b?.png', 'a-b.png'],
    ['..', 'image.png'],
    ['photo', 'photo.png'],
    ['photo.original', 'photo.png'],
  ] as const) {
    it(`names the copy of ${name.slice(0, 20)} ${expected.slice(0, 20)}`, async () => {
      assert.equal(basename(await kept.keep(png, name)), expected);
    });
  }

  it('names the copy of what is no image and says of itself nothing', async () => {
    assert.equal(basename(await kept.keep(other, 'notes')), 'notes.bin');
  });

  it('finds a copy by its hash, and only while it holds these bytes', async () => {
    const path = await kept.keep(png, 'photo.png');
    assert.equal(await kept.find(sha256(png)), path);
    assert.equal(await kept.find(sha256(other)), undefined);
    await writeFile(path, 'changed');
    assert.equal(await kept.find(sha256(png)), undefined);
  });

  it('tells where bytes are: in their file as long as it is as it was, then in the copy', async () => {
    const path = join(folder.path, 'photo.png');
    const whereabouts = async (): Promise<string | undefined> =>
      kept.whereabouts({ path, sha256: sha256(png) });
    await writeFile(path, png);
    const copy = await kept.keep(png, 'photo.png');
    assert.equal(await whereabouts(), path);
    await writeFile(path, 'another picture');
    assert.equal(await whereabouts(), copy);
    await rm(path);
    assert.equal(await whereabouts(), copy);
    await rm(copy);
    assert.equal(await whereabouts(), undefined);
  });

  it('deletes what is older than 30 days', async () => {
    await kept.sweep();
    const [old, recent] = [await kept.keep(png, 'old.png'), await kept.keep(other, 'recent.png')];
    await age(old, 31);
    await age(recent, 29);
    await kept.sweep();
    assert.deepEqual(await readdir(join(folder.path, 'replaced')), [sha256(other)]);
    assert.deepEqual(await names(), ['recent.png']);
    await age(recent, 31);
    await kept.keep(png, 'new.png');
    assert.deepEqual(await names(), ['new.png']);
  });

  it('finds and deletes the copies of earlier versions, which were named by their hash', async () => {
    const path = join(folder.path, 'replaced', `${sha256(png)}.png`);
    await mkdir(dirname(path));
    await writeFile(path, png);
    await kept.sweep();
    assert.equal(await kept.find(sha256(png)), path);
    await age(path, 31);
    await kept.sweep();
    assert.deepEqual(await names(), []);
  });

  it('sweeps nothing where its folder cannot be read: other work at startup goes on', async () => {
    const file = join(folder.path, 'in the way');
    await writeFile(file, '');
    await new KeptFiles(file).sweep();
    assert.deepEqual(await readdir(folder.path), ['in the way']);
  });
});
