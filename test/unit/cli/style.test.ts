import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { readProvenance } from '../../../src/images/formats/provenance.ts';
import { jsonLines, World } from '../../support/cli/limner.ts';

async function withStyle(world: World, style: object, name = 'icons'): Promise<void> {
  await mkdir(world.path('.limner/styles'), { recursive: true });
  await writeFile(world.path(`.limner/styles/${name}.json`), JSON.stringify(style));
}

describe('limner with a style', { concurrency: 2 }, () => {
  it('makes images as the style says, sends its image, and keeps the prompt for the name', async () => {
    await using world = await World.open();
    await world.picture('look.png');
    await withStyle(world, {
      after: 'thick outlines',
      size: '48x32',
      format: 'webp',
      images: ['../../look.png'],
    });
    const { stdout, stderr, code } = await world.run([
      'generate',
      'a red fox',
      '--style',
      'icons',
      '--embed-prompt',
      '--json',
    ]);
    assert.equal(code, 0, stderr);
    const file = world.path('a-red-fox.webp');
    const [task] = jsonLines(stdout);
    assert.deepEqual(task?.files, [file]);
    assert.match(stdout, /"kind":"generate".*"style":"icons"/u);
    assert.equal((await readProvenance(await readFile(file)))?.prompt, 'a red fox\nthick outlines');
    const { width, height } = await sharp(file).metadata();
    assert.deepEqual([width, height], [48, 32]);
    assert.deepEqual(await world.posts(), ['/v1/images/edits respond-async']);
  });

  it('lets options win, takes a file, and none', async () => {
    await using world = await World.open();
    await withStyle(world, { before: 'Icon of', size: '48x32', format: 'webp' });
    const file = '.limner/styles/icons.json';
    for (const [options, name, size] of [
      [['--style', file, '--size', '16x16', '--name', 'one.png'], 'one.png', 16],
      [['--style', 'none', '--size', '24x24', '--name', 'two'], 'two.png', 24],
    ] as const) {
      const { stdout, stderr } = await world.run(['generate', 'a fox', '--fit', 'crop', ...options]);
      assert.equal(stdout, `${world.path(name)}\n`, stderr);
      assert.equal((await sharp(world.path(name)).metadata()).width, size);
    }
  });

  it('sends nothing with a style that is not there, or not valid', async () => {
    await using world = await World.open();
    await withStyle(world, { before: 'Icon of', colour: 'red' });
    for (const [style, told] of [
      ['icon', 'error: There is no style "icon". .limner/styles has icons.'],
      ['icons', 'icons.json has the unknown key "colour". Known keys are before, after, avoid, palette,'],
    ] as const) {
      const { stderr, code } = await world.run(['generate', 'a fox', '--style', style]);
      assert.ok(stderr.includes(told), stderr);
      assert.notEqual(code, 0);
    }
    await withStyle(world, { images: ['../../gone.png'] });
    const { stderr } = await world.run(['generate', 'a fox', '--style', 'icons']);
    assert.match(stderr, /^error: The style icons names an image that can't be used: .*gone\.png/u);
    assert.deepEqual(await world.posts(), []);
  });
});
