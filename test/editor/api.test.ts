import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LimnerApi } from '../../src/vscode/api.ts';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { extensionId } from '../../src/vscode/window/names.ts';

describe('what the extension offers to others', () => {
  let api: LimnerApi;

  before(async () => {
    const extension = vscode.extensions.getExtension<LimnerApi>(extensionId);
    assert.ok(extension);
    api = await extension.activate();
    await vscode.commands.executeCommand(commands.useDemoService);
  });

  it('is version 1', () => {
    assert.equal(api.version, 1);
  });

  it('generates, edits, lists the tasks and tells of their changes', async () => {
    const received = new Set<string>();
    const subscription = api.onDidChangeTasks((ids) => ids.forEach((id) => received.add(id)));
    const first = await api.generate({ prompt: 'A kite', folder: 'api', size: '64x64' });
    const second = await api.edit(first.files[0], { prompt: 'make it green' });
    subscription.dispose();

    const [edited, generated] = await api.tasks(2);
    assert.deepEqual(
      [edited?.id, edited?.kind, edited?.status, edited?.files.map(String)],
      [second.taskId, 'edit', 'completed', second.files.map(String)],
    );
    assert.deepEqual([generated?.id, generated?.prompt], [first.taskId, 'A kite']);
    assert.ok(received.has(first.taskId) && received.has(second.taskId));
  });

  it('takes what is no task for none, in the commands of tasks', async () => {
    for (const argument of [{}, null, 7, { kind: 'day' }, 'no such task']) {
      await vscode.commands.executeCommand(commands.taskStop, argument);
      await vscode.commands.executeCommand(commands.taskCopyPrompt, argument, argument);
    }
  });

  it('rejects with an error that has a code', async () => {
    await assert.rejects(async () => api.edit('no/such.png', { prompt: 'a hat' }), {
      code: 'invalid_request',
    });
  });
});
