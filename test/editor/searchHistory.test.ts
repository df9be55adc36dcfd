import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LimnerApi } from '../../src/vscode/api.ts';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { extensionId } from '../../src/vscode/window/names.ts';
import { eventually } from '../support/eventually.ts';
import { lastBox } from './boxes.ts';

describe('limner.tasks.search', () => {
  const box = lastBox();
  let jug: string;

  /** Searches, and returns the prompts that are found. */
  async function search(words: string, isGood: (found: string[]) => boolean): Promise<void> {
    await vscode.commands.executeCommand(commands.tasksSearch);
    box().value = words;
    await eventually(
      `what ${words} finds`,
      async () => Promise.resolve(box().items.map(({ label }) => label)),
      isGood,
    );
  }

  before(async () => {
    const extension = vscode.extensions.getExtension<LimnerApi>(extensionId);
    const limner = await extension?.activate();
    assert.ok(limner);
    await vscode.commands.executeCommand(commands.useDemoService);
    const folder = 'searched';
    const { files } = await limner.generate({ prompt: 'A searched jug', folder, fileName: 'früher krug' });
    await limner.generate({ prompt: 'A searched bowl', folder });
    await assert.rejects(limner.generate({ prompt: 'A searched plate demo:reject', folder }));
    assert.ok(files[0]);
    jug = files[0].toString();
  });

  it('finds tasks by words of the prompt, the service, and the file name, newest first, with pictures', async () => {
    await search('SEARCHED', (found) => found.length === 3);
    const labels = box().items.map(({ label }) => label);
    assert.deepEqual(labels, ['A searched plate demo:reject', 'A searched bowl', 'A searched jug']);
    await eventually(
      'the thumbnails',
      async () => Promise.resolve(box().items.filter(({ iconPath }) => iconPath instanceof vscode.Uri)),
      (pictured) => pictured.length === 2,
    );
    await search('früher searched demo', (found) => found.join() === 'A searched jug');
    await search('searched 100%_', (found) => found.length === 0);
  });

  it('opens the image of the row', async () => {
    await search('searched krug', (found) => found.length === 1);
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await eventually(
      'the open image',
      async () => Promise.resolve(vscode.window.tabGroups.activeTabGroup.activeTab?.input),
      (input) => input instanceof vscode.TabInputCustom && input.uri.toString() === jug,
    );
  });
});
