import assert from 'node:assert/strict';
import { access, mkdir, readdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { Codecs } from '../../../../src/images/finish/codecs.ts';
import { imageSize } from '../../../../src/images/codecs/codecSet.ts';
import { sniffImage } from '../../../../src/images/formats/sniff.ts';
import { Thumbnails } from '../../../../src/images/finish/thumbnails.ts';
import { colorAt, paint } from '../../../support/images/pictures.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

void describe('thumbnails', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  let folder: string;
  let file: string;
  let thumbnails: Thumbnails;

  beforeEach(async () => {
    folder = temporaryFolder('thumbnails').path;
    file = join(folder, 'image.png');
    await save(512, 256, 200);
    thumbnails = open();
  });

  function open(): Thumbnails {
    return new Thumbnails(join(folder, 'thumbnails'), async () => codecs);
  }

  async function save(width: number, height: number, red: number): Promise<void> {
    const pixels = paint(width, height, () => [red, 0, 0, 255]);
    await writeFile(file, await codecs.encode(pixels, { format: 'png' }));
  }

  async function made(): Promise<Uint8Array> {
    const path = await thumbnails.of(file);
    assert.ok(path);
    return readFile(path);
  }

  void it('show the whole image, small', async () => {
    const bytes = await made();
    assert.equal(sniffImage(bytes)?.mediaType, 'image/webp');
    assert.deepEqual(imageSize(bytes), { width: 256, height: 128 });
    await save(5, 3, 200);
    assert.deepEqual(imageSize(await made()), { width: 5, height: 3 });
  });

  void it('are made once, and anew when the file changes', async () => {
    const first = await thumbnails.of(file);
    assert.equal(await open().of(file), first);
    assert.equal((await readdir(join(folder, 'thumbnails'))).length, 1);
    await save(512, 256, 20);
    await utimes(file, 1, 1);
    assert.notEqual(await thumbnails.of(file), first);
    assert.ok((colorAt(await codecs.decode(await made()), 9, 9)[0] ?? 255) < 60);
  });

  void it('are not made again, and not of what is too large to be read', async () => {
    let asked = 0;
    const counting = new Thumbnails(join(folder, 'thumbnails'), async () => ({
      thumbnail: async (bytes, side) => {
        asked += 1;
        return codecs.thumbnail(bytes, side);
      },
    }));
    const first = await counting.of(file);
    assert.equal(await counting.of(file), first);
    assert.equal(asked, 1);
    await truncate(file, 64 * 1024 * 1024 + 1);
    assert.equal(await counting.of(file), undefined);
    assert.equal(asked, 1);
  });

  void it('go with the file, which has none then', async () => {
    const path = await thumbnails.of(file);
    assert.ok(path);
    await thumbnails.forget(file);
    await assert.rejects(access(path));
    await thumbnails.forget(join(folder, 'missing.png'));
  });

  void it('are absent for what is no image, and for a missing file', async () => {
    await writeFile(file, 'words');
    assert.equal(await thumbnails.of(file), undefined);
    assert.equal(await thumbnails.of(join(folder, 'missing.png')), undefined);
  });

  void it('do not pile up: only the newest are kept', async () => {
    const kept = join(folder, 'thumbnails');
    await mkdir(kept);
    for (let index = 0; index < 1003; index++) {
      await writeFile(join(kept, `${index}.webp`), '');
      await utimes(join(kept, `${index}.webp`), 1000 + index, 1000 + index);
    }
    await thumbnails.of(file);
    assert.equal((await readdir(kept)).length, 1001);
    await assert.rejects(access(join(kept, '2.webp')));
    await access(join(kept, '3.webp'));
    // Those that are made in a session stay until the next one.
    assert.ok(await thumbnails.of(file));
    assert.equal((await readdir(kept)).length, 1001);
    await open().of(file);
    assert.equal((await readdir(kept)).length, 1000);
  });
});
