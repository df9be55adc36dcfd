import * as vscode from 'vscode';
import type { Engine } from '../../engine.ts';
import { plainText } from './plainText.ts';

/**
 * Asks about prompts that were not sent before their window was closed, in a window that has their folder open: they
 * are sent only if the person says so, and stay in the list until then.
 */
export async function askAboutHeldTasks({ store, runner }: Engine): Promise<void> {
  const held = store
    .list({ limit: 200, statuses: ['waiting'] })
    .filter((task) => task.held && isHere(task.request.target.root));
  if (held.length === 0) {
    return;
  }
  const send = vscode.l10n.t('Send Now');
  const chosen = await vscode.window.showInformationMessage(
    held.length === 1
      ? vscode.l10n.t(
          'A prompt was not sent before the window was closed: "{0}"',
          plainText(held[0]?.request.prompt ?? ''),
        )
      : vscode.l10n.t('{0} prompts were not sent before the window was closed.', held.length),
    send,
    vscode.l10n.t('Later'),
  );
  if (chosen === send) {
    // Another window may have sent them meanwhile.
    const still = held.filter(({ id }) => store.get(id)?.held);
    await Promise.all(still.map(async ({ id }) => runner.sendNow(id)));
  }
}

function isHere(folder: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(folder, true)) !== undefined;
}
