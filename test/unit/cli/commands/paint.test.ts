import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { paint } from '../../../../src/cli/commands/paint.ts';
import type { PaintOptions } from '../../../../src/cli/commands/readRequest.ts';
import { readEnvironment } from '../../../../src/cli/setup/environment.ts';
import { Collected } from '../../../support/cli/collected.ts';
import { World } from '../../../support/engine/world.ts';
import { json, picture } from '../../../support/service/loopbackService.ts';

const native = 'POST /v1beta/models/painter:generateContent';
const submission = 'POST /v1/images/generations';

describe('limner generate', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.create();
  });
  afterEach(async () => world.dispose());

  async function run(
    given: Partial<PaintOptions>,
    variables: Record<string, string> = {},
    prompt = 'a fox',
  ): Promise<{ code: number; results: string[]; said: string[] }> {
    const environment = readEnvironment(
      {
        LIMNER_BASE_URL: world.service.baseUrl,
        LIMNER_API_KEY: 'a-key',
        LIMNER_MODEL: 'painter',
        LIMNER_HOME: world.home,
        ...variables,
      },
      'linux',
    );
    const output = new Collected();
    const folder = world.workspace;
    const options = { n: 1, callStyle: 'sync', folder, name: '{prompt}', ...given } as const;
    const code = await paint(prompt, options, environment, output);
    return { code, results: output.results, said: output.said };
  }

  function answer(...salts: string[]): void {
    const data = salts.map((salt) => ({ b64_json: picture(salt).toString('base64') }));
    world.service.on(submission, json(200, { created: 1, data }));
  }

  it('saves an image and prints its path, and leaves the signals of the process alone after that', async () => {
    answer('fox');
    const before = process.listenerCount('SIGINT');
    const path = join(world.workspace, 'a-fox.png');
    assert.deepEqual(await run({}), { code: 0, results: [path], said: [] });
    assert.deepEqual(await readFile(path), picture('fox'));
    assert.equal(process.listenerCount('SIGINT'), before);
    assert.equal(world.service.seen[0]?.authorization, 'Bearer a-key');
  });

  it('says what it costs before it is sent', async () => {
    answer('one', 'two');
    const prices = { LIMNER_PRICES: '{"painter": {"amount": 0.04, "currency": "USD"}}' };
    const { code, results, said } = await run({ n: 2 }, prices);
    assert.deepEqual([code, results.length, said], [0, 2, ['This costs about 0.08 USD.']]);
  });

  it('sends nothing beyond the budget, unless it is told to', async () => {
    answer('fox');
    const budget = { LIMNER_BUDGET: '{"day": 0}' };
    await assert.rejects(run({}, budget), { code: 'over_budget' });
    assert.equal(world.service.count(submission), 0);
    assert.equal((await run({ overBudget: true }, budget)).code, 0);
    assert.equal(world.service.count(submission), 1);
  });

  it('says that it makes two images where that is the way to a transparent one', async () => {
    world.service.on(submission, json(400, { error: { code: 'content_policy_violation', message: 'No.' } }));
    const { code, said } = await run({ twoGrounds: true });
    assert.equal(code, 1);
    assert.equal(said[0], 'This makes 2 images, on white and on black. Each may be billed.');
    assert.deepEqual(await readdir(world.workspace), []);
  });

  it('says what has no effect in a native call', async () => {
    const none = "--size and --quality have no effect in native calls and aren't sent.";
    for (const [given, told] of [
      [{}, []],
      [{ size: '64x64' }, [none]],
      [{ quality: 'high' }, [none]],
      [{ size: '64x64', fit: 'crop' }, [`${none} The images are fitted to the size.`]],
    ] as const) {
      const { said } = await run({ ...given, callStyle: 'native' });
      assert.deepEqual(said.slice(0, -1), told);
    }
    assert.equal(world.service.count(native), 4);
    assert.deepEqual((await run({ size: '64x64' })).said.length, 1);
  });
});
