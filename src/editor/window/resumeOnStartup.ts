import * as vscode from 'vscode';
import { backoff } from '../../common/backoff.ts';
import { messageOf } from '../../common/messageOf.ts';
import { plainText } from './plainText.ts';
import type { EngineHost } from './engineHost.ts';
import { askAboutHeldTasks } from './heldTasks.ts';

const firstPause = 5000;
const longestPause = 60_000;

/**
 * Opens the engine and takes up the tasks that are still running. Where that fails it is said once and tried again
 * until it works: by itself, or at once because something else needs the engine.
 */
export function takeUpTasks(engine: EngineHost, log: vscode.LogOutputChannel): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let told = false;
  const tryToOpen = async (): Promise<void> => {
    try {
      await engine.get();
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      timer = setTimeout(() => void tryToOpen(), backoff(failures++, firstPause, longestPause));
      if (!told) {
        told = true;
        await tell(error);
      }
    }
  };
  const tell = async (error: unknown): Promise<void> => {
    const again = vscode.l10n.t('Try Again');
    const chosen = await vscode.window.showErrorMessage(
      vscode.l10n.t('Limner could not open its task list: {0}', plainText(messageOf(error))),
      again,
    );
    if (chosen === again) {
      clearTimeout(timer);
      told = false;
      await tryToOpen();
    }
  };
  const subscriptions: vscode.Disposable[] = [
    engine.onDidOpen((opened) => {
      clearTimeout(timer);
      subscriptions.push(vscode.workspace.onDidChangeWorkspaceFolders(() => void opened.runner.emptyInbox()));
      opened.runner
        .resumeUnfinished()
        .then(async () => askAboutHeldTasks(opened))
        .catch((error: unknown) => log.error(error instanceof Error ? error : String(error)));
    }),
    { dispose: () => clearTimeout(timer) },
  ];
  void tryToOpen();
  return {
    dispose() {
      for (const subscription of subscriptions) {
        subscription.dispose();
      }
    },
  };
}
