import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { it } from 'node:test';
import type { ProposedImage } from '../../../../src/editor/paint/painting.ts';
import type { StartOptions } from '../../../../src/tasks/run/taskRunner.ts';
import type { TaskRequest } from '../../../../src/tasks/task.ts';
import { aRequest } from '../../../support/engine/taskBuilders.ts';

const stub = new URL('../documents/windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { Painting } = await import('../../../../src/editor/paint/painting.ts');
hooks.deregister();

/** Sends as it was confirmed. */
const send = async (
  _: TaskRequest,
  options: StartOptions,
  start: (options: StartOptions) => Promise<unknown>,
): Promise<unknown> => start(options);

it('of images that are made together, each is left out that is no longer needed after the last question', async () => {
  const acts: string[] = [];
  const runner = { start: async ({ prompt }: TaskRequest) => void acts.push(`start ${prompt}`) };
  const services: unknown = {
    engine: { get: async () => ({ runner }) },
    service: { ready: async () => 'http://127.0.0.1:9' },
    questions: { assume: () => ({}) },
    requests: { build: async (_: string, { prompt }: { prompt: string }) => aRequest({ prompt }) },
    limits: { confirm: async () => void acts.push('asked'), send },
    runs: { followTogether: async (starting: readonly Promise<unknown>[]) => Promise.all(starting) },
  };
  assert.ok(areServices(services));
  const [fox, owl]: ProposedImage[] = [{ given: { prompt: 'A fox' } }, { given: { prompt: 'An owl' } }];
  assert.ok(fox && owl);
  await new Painting(services).makeAll('Missing images', [fox, owl], async () => {
    acts.push('looked');
    return [owl];
  });
  assert.deepEqual(acts, ['asked', 'looked', 'start An owl']);
});

/** They are as much of the window's as this needs. */
function areServices(value: unknown): value is ConstructorParameters<typeof Painting>[0] {
  return typeof value === 'object';
}
