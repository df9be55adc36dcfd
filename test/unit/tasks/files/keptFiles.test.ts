import assert from 'node:assert/strict';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { KeptFiles } from '../../../../src/tasks/files/keptFiles.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const day = 24 * 3_600_000;
const png = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 0, lines: [0, 0] });

async function age(path: string, days: number): Promise<void> {
  const time = new Date(Date.now() - days * day);
  await utimes(path, time, time);
}

describe('KeptFiles', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let kept: KeptFiles;

  beforeEach(() => {
    folder = temporaryFolder('kept');
    kept = new KeptFiles(join(folder.path, 'replaced'));
  });

  afterEach(() => folder.remove());

  it('keeps the same bytes once, for 30 days from the last time', async () => {
    const path = await kept.keep(png);
    assert.ok(path.endsWith('.png'));
    await age(path, 29);
    assert.equal(await kept.keep(png), path);
    assert.deepEqual(await readFile(path), png);
    assert.ok(Date.now() - (await stat(path)).mtimeMs < day);
    assert.equal((await readdir(dirname(path))).length, 1);
  });

  it('leaves an earlier copy whole when the bytes are kept again', async () => {
    const path = await kept.keep(png);
    const { ino } = await stat(path);
    await kept.keep(png);
    // The bytes were not written over: another file took its place.
    assert.notEqual((await stat(path)).ino, ino);
  });

  it('deletes what is older than 30 days', async () => {
    await kept.sweep();
    const [old, recent] = [await kept.keep(png), await kept.keep(Buffer.from('no image'))];
    await age(old, 31);
    await age(recent, 29);
    await kept.sweep();
    assert.deepEqual(await readdir(dirname(recent)), [recent.slice(dirname(recent).length + 1)]);
  });

  it('sweeps nothing where its folder cannot be read: other work at startup goes on', async () => {
    const file = join(folder.path, 'in the way');
    await writeFile(file, '');
    await new KeptFiles(file).sweep();
    assert.deepEqual(await readdir(folder.path), ['in the way']);
  });
});
