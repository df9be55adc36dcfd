import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { it } from 'node:test';
import type { ProposedImage } from '../../../../src/vscode/generate/painting.ts';
import type { StartOptions } from '../../../../src/engine/run/taskRunner.ts';
import type { TaskRequest } from '../../../../src/engine/task/task.ts';
import { aRequest } from '../../../support/engine/taskBuilders.ts';
import { eventually } from '../../../support/eventually.ts';
import { arranged } from '../documents/windowStub.ts';

const stub = new URL('../documents/windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { Painting } = await import('../../../../src/vscode/generate/painting.ts');
const { PaintRequests } = await import('../../../../src/vscode/generate/paintRequest.ts');
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
    service: { readyOrSetUp: async () => 'http://127.0.0.1:9' },
    models: { choose: () => ({}) },
    styles: { choose: async () => undefined },
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

it('images that a list proposes are told in their style, and keep the background that the list says', async () => {
  const built: { model: unknown; background: unknown; size: unknown }[] = [];
  const style = {
    name: 'icons',
    model: 'dear',
    size: '64x64',
    transparent: true,
    images: [],
    files: [],
    hash: '',
  };
  const services: unknown = {
    engine: { get: async () => ({ runner: { start: async () => undefined } }) },
    service: { readyOrSetUp: async () => 'http://127.0.0.1:9' },
    models: { choose: (id: string) => ({ id }) },
    styles: { choose: async (name = 'icons') => (name === '' ? undefined : style) },
    requests: {
      build: async (_: string, { model, background, size }: (typeof built)[number]) => {
        built.push({ model, background, size });
        return aRequest();
      },
    },
    limits: { confirm: async () => undefined, send },
    runs: { followTogether: async (starting: readonly Promise<unknown>[]) => Promise.all(starting) },
  };
  assert.ok(areServices(services));
  const painting = new Painting(services);
  const told = await painting.withStyle({ given: { prompt: 'A fox' } });
  const { model, background, size } = told.given;
  assert.deepEqual({ model, background, size }, { model: 'dear', background: 'transparent', size: '64x64' });
  const kept = { ...told, given: { ...told.given, background: undefined }, keepsBackground: true };
  await painting.makeAll('Icons', [told, kept], async () => [told, kept]);
  const sent = { model: { id: 'dear' }, size: '64x64' };
  assert.deepEqual(built, [
    { ...sent, background: 'transparent' },
    { ...sent, background: undefined },
  ]);
});

it('several images on two backgrounds are refused before a prompt is typed', async () => {
  const messages = arranged.messages.length;
  const model: unknown = { id: 'painter', family: 'image' };
  const models = { configured: () => [model], implied: () => model };
  const services: unknown = {
    service: { readyOrSetUp: async () => 'http://127.0.0.1:9' },
    models,
    questions: { ask: assert.fail },
    requests: new PaintRequests(asServices({ models })),
    log: { error: assert.fail, warn() {}, info() {}, debug() {} },
  };
  assert.ok(areServices(services));
  const generating = new Painting(services).generate({ n: 2, background: 'transparent', twoGrounds: true });
  const message = await eventually(
    'the refusal',
    async () => arranged.messages[messages],
    (first) => first !== undefined,
  );
  assert.match(message?.text ?? '', /^On two backgrounds, /u);
  assert.ok(message);
  message.press('');
  await generating;
});

function asServices(value: unknown): ConstructorParameters<typeof PaintRequests>[0] {
  assert.ok(isForRequests(value));
  return value;
}

function isForRequests(value: unknown): value is ConstructorParameters<typeof PaintRequests>[0] {
  return typeof value === 'object';
}

/** They are as much of the window's as this needs. */
function areServices(value: unknown): value is ConstructorParameters<typeof Painting>[0] {
  return typeof value === 'object';
}
