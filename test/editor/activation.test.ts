import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { extensionId } from '../../src/vscode/window/names.ts';

describe('the extension', () => {
  it('activates', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension);
    await extension.activate();
  });

  it('registers every command of its table', async () => {
    const registered = await vscode.commands.getCommands(true);
    assert.deepEqual(
      Object.values(commands).filter((command) => !registered.includes(command)),
      [],
    );
  });
});
