import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
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

    it(`sends a mask along, call style ${style}`, async () => {
      await using world = await World.open();
      const image = await world.picture('hero.png');
      const mask = await world.picture('mask.png');
      const { code, stdout } = await world.run([
        'edit',
        'a hat',
        '--image',
        image,
        '--mask',
        mask,
        '--call-style',
        style,
      ]);
      assert.equal(stdout, `${world.path('a-hat.png')}\n`);
      assert.equal(code, 0);
    });
  }

  it('takes several images', async () => {
    await using world = await World.open();
    const images = ['--image', await world.picture('boat.png'), '--image', await world.picture('lake.png')];
    const { code, stdout } = await world.run(['edit', 'both', ...images, '--call-style', 'sync']);
    assert.equal(stdout, `${world.path('both.png')}\n`);
    assert.equal(code, 0);
  });

  it('refuses a mask of another size before anything is sent', async () => {
    await using world = await World.open();
    const args = [
      '--image',
      await world.picture('hero.png'),
      '--mask',
      await world.picture('mask.png', 32, 16),
    ];
    const { code, stderr } = await world.run(['edit', 'a hat', ...args]);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /mask must be the same size as the image: .*mask\.png is 32x16, but .*hero\.png is 64x64\. Not billed/,
    );
    assert.deepEqual(await world.posts(), []);
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

  it('says that native calls take no image', async () => {
    await using world = await World.open();
    const image = await world.picture('hero.png');
    const { code, stderr } = await world.run(['edit', 'a hat', '--image', image, '--call-style', 'native']);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /Native calls don't support input images\. For an edit, use one of auto, async, sync\./,
    );
  });
});
