import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { describe, it } from 'node:test';
import { arranged, CancellationError, Uri } from './windowStub.ts';

const stub = new URL('windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { searchWorkspace } = await import('../../../../src/editor/documents/searchWorkspace.ts');
hooks.deregister();

const stop = (): void => {
  arranged.cancelled.isCancellationRequested = true;
};

/**
 * Searches a workspace of one document, which needs one image.
 *
 * @param onList called while files are listed
 * @param onRead called while the document is read
 * @returns how many images it found
 */
async function search(onList?: () => void, onRead?: () => void): Promise<number> {
  arranged.cancelled.isCancellationRequested = false;
  arranged.findFiles = () => {
    onList?.();
    const isStopped = arranged.cancelled.isCancellationRequested;
    return isStopped ? [] : [new Uri({ scheme: 'file', path: '/w/page.html' })];
  };
  const wantedIn = async (): Promise<unknown[]> => {
    onRead?.();
    return ['an image'];
  };
  const parts: unknown = ['Looking for missing images', { wantedIn }, {}, { debug: () => {} }];
  assert.ok(areParts(parts));
  return (await searchWorkspace(...parts)).length;
}

describe('the search of a workspace', () => {
  it('finds what its documents need', async () => {
    assert.equal(await search(), 1);
  });

  it('has no result where it was stopped while files were listed', async () => {
    await assert.rejects(search(stop), CancellationError);
  });

  it('has no result where it was stopped while the last files were read', async () => {
    await assert.rejects(search(undefined, stop), CancellationError);
  });
});

/** They are as much of the window's as the search needs. */
function areParts(value: unknown): value is Parameters<typeof searchWorkspace> {
  return Array.isArray(value);
}
