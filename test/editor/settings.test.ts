import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Settings } from '../../src/vscode/window/settings.ts';

describe('the settings', () => {
  it('are those of now, also for those who listen to their changes', async () => {
    const log = vscode.window.createOutputChannel('Limner in a test', { log: true });
    const settings = new Settings(log);
    const read = (): unknown[] => [settings.forNewImages.size, settings.confirmAbove, settings.folder()];
    const told: unknown[] = [];
    const listening = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('limner')) {
        told.push(read());
      }
    });
    try {
      const before = read();
      assert.deepEqual(before, ['', 4, 'images']);
      await set('limner.size', '64x64');
      assert.deepEqual(read(), ['64x64', 4, 'images']);
      await set('limner.confirmAbove', 9);
      assert.deepEqual(read(), ['64x64', 9, 'images']);
      await set('limner.folder', 'pictures');
      assert.deepEqual(read(), ['64x64', 9, 'pictures']);
      assert.deepEqual(told, [
        ['64x64', 4, 'images'],
        ['64x64', 9, 'images'],
        ['64x64', 9, 'pictures'],
      ]);
    } finally {
      listening.dispose();
      for (const name of ['limner.size', 'limner.confirmAbove', 'limner.folder']) {
        await set(name, undefined);
      }
      settings.dispose();
      log.dispose();
    }
  });
});

async function set(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
}
