import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import * as v from 'valibot';
import { jsonError, World } from '../../support/cli/limner.ts';
import { McpSession, textOf } from '../../support/cli/mcpSession.ts';

const generations = '/v1/images/generations';

/** The variables that describe a model of the demo service. */
function listing(entry: Record<string, unknown>): Record<string, string> {
  return { LIMNER_MODELS: JSON.stringify([{ id: 'demo-painter', ...entry }]) };
}

/** Returns what the corner at the top left of a picture lets through: 0 for all. */
async function alphaAtCorner(path: string): Promise<number | undefined> {
  return (await sharp(path).ensureAlpha().raw().toBuffer())[3];
}

describe("a model's entry on the command line", { concurrency: 2 }, () => {
  it("has it make transparent images in the model's own way", async () => {
    await using world = await World.open();
    const env = listing({ transparent: { by: 'alpha', extra: { background: 'transparent' } } });
    const { code, stdout, stderr } = await world.run(
      [
        'generate',
        'a fox',
        '--size',
        '256x256',
        '--transparent',
        '--trim',
        '5%',
        '--name',
        'fox.png',
        '--json',
      ],
      env,
    );
    assert.equal(code, 0, stderr);
    const [result] = v.parse(received, JSON.parse(stdout)).results;
    assert.equal(await alphaAtCorner(result?.received ?? ''), 0, 'the service sent it transparent');
    assert.equal(await alphaAtCorner(world.path('fox.png')), 0);
    assert.equal((await world.posts()).length, 1);
  });

  it('has the nearest of its sizes asked for, and the images fitted', async () => {
    await using world = await World.open();
    const env = listing({ sizes: ['256x256', '384x256'] });
    const { code, stderr } = await world.run(
      ['generate', 'a fox', '--size', '120x63', '--fit', 'crop', '--name', 'card.png'],
      env,
    );
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Asked for 120 × 63, got 384 × 256, saved 120 × 63\./u);
  });

  it('has masks sent in its convention', async () => {
    await using world = await World.open();
    const [image, mask] = [await world.picture('hero.png'), await world.picture('mask.png')];
    const args = ['edit', 'a hat', '--image', image, '--mask', mask];
    // The demo service takes only masks of the other convention, at no cost.
    assert.match((await world.run(args, listing({ mask: 'white' }))).stderr, /mask must be transparent/u);
    const [folder = ''] = await readdir(join(world.home, 'inputs'));
    const { data, info } = await sharp(join(world.home, 'inputs', folder, 'mask.png'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const [left, right] = [0, info.width - 1].map((x) => data[x * info.channels]);
    assert.deepEqual([left, right], [255, 0], 'what is edited is white');
    assert.equal((await world.run(args, listing({ mask: 'alpha' }))).code, 0);
  });

  for (const [variable, value, words] of [
    ['LIMNER_MODELS', '[{"id": "demo-painter"', /LIMNER_MODELS isn't valid\. .*JSON/u],
    ['LIMNER_CALL_STYLE', 'fast', /LIMNER_CALL_STYLE isn't valid\. Use one of auto, async, /u],
  ] as const) {
    it(`sends nothing where ${variable} is ${value}`, async () => {
      await using world = await World.open();
      const { code, stdout } = await world.run(['generate', 'a fox', '--json'], { [variable]: value });
      assert.equal(code, 2);
      const error = jsonError(stdout);
      assert.deepEqual([error.code, error.billing], ['invalid_request', 'no']);
      assert.match(error.message, words);
      assert.deepEqual(await world.posts(), []);
      assert.equal((await world.run(['tasks'], { [variable]: value })).code, 0);
    });
  }
});

describe("a model's entry in limner mcp", { concurrency: 2 }, () => {
  it('lets agents paint with a model that has no tasks', async () => {
    await using world = await World.open();
    const entry = { id: 'demo-painter-sync', callStyle: 'sync' };
    await using session = await McpSession.open(world, {
      answer: 'accept',
      env: { LIMNER_MODEL: entry.id, LIMNER_MODELS: JSON.stringify([entry]) },
    });
    const fox = { prompt: 'a fox', path: 'fox.png', size: '64x64' };
    assert.match(textOf(await session.call('limner_generate_image', fox)), /^Saved fox\.png /mu);
    assert.deepEqual(await world.posts(), [generations]);
  });

  it('lets agents choose among the models that are listed, and no others', async () => {
    await using world = await World.open();
    await using session = await McpSession.open(world, {
      answer: 'accept',
      env: listing({}),
    });
    const fox = { prompt: 'a fox', path: 'fox.png', size: '64x64', model: 'demo-painter-direct' };
    assert.match(textOf(await session.call('limner_generate_image', fox)), /did not list the model/u);
    const listed = { ...fox, model: 'demo-painter' };
    assert.match(textOf(await session.call('limner_generate_image', listed)), /^Saved fox\.png /mu);
    assert.equal((await world.posts()).length, 1);
  });
});

const received = v.object({ results: v.array(v.object({ received: v.optional(v.string()) })) });
