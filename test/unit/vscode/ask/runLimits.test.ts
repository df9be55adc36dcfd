import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { it } from 'node:test';
import { LimnerError, notSent } from '../../../../src/common/limnerError.ts';
import type { StartOptions } from '../../../../src/engine/run/taskRunner.ts';
import type { Excess } from '../../../../src/engine/task/budget.ts';
import { aRequest, aTask } from '../../../support/engine/taskBuilders.ts';
import { arranged } from '../documents/windowStub.ts';

const stub = new URL('../documents/windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { RunLimits } = await import('../../../../src/vscode/ask/runLimits.ts');
hooks.deregister();

it('asks about several runs that exceed the budget by now one after another, with what was spent by then', async () => {
  const sent: string[] = [];
  const excessOf = (): Excess => ({
    period: 'day',
    limit: { amount: 1, unit: 'images' },
    run: 1,
    spent: sent.length,
    mostSpent: sent.length,
  });
  const engine: unknown = { get: async () => ({ runner: { excessOf } }) };
  const settings: unknown = {};
  assert.ok(isEngine(engine) && isSettings(settings));
  const limits = new RunLimits(engine, settings);
  const send = async (prompt: string): Promise<unknown> =>
    limits.send(aRequest({ prompt }), {}, async ({ isBeyondBudget }: StartOptions) => {
      if (!isBeyondBudget) {
        throw new LimnerError('over_budget', 'The budget is used up.', notSent);
      }
      sent.push(prompt);
      return aTask();
    });
  const sending = Promise.all(['fox', 'owl', 'hen'].map(send));
  for (const count of [1, 2, 3]) {
    while (arranged.messages.length < count) {
      await setImmediate();
    }
    // Whatever else was going to be asked at once has been by then.
    await setImmediate();
    assert.equal(arranged.messages.length, count);
    assert.equal(sent.length, count - 1);
    arranged.messages.at(-1)?.press('Send Anyway');
  }
  await sending;
  assert.deepEqual(sent, ['fox', 'owl', 'hen']);
});

/** They are as much of the window's as this needs. */
function isEngine(value: unknown): value is ConstructorParameters<typeof RunLimits>[0] {
  return typeof value === 'object';
}

function isSettings(value: unknown): value is ConstructorParameters<typeof RunLimits>[1] {
  return typeof value === 'object';
}
