import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { blankPng } from '../../../ui/blankPng.ts';
import { arranged, Document, Range, Uri } from '../documents/windowStub.ts';

const stub = new URL('../documents/windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { IncomingImages } = await import('../../../../src/vscode/pages/incomingImages.ts');
hooks.deregister();

type Incoming = InstanceType<typeof IncomingImages>;

describe('a picture that is pasted', () => {
  let folder: ReturnType<typeof temporaryFolder>;

  beforeEach(() => {
    folder = temporaryFolder('incoming');
    arranged.root = folder.path;
    arranged.messages.length = 0;
  });

  afterEach(() => folder.remove());

  /** Pastes it over these ranges of a page, where it cannot be saved. */
  const paste = async (
    ...ranges: readonly Range[]
  ): Promise<[Incoming, Awaited<ReturnType<Incoming['paste']>>]> => {
    const uri = Uri.file(join(folder.path, 'page.html'));
    const document = new Document(uri, '<p>A heron</p>');
    const images = join(folder.path, 'images');
    writeFileSync(images, 'no folder');
    const services: unknown = {
      engine: { home: Uri.file(folder.path) },
      documents: async () => ({ folderForNew: async () => Uri.file(images) }),
      log: { error: assert.fail },
    };
    assert.ok(areServices(services));
    const incoming = new IncomingImages(services);
    const data = new Map([['image/png', { asFile: () => ({ data: async () => blankPng(4, 4) }) }]]);
    const pasted: unknown = [document, ranges, data];
    assert.ok(isPaste(pasted));
    return [incoming, await incoming.paste(...pasted)];
  };

  it('leaves what is selected where it cannot be saved', async () => {
    const [incoming, edits] = await paste(new Range({ offset: 3 }, { offset: 10 }));
    assert.equal(edits.length, 2);
    for (const edit of edits) {
      const resolve: unknown = [edit, {}];
      assert.ok(isResolution(resolve));
      await incoming.resolve(...resolve);
      assert.equal(edit.insertText, 'A heron');
    }
    assert.equal(arranged.messages.length, 2);
  });

  it('is left to others where several places are selected', async () => {
    const ranges = [new Range({ offset: 3 }, { offset: 4 }), new Range({ offset: 5 }, { offset: 10 })];
    const [, edits] = await paste(...ranges);
    assert.deepEqual(edits, []);
  });
});

/** They are as much of the window's as this needs. */
function areServices(value: unknown): value is ConstructorParameters<typeof IncomingImages>[0] {
  return typeof value === 'object';
}

function isPaste(value: unknown): value is Parameters<InstanceType<typeof IncomingImages>['paste']> {
  return Array.isArray(value);
}

function isResolution(value: unknown): value is Parameters<InstanceType<typeof IncomingImages>['resolve']> {
  return Array.isArray(value);
}
