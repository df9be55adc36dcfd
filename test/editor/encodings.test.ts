import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { changeDocument, readDocument } from '../../src/vscode/documents/changeDocument.ts';
import type { Documents } from '../../src/vscode/documents/documents.ts';
import { ImagePlaces } from '../../src/vscode/documents/imagePlaces.ts';
import { proposalsOf } from '../../src/vscode/documents/proposal.ts';
import { type ReadableDocument, ReadDocuments } from '../../src/vscode/documents/readDocuments.ts';
import { SocialPages } from '../../src/vscode/documents/socialPages.ts';
import { type WantedImage, WantedImages } from '../../src/vscode/documents/wantedImages.ts';
import { WorkspaceSearch } from '../../src/vscode/documents/workspaceSearch.ts';
import { languageAt } from '../../src/pages/find/languageAt.ts';
import { insertReference } from '../../src/vscode/pages/insertImage.ts';
import { cardChange, type ChangeOutcome, PageChanges } from '../../src/vscode/pages/cardChanges.ts';
import { Settings } from '../../src/vscode/window/settings.ts';
import { aResult, aTask } from '../support/engine/taskBuilders.ts';
import { eventually } from '../support/eventually.ts';

const log = vscode.window.createOutputChannel('Limner test', { log: true });

/** All that VS Code offers, each with words that it has letters for. */
const encodings: Readonly<Record<string, string>> = {
  'Füchse ÄÖ':
    'utf8 utf8bom utf16le utf16be windows1252 iso88591 iso88593 iso885915 macroman cp437 windows1257 iso88594 iso885914 windows1250 iso88592 cp852 iso885913 iso885910 iso885916 windows1254 iso88599 windows1258 cp865 cp850',
  'Лисица Ъ': 'windows1251 cp866 cp1125 iso88595 koi8r koi8u koi8ru koi8t',
  αλεπού: 'windows1253 iso88597',
  שועל: 'windows1255 iso88598',
  ثعلب: 'windows1256 iso88596',
  中文字: 'gbk gb18030 cp950 big5hkscs gb2312',
  狐ソ表ー: 'shiftjis eucjp',
  여우: 'euckr',
  จิ้งจอก: 'windows874 iso885911',
};

const address = 'https://placehold.co/300x200';
/** With what VS Code tidies when it saves: blanks, the ends of lines, the end of the file. */
const page = (words: string): string =>
  `# ${words}  \r\n\n![${words}](${address})\t\n![A hen](${address})\r\n${words}\n\n\n<p> ${words}`;
const tidied = {
  // In a browser, VS Code saves after a second.
  'files.autoSave': 'off',
  'files.trimTrailingWhitespace': true,
  'files.insertFinalNewline': true,
  'files.trimFinalNewlines': true,
  'editor.formatOnSave': true,
};

const bytesOf = (text: string, encoding: BufferEncoding): Buffer => Buffer.from(text, encoding);
const html = (charset: string): string =>
  `<meta charset="${charset}">\n<p>Füchse\n<img src="${address}" alt="ÄÖ">`;

const configure = async (values: Readonly<Record<string, unknown>>): Promise<void> => {
  for (const [name, value] of Object.entries(values)) {
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  }
};

/** Accepts what a user is asked, as often as something is, until a thing is done. */
const accepted = async <T>(done: Promise<T>): Promise<T> => {
  let isDone = false;
  void done.finally(() => {
    isDone = true;
  });
  await eventually(
    'the end',
    async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return isDone;
    },
    Boolean,
  );
  return done;
};

const read = async (uri: vscode.Uri): Promise<Buffer> => Buffer.from(await vscode.workspace.fs.readFile(uri));

describe('a document that an image is put into', () => {
  let root: vscode.Uri;
  let settings: Settings;
  let documents: ReadDocuments;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = vscode.Uri.joinPath(folder.uri, 'encodings');
    settings = new Settings(log);
    documents = new ReadDocuments();
    await configure(tidied);
  });

  after(async () => {
    await configure(Object.fromEntries(Object.keys(tidied).map((name) => [name, undefined])));
    documents.dispose();
    settings.dispose();
    log.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(root, { recursive: true });
  });

  const write = async (name: string, bytes: Uint8Array): Promise<vscode.Uri> => {
    const uri = vscode.Uri.joinPath(root, name);
    await vscode.workspace.fs.writeFile(uri, bytes);
    return uri;
  };

  const wantedIn = async (document: ReadableDocument): Promise<WantedImage[]> => {
    const wanted = new WantedImages(settings);
    const references = await documents.referencesIn(document);
    const images = await Promise.all(references.map(async (reference) => wanted.at(document, reference)));
    return images.filter((image) => image !== undefined);
  };

  /** Puts an image in the place of the first placeholder of a document. */
  const put = async (uri: vscode.Uri): Promise<unknown> => {
    const document = await vscode.workspace.openTextDocument(uri);
    const images = await wantedIn(document);
    const [proposal] = await proposalsOf(
      images.map((image) => [document, image]),
      'placeholder',
    );
    assert.ok(proposal?.reference);
    const image = vscode.Uri.joinPath(root, 'made.png');
    return new ImagePlaces(documents, settings).put(proposal.reference, image);
  };

  for (const [words, names] of Object.entries(encodings)) {
    for (const encoding of names.split(' ')) {
      it(`keeps every other byte: ${encoding}`, async () => {
        const { encode } = vscode.workspace;
        const uri = await write(`${encoding}.md`, await encode(page(words), { encoding }));
        const document = await vscode.workspace.openTextDocument(uri, { encoding });
        assert.ok(document.getText().includes(words));
        await put(uri);
        const expected = page(words).replace(address, 'made.png');
        assert.deepEqual(await read(uri), Buffer.from(await encode(expected, { encoding })));
      });
    }
  }

  const kept: Readonly<Record<string, readonly [text: string, encoding: BufferEncoding]>> = {
    'noMark.md': [page('Füchse'), 'utf16le'],
    'twoMarks.md': [`\uFEFF\uFEFF${page('Füchse')}`, 'utf8'],
    'zero.md': [`${page('Füchse').padEnd(1000)}\0`, 'utf8'],
    'half.md': [`\uFEFF${page('Füchse\uD800')}`, 'utf16le'],
    'returns.md': [page('Füchse').replaceAll('\n', '\r'), 'utf8'],
    'declared.html': [html('iso-8859-1'), 'latin1'],
  };
  for (const [name, [text, encoding]] of Object.entries(kept)) {
    it(`keeps every other byte: ${name}`, async () => {
      const uri = await write(name, bytesOf(text, encoding));
      await put(uri);
      assert.deepEqual(await read(uri), bytesOf(text.replace(address, 'made.png'), encoding));
    });
  }

  /** As much of the documents of the window as changes one of them. */
  const reader = (): Documents => {
    const parts: unknown = {
      read: readDocument,
      change: changeDocument,
      lossy: ({ uri }: vscode.TextDocument) => ({ message: uri.path, actions: [] }),
      pages: new SocialPages(settings, documents.readings),
      pathsTo: async () => ({ path: 'made.png' }),
      languageAt,
    };
    assert.ok(areDocuments(parts));
    return parts;
  };

  /** Inserts an image where the cursor is. @returns whether the document became another one */
  const insert = async (uri: vscode.Uri): Promise<boolean> => {
    const { document } = await vscode.window.showTextDocument(uri);
    const before = document.getText();
    const image = vscode.Uri.joinPath(root, 'made.png');
    const result = { ...aResult(), uri: image.toString() };
    await insertReference({ task: aTask(), result, uri: image }, async () => reader());
    const isChanged = document.getText() !== before;
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    return isChanged;
  };

  /** Has a page name its social card. */
  const nameCard = async (uri: vscode.Uri, alt: string): Promise<ChangeOutcome> => {
    const changes = new PageChanges();
    const card = { uri: vscode.Uri.joinPath(root, 'card.png'), alt, width: 1200, height: 630 };
    return accepted(changes.confirm(reader(), uri, cardChange(reader(), uri, card))).finally(() =>
      changes.dispose(),
    );
  };

  it('is left alone where its encoding is not known, whatever is to be put into it', async () => {
    for (const [name, bytes] of [
      ['latin.md', bytesOf(page('Füchse'), 'latin1')],
      ['wrong.html', bytesOf(html('utf-8'), 'latin1')],
    ] as const) {
      const uri = await write(name, bytes);
      await put(uri);
      assert.equal(await insert(uri), false);
      assert.equal(await nameCard(uri, 'A fox'), 'lossy');
      // Nobody is asked what is to be made for it.
      for (const command of [
        commands.replacePlaceholders,
        commands.generateMissing,
        commands.generateSocialCard,
      ]) {
        await vscode.commands.executeCommand(command, uri);
      }
      assert.deepEqual(await read(uri), bytes);
    }
    assert.equal(await insert(await write('right.md', bytesOf(page('Füchse'), 'utf8'))), true);
  });

  it('is left alone where its encoding lacks letters of what is to be put into it', async () => {
    const bytes = bytesOf(html('iso-8859-1'), 'latin1');
    const uri = await write('card.html', bytes);
    assert.equal(await nameCard(uri, '狐'), 'lossy');
    assert.deepEqual(await read(uri), bytes);
    assert.equal(await nameCard(uri, 'Füchse'), 'path');
    assert.ok((await read(uri)).includes(bytesOf('content="Füchse"', 'latin1')));
  });

  it('keeps what a person types meanwhile', async () => {
    const bytes = bytesOf(page('Füchse'), 'utf8');
    const uri = await write('typed.md', bytes);
    const editor = await vscode.window.showTextDocument(uri);
    await changeDocument(uri, async (document) => {
      await (editor.document.isDirty ||
        editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'Mine. ')));
      return [{ start: document.getText().length, end: document.getText().length, text: ' Yours.' }];
    });
    assert.match(editor.document.getText(), /^Mine\. # Füchse[^]* Yours\.$/u);
    assert.deepEqual(await read(uri), bytes);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('is changed on the screen, too, where it can be undone', async () => {
    // VS Code watches the folder of the workspace from the beginning.
    const uri = await write('../shown.md', bytesOf(page('Füchse'), 'utf8'));
    const { document } = await vscode.window.showTextDocument(uri);
    const before = document.getText();
    await put(uri);
    await eventually(
      'the text',
      async () => document.getText(),
      (text) => text === before.replace(address, 'encodings/made.png'),
    );
    assert.equal(document.isDirty, false);
    await vscode.commands.executeCommand('undo');
    await eventually(
      'the text before',
      async () => document.getText(),
      (text) => text === before,
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('is changed but not saved where a person has not saved it either', async () => {
    const bytes = bytesOf(page('Füchse'), 'utf8');
    const uri = await write('dirty.md', bytes);
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'Mine. '));
    await put(uri);
    assert.ok(editor.document.isDirty);
    assert.ok(
      editor.document.getText().startsWith('Mine. # Füchse') &&
        editor.document.getText().includes('(made.png)'),
    );
    assert.deepEqual(await read(uri), bytes);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  /** Searches the workspace. @returns the documents that are called so, and the alternative texts in them */
  const search = async (): Promise<string[]> => {
    const found = await new WorkspaceSearch(documents, { wantedIn }, settings, log).run('Looking');
    return found
      .filter(([{ uri }]) => uri.path.includes('/search.'))
      .flatMap(([document, { reference }]) => [
        vscode.workspace.asRelativePath(document.uri),
        reference.words.alt ?? '',
      ]);
  };

  it('is searched as VS Code would open it, and left out where that loses letters', async () => {
    await write('search.md', bytesOf(page('Füchse'), 'latin1'));
    await write('search.html', bytesOf(html('iso-8859-1'), 'latin1'));
    assert.deepEqual(await search(), ['encodings/search.html', 'ÄÖ']);
    await configure({ 'files.encoding': 'windows1252' });
    assert.deepEqual(
      (await search()).filter((_, index) => index % 2 === 1),
      ['ÄÖ', 'Füchse', 'A hen'],
    );
    await configure({ 'files.encoding': undefined });
  });
});

function areDocuments(value: unknown): value is Documents {
  return typeof value === 'object';
}
