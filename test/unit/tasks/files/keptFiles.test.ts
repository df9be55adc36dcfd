import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { KeptFiles } from '../../../../src/tasks/files/keptFiles.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

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

  afterEach(() => folder.remove());

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

  it('keeps files of the same name apart', async () => {
    const [first, second] = [await kept.keep(png, 'photo.png'), await kept.keep(other, 'photo.png')];
    assert.deepEqual(await readFile(first), png);
    assert.deepEqual(await readFile(second), other);
  });

  it('leaves an earlier copy whole when the bytes are kept again', async () => {
    const path = await kept.keep(png, 'photo.png');
    const { ino } = await stat(path);
    await kept.keep(png, 'photo.png');
    // The bytes were not written over: another file took its place.
    assert.notEqual((await stat(path)).ino, ino);
  });

  for (const [name, expected] of [
    ['Ägypten & ich.JPG', 'Ägypten & ich.JPG'],
    [`${'é'.repeat(100)}.webp`, `${'é'.repeat(30)}.webp`],
    ['con.png', '_con.png'],
    ['a:b?.png', 'a-b.png'],
    ['..', 'image.png'],
    ['photo', 'photo.png'],
  ] as const) {
    it(`names the copy of ${name.slice(0, 20)} ${expected.slice(0, 20)}`, async () => {
      assert.equal(basename(await kept.keep(png, name)), expected);
    });
  }

  it('finds a copy by its hash, and only while it holds these bytes', async () => {
    const path = await kept.keep(png, 'photo.png');
    assert.equal(await kept.find(sha256(png)), path);
    assert.equal(await kept.find(sha256(other)), undefined);
    await writeFile(path, 'changed');
    assert.equal(await kept.find(sha256(png)), undefined);
  });

  it('deletes what is older than 30 days', async () => {
    await kept.sweep();
    const [old, recent] = [await kept.keep(png, 'old.png'), await kept.keep(other, 'recent.png')];
    await age(old, 31);
    await age(recent, 29);
    await kept.sweep();
    assert.deepEqual(await readdir(join(folder.path, 'replaced')), [sha256(other)]);
    assert.deepEqual(await names(), ['recent.png']);
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
