import assert from 'node:assert/strict';
import { decodeIco } from 'icojs';
import { PNG } from 'pngjs';
import * as vscode from 'vscode';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { eventually } from '../support/eventually.ts';

type Box = vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox;

const title = 'Export Set of hero.png';

/** Puts these in place of functions of VS Code. */
function replace(value: object): void {
  for (const [name, one] of Object.entries(value)) {
    Object.defineProperty(vscode.window, name, { configurable: true, value: one });
  }
}

describe('limner.exportSet', () => {
  const [root] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(root);
  const folder = vscode.Uri.joinPath(root.uri, 'export-set');
  const picture = vscode.Uri.joinPath(folder, 'hero.png');
  const page = vscode.Uri.joinPath(folder, 'index.html');
  const html = '<html>\n<head>\n  <title>T</title>\n</head>\n<img src="hero.png" width="80">\n</html>\n';
  const { createQuickPick, createInputBox, showInformationMessage, showErrorMessage, showQuickPick } =
    vscode.window;
  const shown: Box[] = [];
  const accepted = new Map<Box, vscode.EventEmitter<void>>();
  const told: string[] = [];
  const differences: string[] = [];
  let accepts = true;

  /** Notes a box, and takes its Enter into the test's hands. */
  function noted<T extends Box>(box: T): T {
    const enter = new vscode.EventEmitter<void>();
    accepted.set(box, enter);
    Object.defineProperty(box, 'onDidAccept', { value: enter.event });
    shown.push(box);
    return box;
  }

  /** Answers the next box with what it proposes, or as `change` wants. @returns what it proposed */
  async function answer(change: (box: Box) => void = () => {}): Promise<string[]> {
    const box = await eventually(
      'a box',
      async () => Promise.resolve(shown.at(-1)),
      (one) => one?.title === title && !one.busy,
    );
    assert.ok(box);
    shown.length = 0;
    const proposed =
      'items' in box
        ? (box.canSelectMany ? box.selectedItems : box.items).map(({ label }) => label)
        : [box.value];
    if ('items' in box && !box.canSelectMany) {
      box.activeItems = box.items.slice(0, 1);
    }
    change(box);
    accepted.get(box)?.fire();
    return proposed;
  }

  const choose =
    (...labels: string[]) =>
    (box: Box): void => {
      assert.ok('items' in box);
      const chosen = labels.map(
        (label) => box.items.find((item) => item.label === label) ?? assert.fail(label),
      );
      box.activeItems = chosen;
      box.selectedItems = chosen;
    };

  /** Accepts the change that is shown, or leaves it, as a user does after a look at the difference. */
  async function look(items: readonly vscode.QuickPickItem[]): Promise<vscode.QuickPickItem | undefined> {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    const { input } = activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputTextDiff);
    differences.push((await vscode.workspace.openTextDocument(input.modified)).getText());
    return items[accepts ? 0 : 1];
  }

  const tell = async (text: string): Promise<undefined> => Promise.resolve(void told.push(text));
  const names = async (): Promise<string[]> =>
    (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).toSorted();
  const message = async (): Promise<string> =>
    (await eventually(
      'a message',
      async () => Promise.resolve(told.shift()),
      (text) => text !== undefined,
    )) ?? '';

  before(async () => {
    const png = new PNG({ width: 200, height: 200 });
    png.data.fill(255);
    await vscode.workspace.fs.writeFile(picture, PNG.sync.write(png));
    await vscode.workspace.fs.writeFile(page, Buffer.from(html));
    replace({
      createQuickPick: () => noted(createQuickPick()),
      createInputBox: () => noted(createInputBox()),
      showInformationMessage: tell,
      showErrorMessage: tell,
      showQuickPick: look,
    });
  });
  after(async () => {
    replace({ createQuickPick, createInputBox, showInformationMessage, showErrorMessage, showQuickPick });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  it('proposes only what the picture is large enough for', async () => {
    const small = vscode.Uri.joinPath(folder, 'small.png');
    await vscode.workspace.fs.writeFile(small, PNG.sync.write(new PNG({ width: 64, height: 64 })));
    const running = vscode.commands.executeCommand(commands.exportSet, small);
    const box = await eventually(
      'the sets',
      async () => Promise.resolve(shown.at(-1)),
      (one) => one?.title?.includes('small.png') === true && 'items' in one && one.items.length > 0,
    );
    assert.ok(box && 'selectedItems' in box);
    assert.deepEqual(
      box.selectedItems.map(({ label }) => label),
      ['favicon.ico'],
    );
    box.hide();
    await running;
    shown.length = 0;
    await vscode.workspace.fs.delete(small);
  });

  it('makes files beside the picture, and has the page name them once its change was seen', async () => {
    await vscode.window.showTextDocument(page);
    const running = vscode.commands.executeCommand<vscode.Uri[]>(commands.exportSet, picture);
    assert.deepEqual(await answer(choose('1×, 2×, 3×', 'favicon.ico')), ['1×, 2×, 3×']);
    assert.deepEqual(await answer(), ['80']);
    assert.equal((await answer())[0], 'export-set');
    const files = await running;
    assert.deepEqual(await names(), ['favicon.ico', 'hero.png', 'hero@1x.png', 'hero@2x.png', 'index.html']);
    assert.equal(files.length, 3);
    const icons = await decodeIco(Buffer.from(await vscode.workspace.fs.readFile(files[2] ?? page)));
    assert.deepEqual(
      icons.map(({ width }) => width),
      [16, 32, 48],
    );
    assert.equal(
      await message(),
      'Saved 3 files in export-set. Left out, because the image would be enlarged: hero@3x.png (240 × 240). index.html names them.',
    );
    const changed = html
      .replace('</title>\n', '</title>\n  <link rel="icon" href="favicon.ico" sizes="16x16 32x32 48x48">\n')
      .replace('"hero.png"', '"hero.png" srcset="hero@1x.png 1x, hero@2x.png 2x"');
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(page)).toString(), changed);
    assert.equal(differences.at(-1), changed);
  });

  it('makes the same files again without another copy, and changes no page that its user leaves', async () => {
    await vscode.workspace.fs.writeFile(page, Buffer.from(html));
    const before = await names();
    accepts = false;
    const running = vscode.commands.executeCommand(commands.exportSet, picture);
    await answer(choose('favicon.ico'));
    await answer();
    await running;
    assert.equal(await message(), 'Saved favicon.ico. index.html was not changed.');
    assert.deepEqual(await names(), before);
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(page)).toString(), html);
  });

  it('asks nothing when it is given arguments, and rejects what it cannot make', async () => {
    const files = await vscode.commands.executeCommand<vscode.Uri[]>(commands.exportSet, picture, {
      sets: ['apple-touch', 'pwa'],
      fill: '#102030',
      folder: 'export-set/public',
    });
    assert.deepEqual(
      files.map((file) => vscode.workspace.asRelativePath(file)),
      ['apple-touch-icon.png', 'icon-192.png'].map((name) => `export-set/public/${name}`),
    );
    for (const [given, code] of [
      [{ sets: [] }, 'invalid_request'],
      [{ sets: ['tiles'] }, 'invalid_request'],
      [{ sets: ['densities'], width: 999 }, 'unsupported_image'],
      [{ sets: ['pwa'], fill: 'red' }, 'invalid_request'],
    ] as const) {
      await assert.rejects(async () => vscode.commands.executeCommand(commands.exportSet, picture, given), {
        code,
      });
    }
    assert.deepEqual([shown.length, told.length], [0, 0]);
  });
});
