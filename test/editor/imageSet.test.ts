import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LimnerApi } from '../../src/vscode/api.ts';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { extensionId } from '../../src/vscode/window/names.ts';
import * as settingNames from '../../src/vscode/window/settingNames.ts';
import { eventually } from '../support/eventually.ts';
import { lastBox } from './boxes.ts';

const table = `# Icons

| Name | Prompt |
| --- | --- |
| anchor | icon of an anchor |
| kite | icon of a kite |
| lamp.webp | icon of a lamp |
`;

const saveIn = async (folder: string | undefined): Promise<void> =>
  vscode.workspace.getConfiguration().update(settingNames.folder, folder, vscode.ConfigurationTarget.Global);

describe('limner.generateSet', () => {
  const box = lastBox();
  let limner: LimnerApi;
  let root: vscode.Uri;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const extension = vscode.extensions.getExtension<LimnerApi>(extensionId);
    assert.ok(extension && folder);
    limner = await extension.activate();
    await vscode.commands.executeCommand(commands.useDemoService);
    root = vscode.Uri.joinPath(folder.uri, 'icons-of-a-set');
    await saveIn('icons-of-a-set');
  });
  after(async () => {
    await saveIn(undefined);
    await vscode.workspace.fs.delete(root, { recursive: true });
  });

  const rows = async (chosen: number): Promise<readonly vscode.QuickPickItem[]> =>
    eventually(
      'the rows',
      async () => {
        try {
          return Promise.resolve(box().selectedItems);
        } catch {
          return Promise.resolve([]);
        }
      },
      (items) => items.length === chosen,
    );

  it('makes the rows of a selected table that stay ticked, as one batch', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: table });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, document.lineCount, 0);
    const running = vscode.commands.executeCommand<undefined>(commands.generateSet);
    const items = await rows(3);
    assert.deepEqual(
      items.map(({ label, detail }) => [label, detail]),
      [
        ['anchor', 'icon of an anchor'],
        ['kite', 'icon of a kite'],
        ['lamp.webp', 'icon of a lamp'],
      ],
    );
    assert.match(box().title ?? '', /^Generate Set · 3 images · Free \(demo\)$/u);
    box().selectedItems = items.filter(({ label }) => label !== 'kite');
    await eventually(
      'the cost of two',
      async () => Promise.resolve(box().title ?? ''),
      (title) => title === 'Generate Set · 2 images · Free (demo)',
    );
    await eventually(
      'two tasks',
      async () => {
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return limner.tasks();
      },
      (tasks) => tasks.filter(({ prompt }) => prompt.startsWith('icon of a')).length === 2,
    );
    await running;
    const files = await vscode.workspace.fs.readDirectory(root);
    assert.deepEqual(files.map(([name]) => name).toSorted(), ['anchor.png', 'lamp.webp']);

    const again = vscode.commands.executeCommand<undefined>(commands.generateSet);
    const [left] = await rows(1);
    assert.equal(left?.label, 'kite');
    box().hide();
    await again;
  });

  it('opens the studio with a table where nothing is selected', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand(commands.generateSet);
    await eventually(
      'the studio',
      async () =>
        Promise.resolve(vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label))),
      (labels) => labels.includes('Studio'),
    );
  });
});
