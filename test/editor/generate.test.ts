import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LimnerApi } from '../../src/vscode/api.ts';
import { PromptBox } from './promptBox.ts';
import { eventually } from '../support/eventually.ts';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { extensionId } from '../../src/vscode/window/names.ts';
import * as settingNames from '../../src/vscode/window/settingNames.ts';

describe('limner.generate', () => {
  let limner: LimnerApi;

  before(async () => {
    const extension = vscode.extensions.getExtension<LimnerApi>(extensionId);
    assert.ok(extension);
    limner = await extension.activate();
    await vscode.commands.executeCommand(commands.useDemoService);
  });

  it('asks nothing when it is given a prompt, and resolves with the saved files', async () => {
    const { files } = await vscode.commands.executeCommand<{ taskId: string; files: vscode.Uri[] }>(
      commands.generate,
      { prompt: 'A snail', fileName: 'snail', folder: 'art', size: '640x480' },
    );
    const [file] = files;
    assert.ok(file);
    assert.equal(vscode.workspace.asRelativePath(file), 'art/snail.png');
    const bytes = await vscode.workspace.fs.readFile(file);
    assert.equal(Buffer.from(bytes.subarray(1, 4)).toString('latin1'), 'PNG');
  });

  it('makes one run of a selected text, however often the key that is held down asks', async () => {
    const configuration = vscode.workspace.getConfiguration();
    const update = async (value: string | undefined): Promise<void> =>
      configuration.update(settingNames.model, value, vscode.ConfigurationTarget.Global);
    const content = 'A snail under a key that is held down';
    await update('demo-painter');
    using box = new PromptBox();
    try {
      const document = await vscode.workspace.openTextDocument({ content });
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(document.positionAt(0), document.positionAt(content.length));
      const held = Array.from({ length: 3 }, () => commands.generateFromSelection);
      let isOpen = true;
      const runs = Promise.all(
        held.map(async (command) => vscode.commands.executeCommand<undefined>(command)),
      ).finally(() => {
        isOpen = false;
      });
      await eventually(
        'the box with the text taken',
        async () => {
          await box.accept();
          return isOpen;
        },
        (seen) => !seen,
      );
      await runs;
      const tasks = await limner.tasks();
      assert.equal(tasks.filter(({ prompt }) => prompt === content).length, 1);
    } finally {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await update(undefined);
    }
  });

  it('rejects with an error that has a code', async () => {
    await assert.rejects(
      async () => vscode.commands.executeCommand(commands.generate, { prompt: 'demo:fail' }),
      { code: 'image_generation_failed' },
    );
  });

  it('rejects in the words that people read, which VS Code shows after a key binding', async () => {
    const configuration = vscode.workspace.getConfiguration();
    const baseUrl = configuration.get(settingNames.baseUrl);
    await configuration.update(settingNames.baseUrl, undefined, vscode.ConfigurationTarget.Global);
    try {
      await assert.rejects(
        async () => vscode.commands.executeCommand(commands.generate, { prompt: 'A snail' }),
        { code: 'no_service', message: 'No image service is configured. Not billed.' },
      );
    } finally {
      await configuration.update(settingNames.baseUrl, baseUrl, vscode.ConfigurationTarget.Global);
    }
  });

  it('refuses a folder of the settings that is outside of the workspace, before anything is sent', async () => {
    const configuration = vscode.workspace.getConfiguration();
    await configuration.update(settingNames.folder, '../elsewhere', vscode.ConfigurationTarget.Global);
    try {
      await assert.rejects(
        async () => vscode.commands.executeCommand(commands.generate, { prompt: 'A snail' }),
        { code: 'save_failed', sent: false },
      );
    } finally {
      await configuration.update(settingNames.folder, undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('asks for no more images than the model makes, and refuses a run that does', async () => {
    const configuration = vscode.workspace.getConfiguration();
    const update = async (name: string, value: unknown): Promise<void> =>
      configuration.update(name, value, vscode.ConfigurationTarget.Global);
    await update(settingNames.models, [{ id: 'demo-painter', maxCount: 1 }]);
    await update(settingNames.count, 3);
    try {
      const { files } = await vscode.commands.executeCommand<{ files: vscode.Uri[] }>(commands.generate, {
        prompt: 'A lone snail',
        model: 'demo-painter',
      });
      assert.equal(files.length, 1);
      await assert.rejects(
        async () =>
          vscode.commands.executeCommand(commands.generate, {
            prompt: 'Two snails',
            model: 'demo-painter',
            n: 2,
          }),
        { code: 'invalid_request', sent: false },
      );
    } finally {
      await update(settingNames.count, undefined);
      await update(settingNames.models, undefined);
    }
  });
});
