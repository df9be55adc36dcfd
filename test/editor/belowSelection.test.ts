import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as commands from '../../src/editor/commandIds.ts';
import { settingNames } from '../../src/editor/names.ts';
import { eventually } from '../support/eventually.ts';

/** Chooses the model of all runs, or none. */
const choose = async (model: string | undefined): Promise<void> =>
  vscode.workspace.getConfiguration().update(settingNames.model, model, vscode.ConfigurationTarget.Global);

describe('limner.generateBelowSelection', () => {
  before(async () => {
    await vscode.commands.executeCommand(commands.useDemoService);
    await choose('demo-painter');
  });

  after(async () => {
    await choose(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('shows an image of the sentence at the cursor below it, wherever that is by then', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'below.md');
    const text = 'One.\n\nTwo fish. Three gulls on\na pier.\n\nFour.\n';
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document);
    const cursor = document.positionAt(text.indexOf('gulls'));
    editor.selection = new vscode.Selection(cursor, cursor);
    let isOver = false;
    const run = Promise.resolve(vscode.commands.executeCommand(commands.generateBelowSelection)).finally(
      () => {
        isOver = true;
      },
    );
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), 'Zero.\n\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await eventually(
      'the image',
      async () => {
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return isOver;
      },
      Boolean,
    );
    await run;
    assert.equal(
      document.getText(),
      'Zero.\n\nOne.\n\nTwo fish. Three gulls on\na pier.\n\n![Three gulls on a pier.](images/three-gulls-on-a-pier.png)\n\nFour.\n',
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.workspace.fs.delete(uri);
  });
});
