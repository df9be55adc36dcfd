import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as commands from '../../src/vscode/window/commandIds.ts';
import * as settingNames from '../../src/vscode/window/settingNames.ts';
import { PromptBox } from './promptBox.ts';
import { eventually } from '../support/eventually.ts';

/** Chooses the model of all runs, or none. */
const choose = async (model: string | undefined): Promise<void> =>
  vscode.workspace.getConfiguration().update(settingNames.model, model, vscode.ConfigurationTarget.Global);

/** Runs the command in a document, and what a user does meanwhile. */
async function generate(
  name: string,
  text: string,
  meanwhile: (uri: vscode.Uri) => Promise<void>,
): Promise<string> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uri = vscode.Uri.joinPath(folder.uri, name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document);
  const cursor = document.positionAt(text.indexOf('gulls'));
  editor.selection = new vscode.Selection(cursor, cursor);
  let isOver = false;
  using box = new PromptBox();
  const run = Promise.resolve(vscode.commands.executeCommand(commands.generateBelowSelection)).finally(() => {
    isOver = true;
  });
  await meanwhile(uri);
  await eventually(
    'the image',
    async () => {
      await box.accept();
      return isOver;
    },
    Boolean,
  );
  await run;
  const after = await vscode.workspace.openTextDocument(uri);
  const written = after.getText();
  await vscode.window.showTextDocument(after);
  await vscode.commands.executeCommand('workbench.action.files.revert');
  await vscode.workspace.fs.delete(uri);
  return written;
}

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
    const text = 'One.\n\nTwo fish. Three gulls on\na pier.\n\nFour.\n';
    const written = await generate('below.md', text, async (uri) => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 0), 'Zero.\n\n');
      assert.ok(await vscode.workspace.applyEdit(edit));
    });
    assert.equal(
      written,
      'Zero.\n\nOne.\n\nTwo fish. Three gulls on\na pier.\n\n![Three gulls on a pier.](images/three-gulls-on-a-pier.png)\n\nFour.\n',
    );
  });

  it('shows it in a document that was closed and opened again, and is another one by now', async () => {
    const text = 'Six gulls at sea.\n';
    const written = await generate('again.md', text, async (uri) => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 0), 'Five.\n\n');
      assert.ok(await vscode.workspace.applyEdit(edit));
    });
    assert.equal(
      written,
      'Five.\n\nSix gulls at sea.\n\n![Six gulls at sea.](images/six-gulls-at-sea.png)\n',
    );
  });
});
