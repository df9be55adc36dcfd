import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { jsonError, World } from '../../support/cli/limner.ts';
import { middayZone } from '../../support/middayZone.ts';

const cost = v.object({
  cost: v.object({ about: v.number(), atMost: v.number(), currency: v.string() }),
});

const TZ = middayZone();

const prices = JSON.stringify({
  'demo-painter': { amount: 0.04, currency: 'USD', variants: { '64x64': 0.04 } },
});

function costIn(line: string): v.InferOutput<typeof cost>['cost'] {
  return v.parse(cost, JSON.parse(line)).cost;
}

describe('limner and money', { concurrency: 2 }, () => {
  it('says what a run costs before it is sent, and in its JSON', async () => {
    await using world = await World.open();
    const env = { LIMNER_PRICES: prices };
    const { stdout, stderr } = await world.run(
      ['generate', 'a fox', '--n', '2', '--size', '64x64', '--json'],
      env,
    );
    assert.match(stderr, /^2 images · about 0\.08 USD · 127\.0\.0\.1:\d+\n$/u);
    assert.deepEqual(costIn(stdout), { about: 0.08, atMost: 0.08, currency: 'USD' });
    const listed = await world.run(['tasks', '--json']);
    assert.deepEqual(costIn(listed.stdout), { about: 0.08, atMost: 0.08, currency: 'USD' });
  });

  it('sends nothing beyond the budget, unless it is told to', async () => {
    await using world = await World.open();
    const env = { TZ, LIMNER_PRICES: prices, LIMNER_BUDGET: '{"day": "0.05 USD"}' };
    assert.equal((await world.run(['generate', 'a fox', '--size', '64x64'], env)).code, 0);
    const refused = await world.run(['generate', 'a hen', '--size', '64x64', '--json'], env);
    assert.equal(refused.code, 4);
    const { code, message, billing } = jsonError(refused.stdout);
    assert.deepEqual([code, billing], ['over_budget', 'no']);
    assert.equal(
      message,
      'The budget for a day is 0.05 USD. This run costs about 0.04 USD. Spent today: 0.04 USD.',
    );
    assert.match(refused.stderr, /Raise LIMNER_BUDGET, or use --over-budget to send it anyway\.\n$/u);
    assert.equal((await world.posts()).length, 1);
    assert.equal((await world.tasks()).length, 1);
    assert.equal((await world.run(['generate', 'a hen', '--size', '64x64', '--over-budget'], env)).code, 0);
    assert.deepEqual(await world.ledger(), ['settled', 'settled']);
  });

  it('gives back to the budget what the service refunded', async () => {
    await using world = await World.open();
    const env = { TZ, LIMNER_BUDGET: '{"day": "1 image"}' };
    assert.equal((await world.run(['generate', 'demo:fail'], env)).code, 1);
    assert.deepEqual(await world.ledger(), ['refunded']);
    assert.equal((await world.run(['generate', 'a fox', '--size', '64x64'], env)).code, 0);
    assert.equal((await world.run(['generate', 'a hen', '--size', '64x64'], env)).code, 4);
  });

  it('does not let two processes slip under the budget together', async () => {
    await using world = await World.open({ taskDuration: 1000 });
    const env = { TZ, LIMNER_BUDGET: '{"month": "2 images"}' };
    const runs = await Promise.all(
      Array.from({ length: 4 }, async (_, index) =>
        world.run(['generate', `fox ${index}`, '--size', '64x64'], env),
      ),
    );
    const codes = runs.map(({ code }) => code);
    assert.equal(codes.filter((code) => code === 0).length, 2, codes.join());
    assert.equal(codes.filter((code) => code === 4).length, 2, codes.join());
    assert.equal((await world.posts()).length, 2);
  });
});
