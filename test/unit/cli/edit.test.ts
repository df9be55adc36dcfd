import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { pngFile } from '../../support/images/pngFile.ts';
import { patched } from '../../support/images/damagedFiles.ts';
import { withOldChecksums } from '../../support/images/oldMaskFile.ts';
import { isPng, jsonError, World } from '../../support/cli/limner.ts';

describe('limner edit', { concurrency: 2 }, () => {
  for (const [style, post] of [
    ['async', '/v1/images/edits respond-async'],
    ['sync', '/v1/images/edits'],
  ] as const) {
    it(`changes an image and prints the new path, call style ${style}`, async () => {
      await using world = await World.open();
      const image = await world.picture('hero.png');
      const { code, stdout } = await world.run([
        'edit',
        'make it night',
        '--image',
        image,
        '--call-style',
        style,
        '--name',
        '{name}-night',
      ]);
      assert.equal(stdout, `${world.path('hero-night.png')}\n`);
      assert.equal(code, 0);
      assert.ok(await isPng(world.path('hero-night.png')));
      assert.deepEqual(await world.posts(), [post]);
    });
  }

  it('takes several images', async () => {
    await using world = await World.open();
    const images = ['--image', await world.picture('boat.png'), '--image', await world.picture('lake.png')];
    const { code, stdout } = await world.run(['edit', 'both', ...images, '--call-style', 'sync']);
    assert.equal(stdout, `${world.path('both.png')}\n`);
    assert.equal(code, 0);
  });

  it('refuses a mask that marks nothing before anything is sent, and says what makes it one', async () => {
    await using world = await World.open();
    const image = await world.picture('hero.png');
    await sharp(world.path(image)).removeAlpha().toFile(world.path('blue.png'));
    const square = { width: 64, height: 64, channels: 3, background: '#000' } as const;
    const area = sharp({ create: { ...square, width: 32, background: '#fff' } }).png();
    for (const name of ['white.png', 'white.jpg']) {
      await sharp({ create: square })
        .composite([{ input: await area.toBuffer(), left: 0, top: 0 }])
        .toFile(world.path(name));
    }
    const edit = ['edit', 'a hat', '--image', image, '--mask'];
    const nothing = /^error: The mask marks nothing: no pixel is transparent\. /u;
    for (const [mask, advice] of [
      ['blue.png', /Make the area to edit transparent in an image editor, and save .*blue\.png as PNG\./u],
      [
        'white.png',
        /such as \[\{"id": "demo-painter", "mask": "alpha"\}\]\. Limner then makes white transparent\./u,
      ],
      ['white.jpg', /white\.jpg is black and white: to edit its white area, add "mask": "alpha"/u],
    ] as const) {
      const { code, stderr } = await world.run([...edit, mask]);
      assert.equal(code, 2);
      assert.match(stderr, nothing);
      assert.match(stderr, advice);
    }
    assert.deepEqual(await world.posts(), []);
    assert.equal((await world.run(['tasks'])).stdout, '');
    const env = { LIMNER_MODELS: '[{"id": "demo-painter", "mask": "alpha"}]' };
    assert.equal((await world.run([...edit, 'white.jpg'], env)).code, 0);
  });

  it('says that a mask marks everything, and sends it', async () => {
    await using world = await World.open();
    const image = await world.picture('hero.png');
    await sharp({ create: { width: 64, height: 64, channels: 4, background: '#0000' } }).toFile(
      world.path('all.png'),
    );
    const { code, stderr } = await world.run(['edit', 'a hat', '--image', image, '--mask', 'all.png']);
    assert.equal(code, 0);
    assert.match(stderr, /^all\.png is transparent everywhere, so the whole image will be edited\.$/mu);
  });

  it('sends a turned photo upright with a mask of the size that is seen, and refuses one of the stored size', async () => {
    await using world = await World.open();
    await sharp({ create: { width: 48, height: 32, channels: 3, background: '#369' } })
      .withMetadata({ orientation: 6 })
      .toFile(world.path('photo.jpg'));
    const edit = ['edit', 'a hat', '--image', 'photo.jpg', '--mask'];
    const stored = await world.run([...edit, await world.picture('stored.png', 48, 32)]);
    assert.equal(stored.code, 2);
    assert.match(
      stored.stderr,
      /stored\.png is 48 × 32, but .*photo\.jpg is 32 × 48 \(stored as 48 × 32, and turned by its EXIF orientation\)\./u,
    );
    assert.deepEqual(await world.posts(), []);
    // The demo service compares the sizes in the files.
    const { code, stderr } = await world.run([...edit, await world.picture('seen.png', 32, 48)]);
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /^photo\.jpg has an EXIF orientation: it is sent upright, .* to match the mask\.$/mu,
    );
    const { width, height } = await sharp(world.path('a-hat.png')).metadata();
    assert.deepEqual([width, height], [32, 48]);
  });

  it('refuses a damaged image or mask before anything is sent, and says where and what to do', async () => {
    await using world = await World.open();
    const [image, mask] = [await world.picture('hero.png'), await world.picture('mask.png')];
    const bytes = await readFile(world.path(image));
    const at = bytes.indexOf('IDAT') - 4;
    await writeFile(world.path('bad.png'), patched(bytes, at + 10, (bytes[at + 10] ?? 0) ^ 1));
    await writeFile(world.path('cut.png'), bytes.subarray(0, -12));
    const words = (name: string, what: string): string =>
      `error: The file ${world.path(name)} is damaged: ${what}. Nothing was sent. Open it in an image editor and save it again, or choose another file. Not billed.\n`;
    for (const [args, said] of [
      [['--image', 'bad.png'], words('bad.png', `the checksum of chunk IDAT at byte ${at} is wrong`)],
      [
        ['--image', image, '--image', 'cut.png'],
        words('cut.png', `it's truncated in or right after IDAT at byte ${at}`),
      ],
      [
        ['--image', image, '--mask', 'bad.png'],
        words('bad.png', `the checksum of chunk IDAT at byte ${at} is wrong`),
      ],
    ] as const) {
      const { code, stderr } = await world.run(['edit', 'a hat', ...args]);
      assert.deepEqual([code, stderr], [2, said]);
    }
    const { code, stdout } = await world.run([
      'edit',
      'a hat',
      '--image',
      image,
      '--mask',
      'bad.png',
      '--json',
    ]);
    const error = jsonError(stdout);
    assert.deepEqual([code, error.code, error.billing], [2, 'unsupported_image', 'no']);
    assert.deepEqual(await world.posts(), []);
    assert.deepEqual(await world.files(), ['bad.png', 'cut.png', image, mask].toSorted());
  });

  it('puts the checksums of a mask right that earlier versions wrote, and those of no image', async () => {
    await using world = await World.open();
    const image = await world.picture('hero.png');
    const mask = pngFile({
      width: 64,
      height: 64,
      bitDepth: 8,
      colourType: 6,
      lines: new Uint8Array(64 * (1 + 4 * 64)),
    });
    await writeFile(world.path('old.png'), withOldChecksums(mask));
    const refused = await world.run(['edit', 'a hat', '--image', 'old.png']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /old\.png is damaged: the checksum of chunk IHDR at byte 8 is wrong/);
    assert.deepEqual(await world.posts(), []);
    const { code } = await world.run(['edit', 'a hat', '--image', image, '--mask', 'old.png']);
    assert.equal(code, 0);
  });
});
