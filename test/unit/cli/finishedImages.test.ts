import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import * as v from 'valibot';
import { readTags } from '../../readers/tags.ts';
import { linesOf, World } from '../../support/cli/limner.ts';

const line = v.object({
  files: v.array(v.string()),
  results: v.array(
    v.object({
      width: v.number(),
      height: v.number(),
      mediaType: v.string(),
      received: v.optional(v.string()),
      finished: v.optional(v.object({ got: v.object({ width: v.number(), height: v.number() }) })),
    }),
  ),
});

async function describeFile(
  path: string,
): Promise<[string | undefined, number | undefined, number | undefined]> {
  const { format, width, height } = await sharp(path).metadata();
  return [format, width, height];
}

describe('images that limner finishes', { concurrency: 2 }, () => {
  it('have the size that a model of the second family is not asked for, and the format of their name', async () => {
    await using world = await World.open();
    const call = ['--call-style', 'native', '--model', 'demo-sketch-a'];
    const { code, stdout, stderr } = await world.run([
      'generate',
      'a red fox',
      ...call,
      '--size',
      '300x200',
      '--fit',
      'crop',
      '--name',
      'hero.webp',
    ]);
    assert.deepEqual([code, stdout], [0, `${world.path('hero.webp')}\n`], stderr);
    assert.deepEqual(await describeFile(world.path('hero.webp')), ['webp', 300, 200]);
    assert.match(stderr, /Asked for 300 × 200, got 1024 × 1024, saved 300 × 200\./u);
  });

  it('are told of in JSON, with the file that the service sent', async () => {
    await using world = await World.open();
    const { stdout } = await world.run([
      'generate',
      'a red fox',
      '--size',
      '64x64',
      '--n',
      '2',
      '--multiples',
      'powerOfTwo',
      '--name',
      'Fox-{index}.JPG',
      '--file-quality',
      '60',
      '--json',
    ]);
    const [{ files, results } = { files: [], results: [] }] = linesOf(stdout).map((one) =>
      v.parse(line, JSON.parse(one)),
    );
    assert.deepEqual(
      files,
      ['Fox-1.JPG', 'Fox-2.JPG'].map((name) => world.path(name)),
    );
    for (const [index, result] of results.entries()) {
      assert.deepEqual([result.width, result.height, result.mediaType], [64, 64, 'image/jpeg']);
      assert.deepEqual(result.finished?.got, { width: 64, height: 64 });
      assert.deepEqual(await describeFile(files[index] ?? ''), ['jpeg', 64, 64]);
      assert.deepEqual(await describeFile(result.received ?? ''), ['png', 64, 64]);
    }
    assert.equal((await world.posts()).length, 1);
  });

  it('say in their files how they were made, where that is asked for', async () => {
    await using world = await World.open();
    const { code, stderr } = await world.run(['generate', 'a red fox', '--size', '64x64', '--embed-prompt']);
    assert.equal(code, 0, stderr);
    const { xmp } = await readTags(await readFile(world.path('a-red-fox.png')));
    assert.deepEqual(
      [xmp?.['AIPromptInformation']?.description, xmp?.['AISystemUsed']?.description],
      ['a red fox', 'demo-painter'],
    );
  });
});
