import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { it } from 'node:test';
import { aResult, aTask } from '../../../support/engine/taskBuilders.ts';

const stub = new URL('../documents/windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { studioTask } = await import('../../../../src/vscode/studio/studioTask.ts');
hooks.deregister();

it('offers to finish an image that was saved as received, once that failed in processes that ended', async () => {
  const images = { url: async () => 'fox.png', windowUri: () => 'file:///site/fox.png' };
  const finished = { problem: 'Processes ended over it.' };
  const saved = aResult({ state: 'saved', uri: 'file:///site/fox.png', finished });
  const actionsOf = async (attempts: number): Promise<readonly string[]> => {
    const task = aTask({ status: 'completed', results: [{ ...saved, attempts }] });
    return (await studioTask(images, task)).actions;
  };
  assert.deepEqual(await actionsOf(0), ['runAgain', 'remove']);
  assert.deepEqual(await actionsOf(2), ['finishAgain', 'runAgain', 'remove']);
});
