import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import * as v from 'valibot';
import { jsonError, linesOf, World } from '../../support/cli/limner.ts';

const line = v.object({
  prompt: v.string(),
  files: v.array(v.string()),
  results: v.array(
    v.object({
      received: v.optional(v.string()),
      finished: v.object({
        cutout: v.object({ verdict: v.string(), reasons: v.array(v.object({ flaw: v.string() })) }),
      }),
    }),
  ),
});

function onlyLine(stdout: string): v.InferOutput<typeof line> {
  const [only] = linesOf(stdout);
  return v.parse(line, JSON.parse(only ?? '{}'));
}

interface Alpha {
  corners: (number | undefined)[];
  /** The share of pixels through which nothing shows. */
  opaque: number;
}

/** Returns the alpha of a picture, as sharp reads it. */
async function alphaOf(path: string): Promise<Alpha> {
  const { data, info } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const alphas = data.filter((_, index) => index % 4 === 3);
  const last = info.width * info.height - 1;
  return {
    corners: [0, info.width - 1, last - info.width + 1, last].map((index) => alphas[index]),
    opaque: alphas.filter((alpha) => alpha === 255).length / alphas.length,
  };
}

function assertCutOut({ corners, opaque }: Alpha): void {
  assert.deepEqual(corners, [0, 0, 0, 0]);
  assert.ok(opaque > 0.05 && opaque < 0.6, `${opaque} of the picture is opaque`);
}

describe('images with a transparent background', { concurrency: 2 }, () => {
  it('are painted on a flat color, which is removed, and are judged', async () => {
    await using world = await World.open();
    const { code, stdout, stderr } = await world.run([
      'generate',
      'a red fox',
      '--size',
      '256x256',
      '--transparent',
      '--trim',
      '5%',
      '--json',
    ]);
    assert.equal(code, 0, stderr);
    const { prompt, files, results } = onlyLine(stdout);
    assert.equal(prompt, 'a red fox');
    const [[file = ''], [result]] = [files, results];
    assertCutOut(await alphaOf(file));
    assert.equal(result?.finished.cutout.verdict, 'good', JSON.stringify(result));
    const received = await alphaOf(result?.received ?? '');
    assert.equal(received.opaque, 1);
    assert.equal((await world.posts()).length, 1);
  });

  it('are made of a picture on white and an edit of it to black, where that is asked for', async () => {
    await using world = await World.open();
    const options = ['--size', '256x256', '--two-grounds', '--name', 'fox.webp'];
    const { code, stdout, stderr } = await world.run(['generate', 'a red fox', ...options]);
    assert.deepEqual(
      [code, stdout],
      [0, `${world.path('fox-on-white.png')}\n${world.path('fox.webp')}\n`],
      stderr,
    );
    assertCutOut(await alphaOf(world.path('fox.webp')));
    assert.equal((await alphaOf(world.path('fox-on-white.png'))).opaque, 1);
    assert.doesNotMatch(stderr, /background was not removed/u);
    assert.match(stderr, /^On white and on black: 2 images · may be billed · 127\.0\.0\.1:\d+\n/u);
    assert.equal((await world.posts()).length, 2);
  });

  it('fail where the service sends none, although the image is saved', async () => {
    await using world = await World.open();
    const env = { LIMNER_MODELS: '[{"id": "demo-painter", "transparent": {"by": "alpha"}}]' };
    const options = ['--size', '256x256', '--transparent', '--name', 'lake.png'];
    const { code, stdout, stderr } = await world.run(['generate', 'a lake', ...options], env);
    assert.deepEqual([code, stdout], [1, `${world.path('lake.png')}\n`], stderr);
    assert.match(stderr, /The background was not removed: /u);
  });

  it('are made of pictures that are there, at no cost', async () => {
    await using world = await World.open();
    const words = 'a boat, on a flat pure green (#00FF00) background';
    await world.run(['generate', words, '--size', '256x256', '--name', 'boat']);
    const paid = (await world.posts()).length;
    const { code, stdout, stderr } = await world.run(['finish', 'boat.png', '--transparent']);
    assert.deepEqual([code, stdout], [0, `${world.path('boat-2.png')}\n`], stderr);
    assert.doesNotMatch(stderr, /background was not removed/u);
    assertCutOut(await alphaOf(world.path('boat-2.png')));
    assert.equal((await alphaOf(world.path('boat.png'))).opaque, 1);
    assert.equal((await world.posts()).length, paid);
  });

  it('are no JPEG files, which is said before anything is sent', async () => {
    await using world = await World.open();
    const ended = await world.run(['generate', 'a fox', '--transparent', '--name', 'fox.jpg', '--json']);
    assert.equal(ended.code, 2, ended.stderr);
    assert.match(jsonError(ended.stdout).message, /JPEG files can't be transparent/u);
    assert.deepEqual(await world.posts(), []);
  });
});
