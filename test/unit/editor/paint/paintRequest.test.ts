import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { describe, it } from 'node:test';
import type { PaintRequests, RequestServices } from '../../../../src/editor/paint/paintRequest.ts';
import type { TaskRequest } from '../../../../src/tasks/task.ts';

const stub = new URL('../documents/windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const module = await import('../../../../src/editor/paint/paintRequest.ts');
hooks.deregister();

const services: unknown = {
  settings: {
    forNewImages: { size: '', quality: '', n: 1 },
    finishing: () => ({ fit: 'crop', fill: 'transparent', fileQuality: 90, embedPrompt: false }),
    ignored: [],
  },
  models: {
    problems: [],
    callStyle: () => 'async',
    priced: (request: TaskRequest) => request,
  },
  targets: { resolve: async () => ({ folder: 'file:///w', root: 'file:///w', fileName: '{prompt}' }) },
};
assert.ok(areServices(services));
const requests: PaintRequests = new module.PaintRequests(services);

/** Returns the size that the service is asked for, and that of the file. */
async function sizesFor(
  wanted: string,
  sizes: readonly string[],
  isSizeOfDocument: boolean,
): Promise<[asked: string | undefined, made: string]> {
  const { size, finish } = await requests.build('http://127.0.0.1:9', {
    prompt: 'A fox',
    model: { id: 'painter', family: 'image', ...(sizes.length > 0 && { sizes: [...sizes] }) },
    size: wanted,
    fit: 'crop',
    isSizeOfDocument,
    asks: false,
  });
  return [size, `${finish?.size?.width}x${finish?.size?.height}`];
}

describe('the size that a service is asked for', () => {
  it('is a usual one for what a document needs, where those of the model are not known', async () => {
    assert.deepEqual(await sizesFor('64x64', [], true), ['1024x1024', '64x64']);
    assert.deepEqual(await sizesFor('300x200', [], true), ['1536x1024', '300x200']);
    assert.deepEqual(await sizesFor('90x160', [], true), ['1024x1536', '90x160']);
    assert.deepEqual(await sizesFor('1200x630', [], true), ['1536x1024', '1200x630']);
  });

  it('is the nearest of the model where they are known', async () => {
    assert.deepEqual(await sizesFor('300x200', ['512x512', '768x512'], true), ['768x512', '300x200']);
  });

  it('is that of a person who names one, where those of the model are not known', async () => {
    assert.deepEqual(await sizesFor('2048x1152', [], false), ['2048x1152', '2048x1152']);
  });
});

/** They are as much of the window's as a request without images needs. */
function areServices(value: unknown): value is RequestServices {
  return typeof value === 'object';
}
