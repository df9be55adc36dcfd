// What a window on Windows makes of the several notations of a path, with VS Code's own URIs.

import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { TextDocument } from 'vscode';
import { systemClock } from '../../../../src/common/clock.ts';
import type { Settings } from '../../../../src/vscode/window/settings.ts';
import { aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { onPlatform } from '../../../support/onPlatform.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import type { Document } from './windowStub.ts';

const stub = new URL('windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const windows = await onPlatform('win32', async () => ({
  ...(await import('../../../../src/common/fileUris.ts')),
  ...(await import('../../../../src/agents/tools/workspacePaths.ts')),
  ...(await import('../../../../src/vscode/documents/readDocuments.ts')),
  ...(await import('../../../../src/vscode/documents/socialPages.ts')),
  ...(await import('../../../../src/vscode/documents/wantedImages.ts')),
  ...(await import('../../../../src/vscode/pages/insertImage.ts')),
  ...(await import('../../../../src/vscode/studio/studioImages.ts')),
  ...(await import('../../../../src/vscode/window/files.ts')),
  ...(await import('../../../../src/pages/find/references.ts')),
  ...(await import('../../../../src/engine/task/claim.ts')),
  ...(await import('../../../../src/engine/store/taskStore.ts')),
  ...(await import('../../../support/engine/world.ts')),
  ...(await import('./windowStub.ts')),
}));
hooks.deregister();
const { arranged, fileUri, Uri, WantedImages } = windows;

const settings: unknown = { folder: () => 'images' };
assert.ok(areSettings(settings));
const wanted = (): InstanceType<typeof WantedImages> => new WantedImages(settings);

/** The workspace as its folder was opened, its documents as VS Code has them, and paths of Limner's. */
const notations = [
  { root: 'file:///c%3A/Users/me/site', document: 'file:///c%3A/Users/me/site', path: 'C:\\Users\\me\\site' },
  { root: 'file:///C:/Users/me/site', document: 'file:///c%3A/Users/me/site', path: 'C:\\Users\\me\\site' },
  { root: 'file:///c:/Users/me/site', document: 'file:///C:/Users/me/site', path: 'c:\\Users\\me\\site' },
  { root: 'file:///c:/users/ME/site', document: 'file:///C:/Users/me/Site', path: 'C:\\USERS\\me\\site' },
  { root: 'file://server/share/site', document: 'file://server/share/site', path: '\\\\server\\share\\site' },
  { root: 'file://Server/share/site', document: 'file://server/Share/site', path: '\\\\SERVER\\share\\site' },
] as const;

for (const { root, document: folder, path } of notations) {
  describe(`a window with ${root}, documents in ${folder}, and images in ${path}`, () => {
    beforeEach(() => {
      arranged.root = root;
    });

    const open = (name: string, text: string): TextDocument => {
      const document: unknown = new windows.Document(Uri.parse(`${folder}/${name}`), text);
      assert.ok(isDocument(document));
      return document;
    };
    const saved = Uri.parse(fileUri(`${path}\\images\\fox.png`), true);

    it('inserts images by their relative paths', async () => {
      const document = open('docs/page.md', '');
      const documents: unknown = {
        pathsTo: wanted().pathsTo.bind(wanted()),
        languageAt: windows.languageAt,
      };
      assert.ok(areDocuments(documents));
      const paths = await windows.pathsIn(document, saved, documents);
      const { text } = windows.referenceIn(document, { uri: saved, alt: 'A fox' }, paths, documents);
      assert.equal(text, '![A fox](../images/fox.png)');
      const [reference] = await new windows.ReadDocuments().referencesIn(
        open('docs/a.html', '<img src="b.png">'),
      );
      assert.ok(reference);
      assert.equal(await wanted().addressOf(document, saved, reference), '../images/fox.png');
    });

    it('finds missing images, where they belong', async () => {
      const document = open('docs/page.md', '![A fox](../images/fox.png)\n![An owl](/owl.png)');
      const references = await new windows.ReadDocuments().referencesIn(document);
      const missing = await Promise.all(references.map(async (one) => wanted().at(document, one)));
      const files = missing.map((one) => (one?.kind === 'missing' ? one.file.toString() : undefined));
      assert.equal(files.length, 2);
      for (const [index, name] of ['images/fox.png', 'owl.png'].entries()) {
        assert.ok(windows.isSameFile(files[index] ?? '', `${root}/${name}`), files[index]);
      }
    });

    it('names the image of a social card by its address in the site', async () => {
      const page = open(
        'docs/index.html',
        '<html><head><link rel="canonical" href="https://example.com/docs/"><title>Foxes</title></head></html>',
      );
      const card = { uri: saved, alt: 'A fox', width: 1200, height: 630 };
      const change = await new windows.SocialPages(settings, new windows.Readings()).editFor(page, card);
      assert.match(change?.put ?? '', /content="https:\/\/example\.com\/images\/fox\.png"/u);
    });

    it('shows images of the workspace as they are, by the folder as it was opened', async () => {
      const shown: string[] = [];
      const webview: unknown = { asWebviewUri: (uri: typeof saved) => (shown.push(uri.path), uri) };
      assert.ok(isWebview(webview));
      const [code, own] = [Uri.parse('file:///c%3A/limner'), Uri.parse('file:///c%3A/own')];
      const images = new windows.StudioImages(webview, code, [own]);
      const there = mock.method(fs, 'stat', async () => ({ mtime: 1, size: 1 }));
      syncBuiltinESMExports();
      try {
        await images.url(saved);
      } finally {
        there.mock.restore();
        syncBuiltinESMExports();
      }
      assert.deepEqual(shown, [`${Uri.parse(root).path}/images/fox.png`]);
    });

    it('takes whole paths of agents, in any notation, and nothing from elsewhere', () => {
      const roots = [{ uri: Uri.parse(root).toString(), name: 'site' }];
      for (const given of [
        'images\\fox.png',
        `${path}\\images\\fox.png`,
        `${path.toUpperCase()}\\images\\fox.png`,
        `${path.replaceAll('\\', '/')}/images/../images/fox.png`,
        `${folder}/images/fox.png`,
        fileUri(`${path}\\images\\fox.png`),
      ]) {
        const place = windows.workspaceFile(given, roots);
        assert.equal(place.path, 'images/fox.png', given);
        assert.ok(windows.isSameFile(place.uri, saved.toString()), given);
      }
      for (const given of [`${path}-2\\fox.png`, `${path}\\..\\fox.png`, 'D:\\Users\\me\\site\\fox.png']) {
        assert.throws(() => windows.workspaceFile(given, roots), { code: 'invalid_request' }, given);
      }
    });

    it('knows a task of the same folder, so that nothing is paid twice', () => {
      const target = { folder: fileUri(`${path}\\images`), root: fileUri(path), fileName: 'fox.png' };
      const task = aTask({ request: aRequest({ target }) });
      const isMadeIn = (folder: string): boolean =>
        windows.standsFor({ place: { target: { ...target, folder } }, readAt: 0 }, task, 0);
      assert.ok(isMadeIn(Uri.parse(`${root}/images`).toString()));
      assert.ok(!isMadeIn(`${root}/pictures`));
    });

    it('tells its own files from others', () => {
      windows.setOwnFolders([Uri.parse(root)]);
      assert.ok(windows.isOwn(saved));
      assert.ok(!windows.isOwn(Uri.parse('file:///d%3A/Users/me/site/images/fox.png')));
    });
  });
}

describe('an image on another drive, or on another share', () => {
  for (const [root, path] of [
    ['file:///c%3A/site', 'D:\\fox.png'],
    ['file://server/share/site', '\\\\server\\other\\fox.png'],
  ] as const) {
    it(`is named by its URI, since no relative path leads there: ${path}`, async () => {
      arranged.root = root;
      const document: unknown = new windows.Document(Uri.parse(`${root}/page.md`), '');
      const documents: unknown = {};
      assert.ok(isDocument(document) && areDocuments(documents));
      const image = Uri.parse(fileUri(path), true);
      assert.deepEqual(await windows.pathsIn(document, image, documents), { path: image.toString() });
    });
  }
});

describe('one of several folders', () => {
  it('is named in any case, unless another one has exactly that name', () => {
    const [web, api, other] = ['Web', 'API', 'api'].map((name) => ({ uri: `memfs:/${name}`, name }));
    assert.ok(web && api && other);
    assert.equal(windows.workspaceFile('api/fox.png', [web, api]).path, 'API/fox.png');
    assert.equal(windows.workspaceFile('api/fox.png', [web, api, other]).path, 'api/fox.png');
  });
});

describe('the task list', () => {
  let folder: ReturnType<typeof temporaryFolder>;

  beforeEach(() => {
    folder = temporaryFolder('drives');
  });

  afterEach(() => folder.remove());

  it('finds the image of a file, and reads its row, in whichever notation it was written', async () => {
    const file = join(folder.path, 'limner.db');
    const options = { file, clock: systemClock, log: new windows.TestLog(), notice: () => {} };
    const writing = await windows.TaskStore.open(options);
    const uri = fileUri('C:\\Users\\me\\My site\\é (1).png');
    const target = { folder: 'file:///c%3A/Users/me/My%20site', root: 'file:///C:/Users/me', fileName: '' };
    const task = aTask({ request: aRequest({ target }), results: [aResult({ state: 'saved', uri })] });
    await writing.add(task);
    assert.equal(uri, 'file:///c:/Users/me/My%20site/%C3%A9%20(1).png');
    assert.deepEqual(writing.get(task.id)?.request.target, {
      ...target,
      folder: 'file:///c:/Users/me/My%20site',
      root: 'file:///c:/Users/me',
    });
    await writing.close();
    for (const written of ['file:///c:/', 'file:///C:/', 'file:///c%3A/', 'file:///C%3a/']) {
      const database = new DatabaseSync(file);
      database.exec(`UPDATE tasks SET state = replace(state, 'file:///c:/', '${written}')`);
      const store = await windows.TaskStore.open(options);
      for (const asked of [
        uri,
        Uri.file('c:\\Users\\me\\My site\\é (1).png').toString(),
        'file:///C:/users/ME/My%20Site/%C3%A9%20%281%29.PNG',
      ]) {
        assert.equal(store.savedAs(asked)?.result.uri, uri, `${written}, ${asked}`);
      }
      assert.equal(store.savedAs('file:///d:/Users/me/My%20site/%C3%A9%20(1).png'), undefined);
      await store.close();
      database.exec(`UPDATE tasks SET state = replace(state, '${written}', 'file:///c:/')`);
      database.close();
    }
  });
});

function areSettings(value: unknown): value is Settings {
  return typeof value === 'object';
}

function isDocument(value: unknown): value is TextDocument & Document {
  return value instanceof windows.Document;
}

function areDocuments(value: unknown): value is Parameters<typeof windows.pathsIn>[2] {
  return typeof value === 'object';
}

function isWebview(value: unknown): value is ConstructorParameters<typeof windows.StudioImages>[0] {
  return typeof value === 'object';
}
