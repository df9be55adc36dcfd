import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import * as settingNames from '../../src/vscode/window/settingNames.ts';
import {
  launcherFolder,
  launcherSettings,
  refreshLauncher,
} from '../../src/vscode/window/launcherSettings.ts';
import { eventually } from '../support/eventually.ts';

async function set(value: object | undefined): Promise<void> {
  await vscode.workspace
    .getConfiguration()
    .update(settingNames.budget, value, vscode.ConfigurationTarget.Global);
}

describe('the launcher of the MCP server', () => {
  const context = {
    extensionUri: vscode.Uri.file('/extensions/limner.limner-1.0.0'),
    globalStorageUri: vscode.Uri.file('/nowhere'),
  };
  const windows: vscode.Disposable[] = [];
  let written: string[] = [];

  beforeEach(async () => {
    context.globalStorageUri = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'limner-launcher-')));
    written = [];
  });
  afterEach(async () => {
    close();
    await set(undefined);
    await rm(context.globalStorageUri.fsPath, { recursive: true });
  });

  async function write(): Promise<void> {
    const settings = launcherSettings(context);
    written.push(settings);
    await mkdir(launcherFolder(context), { recursive: true });
    const file = join(launcherFolder(context), 'launcher.json');
    // Whole at once: who reads it meanwhile sees the one before.
    await writeFile(`${file}.new`, JSON.stringify({ settings }));
    await rename(`${file}.new`, file);
  }

  function open(): void {
    windows.push(refreshLauncher(context, write));
  }

  function close(): void {
    vscode.Disposable.from(...windows.splice(0)).dispose();
  }

  async function wrote(times: number, budget: string): Promise<void> {
    await eventually(
      `it was written ${times} times, at last with ${budget}`,
      async () => Promise.resolve(written),
      (all) => all.length === times && all.at(-1)?.includes(budget) === true,
    );
  }

  it('follows the settings, also those that were changed while no window was open', async () => {
    await write();
    open();
    await set({ day: 3 });
    await wrote(2, '{"day":3}');
    close();
    await set({ day: 2 });
    open();
    await wrote(3, '{"day":2}');
  });

  it('is written by nobody who did not ask for one', async () => {
    open();
    await set({ day: 3 });
    await write();
    await set({ day: 2 });
    await wrote(2, '{"day":2}');
  });
});
