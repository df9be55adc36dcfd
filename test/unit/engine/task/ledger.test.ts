import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import * as v from 'valibot';
import { type DemoService, startDemoService } from '../../../../src/demo/endpoints/demoService.ts';
import { addUp, spendingOf } from '../../../../src/engine/task/spending.ts';
import { fastClock, World } from '../../../support/engine/world.ts';
import { Random } from '../../../support/random.ts';

const ledger = v.object({ entries: v.array(v.object({ state: v.string(), billed: v.number() })) });

/** Models of the demo service, with what it takes for each image. */
const models = [
  { model: 'demo-painter', family: 'image', callStyle: 'async', price: 40 },
  { model: 'demo-painter-sync', family: 'image', callStyle: 'sync', price: 30 },
  { model: 'demo-sketch-a', family: 'native', callStyle: 'native', price: 20 },
  { model: 'demo-sketch-a', family: 'native', callStyle: 'async', price: 20 },
] as const;

describe('what the list says was spent', () => {
  let world: World;
  let demo: DemoService;
  beforeEach(async () => {
    world = await World.create();
    demo = await startDemoService({ taskDuration: 0, syncDuration: 0 });
    world.keys.key = demo.apiKeys[0];
  });
  afterEach(async () => {
    await demo.dispose();
    await world.dispose();
  });

  it('is what the service billed, whatever was asked for and whatever failed', async () => {
    const seed = Date.now() % 1_000_000;
    const random = new Random(seed);
    console.log(`Drawn with seed ${seed}`);
    world.settings.requestTimeout = 3_600_000;
    const engine = await world.open({ clock: fastClock(10) });
    const outcomes = Array.from({ length: 12 }, async () => {
      const { price, ...model } = random.pick(models);
      // Only a task that the service calls failed was surely refunded.
      const failing = model.callStyle === 'async' ? 'demo:fail' : 'demo:reject';
      const { id } = await engine.runner.start(
        world.request({
          ...model,
          prompt: random.pick(['a fox', 'a hen demo:fewer', failing, 'demo:reject']),
          ...(model.family === 'image' && { size: '64x64' }),
          n: 2 + random.below(2),
          baseUrl: demo.baseUrl,
          price: { amount: price, currency: 'credits' },
        }),
      );
      await engine.runner.outcome(id);
    });
    await Promise.all(outcomes);
    await engine.store.clearFinished(Date.now() + 10 * 86_400_000);
    const response = await fetch(`${demo.baseUrl}/demo/ledger`);
    const { entries } = v.parse(ledger, await response.json());
    const billed = entries.reduce((sum, entry) => sum + entry.billed, 0);
    const spent = addUp(engine.store.spent.between(0).map(spendingOf)).get('credits');
    assert.deepEqual([spent?.about, spent?.atMost], [billed, billed]);
  });
});
