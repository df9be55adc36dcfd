import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPng, World } from './limner.ts';

describe('limner edit', { concurrency: 2, timeout: 120_000 }, () => {
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
      /mask must be as large as the image: .*mask\.png is 32x16, .*hero\.png is 64x64\. Nothing was billed/,
    );
    assert.deepEqual(await world.posts(), []);
  });

  it('says that native calls take no image', async () => {
    await using world = await World.open();
    const image = await world.picture('hero.png');
    const { code, stderr } = await world.run(['edit', 'a hat', '--image', image, '--call-style', 'native']);
    assert.equal(code, 2);
    assert.match(stderr, /Native calls take no image: an edit of any model is auto, async, sync\./);
  });
});
