import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/editor/names.ts';

describe('limner.generate', () => {
  before(async () => {
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

  it('rejects with an error that has a code', async () => {
    await assert.rejects(
      async () => vscode.commands.executeCommand(commands.generate, { prompt: 'demo:fail' }),
      { code: 'image_generation_failed' },
    );
  });
});
