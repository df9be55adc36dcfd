// What a repository can hold that nobody reads to its end.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TextDocument } from 'vscode';
import type { Settings } from '../../../../src/vscode/window/settings.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { arranged, Document, Uri } from './windowStub.ts';

const stub = new URL('windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { WantedImages } = await import('../../../../src/vscode/documents/wantedImages.ts');
const { readIfThere } = await import('../../../../src/vscode/window/files.ts');
const { ReadDocuments } = await import('../../../../src/vscode/documents/readDocuments.ts');
hooks.deregister();

describe(
  'the images of a document',
  { skip: process.platform === 'win32' && 'There are no such files.' },
  () => {
    const { path, remove } = temporaryFolder('endless');

    before(() => {
      arranged.root = path;
      execFileSync('mkfifo', [join(path, 'pipe')]);
      symlinkSync('pipe', join(path, 'tsconfig.json'));
      symlinkSync('/dev/zero', join(path, 'jsconfig.json'));
      writeFileSync(join(path, 'vite.config.ts'), '');
      truncateSync(join(path, 'vite.config.ts'), 3 * 1024 ** 3);
      // What Linux makes up as it is read: the pages of this process, as many as there could be.
      symlinkSync('/proc/self/pagemap', join(path, 'pages.png'));
    });
    after(() => remove());

    it('are found beside what has no end', async () => {
      const text = '![A fox](@/fox.png)\n![A fox](fox.png)\n![Pages](pages.png)';
      const document: unknown = new Document(Uri.file(join(path, 'page.md')), text);
      const settings: unknown = { folder: () => 'images' };
      assert.ok(isDocument(document) && isSettings(settings));
      const wanted = new WantedImages(settings);
      const references = await new ReadDocuments().referencesIn(document);
      const images = await Promise.all(references.map(async (one) => wanted.at(document, one)));
      assert.deepEqual(
        images.flatMap((image) => image?.reference.address ?? []),
        ['fox.png'],
      );
    });

    it('have nothing in them where they have no size', async () => {
      for (const name of ['pipe', 'jsconfig.json', 'pages.png']) {
        assert.deepEqual(await readIfThere(Uri.file(join(path, name))), new Uint8Array(), name);
      }
    });
  },
);

function isDocument(value: unknown): value is TextDocument {
  return value instanceof Document;
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object';
}
