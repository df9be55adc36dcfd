import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LimnerApi } from '../../src/vscode/api.ts';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { extensionId } from '../../src/vscode/window/names.ts';
import { eventually } from '../support/eventually.ts';
import { withText } from '../support/images/pngText.ts';
import { lastBox } from './boxes.ts';

function includes(rows: readonly string[], ...expected: readonly string[]): void {
  assert.deepEqual(
    rows.filter((row) => expected.includes(row)),
    expected,
  );
}

describe('limner.inspectImage', () => {
  const box = lastBox();
  let image: vscode.Uri;
  let folder: vscode.Uri;

  /** Returns the rows for a file, once all is known. */
  async function inspect(file: vscode.Uri, command: string = commands.inspectImage): Promise<string[]> {
    await vscode.commands.executeCommand(command, file);
    return box().items.map(({ label }) => label);
  }

  before(async () => {
    const limner = await vscode.extensions.getExtension<LimnerApi>(extensionId)?.activate();
    assert.ok(limner);
    await vscode.commands.executeCommand(commands.useDemoService);
    const options = { prompt: 'A described urn', folder: 'inspected', fileName: 'urn', size: '64x48' };
    const { files } = await limner.generate(options);
    assert.ok(files[0]);
    image = files[0];
    folder = vscode.Uri.joinPath(image, '..');
    const page = Buffer.from('# Urns\n\nThe first: ![urn](urn.png)\n');
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'page.md'), page);
  });

  it('lists what the file is, what the task list knows of it, and the documents that name it', async () => {
    const rows = await inspect(image);
    includes(
      rows,
      'Format: PNG',
      'Size: 64 × 48 pixels',
      'Color Profile: none, which means sRGB',
      'A described urn',
      'inspected/page.md, line 3',
      'Run Again with Changes…',
      'Edit Image…',
      'Copy Prompt',
    );
    const moved = new Promise((resolve) => box().onDidChangeActive(resolve));
    box().activeItems = box().items.filter(({ label }) => label === 'inspected/page.md, line 3');
    await moved;
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await eventually(
      'the document',
      async () => Promise.resolve(vscode.window.activeTextEditor),
      (editor) => editor?.document.fileName.endsWith('page.md') === true && editor.selection.start.line === 2,
    );
  });

  it('tells what other programs wrote, by the former name of the command, too', async () => {
    const copy = vscode.Uri.joinPath(folder, 'found.png');
    const words =
      'parameters\0a tall urn\nNegative prompt: cracks\nSteps: 20, Sampler: Euler, Model: clay_v2';
    await vscode.workspace.fs.writeFile(copy, withText(await vscode.workspace.fs.readFile(image), words));
    includes(
      await inspect(copy, commands.showPrompt),
      'a tall urn',
      'Model: clay_v2',
      'Read from the file itself, as Automatic1111 writes it. Not verified.',
      'No document of the workspace names it.',
      'Generate with This Prompt…',
    );
  });

  it('takes images that Limner only recognizes, and refuses what is none', async () => {
    const drawing = vscode.Uri.joinPath(folder, 'mark.svg');
    await vscode.workspace.fs.writeFile(drawing, Buffer.from('<svg viewBox="0 0 30 20"/>'));
    includes(await inspect(drawing), 'Format: SVG', 'Size: 30 × 20 pixels');
    const { showErrorMessage } = vscode.window;
    const told: string[] = [];
    Object.defineProperty(vscode.window, 'showErrorMessage', {
      configurable: true,
      value: async (message: string) => Promise.resolve(void told.push(message)),
    });
    try {
      const page = vscode.Uri.joinPath(folder, 'page.md');
      await vscode.commands.executeCommand(commands.inspectImage, page);
      await vscode.commands.executeCommand(commands.inspectImage, vscode.Uri.joinPath(folder, 'none.png'));
      await eventually(
        'the messages',
        async () => Promise.resolve(told.length),
        (count) => count === 2,
      );
    } finally {
      Object.defineProperty(vscode.window, 'showErrorMessage', {
        configurable: true,
        value: showErrorMessage,
      });
    }
    assert.match(told[0] ?? '', /^The contents of page\.md aren't an image/u);
    assert.match(told[1] ?? '', /^none\.png wasn't found/u);
  });
});
