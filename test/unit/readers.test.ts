import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { readByLibsql } from '../readers/database.ts';
import { readByBusboy, readByFormidable, readByUndici } from '../readers/forms.ts';
import { readByPngjs, readBySharp, toSharp } from '../readers/images.ts';
import { jq, noShell, Shell } from '../readers/scripts.ts';
import { paint } from '../support/images/pictures.ts';
import { pngFile } from '../support/images/pngFile.ts';

/** Whoever believes everything is no witness. */
describe('the readers of other hands', () => {
  const picture = paint(40, 40, (x, y) => [x * 6, y * 6, x ^ y, 255 - x]);

  it('refuse a PNG with a wrong checksum, and one that breaks off', async () => {
    const lines = Buffer.alloc(40 * 161, 1);
    const file = pngFile({ width: 40, height: 40, bitDepth: 8, colourType: 6, lines });
    assert.equal(readByPngjs(file).width, 40);
    assert.equal((await readBySharp(file)).width, 40);
    // The checksum of the pixels stands before the end, which has twelve bytes.
    const wrong = Buffer.from(file);
    wrong[file.length - 16] = (file[file.length - 16] ?? 0) ^ 1;
    for (const spoilt of [wrong, file.subarray(0, -20)]) {
      assert.throws(() => readByPngjs(spoilt));
      await assert.rejects(readBySharp(spoilt));
    }
  });

  for (const format of ['jpeg', 'webp'] as const) {
    it(`refuse a ${format} that breaks off`, async () => {
      const file = await toSharp(picture).toFormat(format).toBuffer();
      assert.equal((await readBySharp(file)).height, 40);
      await assert.rejects(readBySharp(file.subarray(0, -30)));
    });
  }

  it('refuse a form that has no end', async () => {
    const contentType = 'multipart/form-data; boundary=end';
    const body = Buffer.from('--end\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--end--\r\n');
    for (const read of [readByUndici, readByBusboy, readByFormidable]) {
      assert.deepEqual(await read({ contentType, body }), [{ name: 'a', content: Buffer.from('b') }]);
      await assert.rejects(read({ contentType, body: body.subarray(0, -12) }), read.name);
    }
  });

  it('refuse JSON that is cut off, and what follows a line that is none', async () => {
    assert.equal(await jq('{"a":1}\n{"a":2}\n', '.a'), '1\n2\n');
    await assert.rejects(jq('{"a":1}\n{"a":', '.a'));
    await assert.rejects(jq('{"a":1}\nsaved\n', '.a'));
  });

  it('fail a script when jq takes nothing of it', { skip: noShell }, async () => {
    await using shell = await Shell.open();
    assert.deepEqual(await shell.run('jq -r .a', { input: '{"a":"b"}' }), {
      code: 0,
      stdout: 'b\n',
      stderr: '',
    });
    assert.equal((await shell.run('jq -r .a', { input: '{"a":' })).code, 5);
  });

  it('find a damaged page of a database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'limner-readers-'));
    const file = join(folder, 'a.db');
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE a (text TEXT)');
    const insert = database.prepare('INSERT INTO a VALUES (?)');
    for (let row = 0; row < 100; row++) {
      insert.run(`${row} `.repeat(50));
    }
    database.close();
    const bytes = await readFile(file);
    const whole = readByLibsql(file, 'SELECT count(*) AS rows FROM a');
    assert.deepEqual([whole.integrity, whole.rows], ['ok', [{ rows: 100 }]]);
    // The table of contents of a page that holds rows.
    await writeFile(join(folder, 'b.db'), bytes.fill(0x11, 8192, 8192 + 60));
    assert.throws(() => readByLibsql(join(folder, 'b.db'), 'SELECT 1'), { code: 'SQLITE_CORRUPT' });
    await rm(folder, { recursive: true });
  });
});
