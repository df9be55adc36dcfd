import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { backoff } from '../../common/clock.ts';
import { messageOf } from '../../common/limnerError.ts';
import type { Engine } from '../../engine/run/engine.ts';
import { plainText } from './plainText.ts';
import * as commands from './commandIds.ts';
import type { EngineHost } from './engineHost.ts';
import { told } from '../../engine/messages/told.ts';

const firstPause = 5000;
const maxPause = 60_000;

/**
 * Opens the engine and resumes the running tasks. A failure is reported once, and retried until it works, or at once
 * when something else needs the engine.
 */
export function resumeOnStartup(engine: EngineHost, log: vscode.LogOutputChannel): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isTold = false;
  const tryToOpen = async (): Promise<void> => {
    try {
      await engine.get();
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      timer = setTimeout(() => void tryToOpen(), backoff(failures++, firstPause, maxPause));
      if (!isTold) {
        isTold = true;
        await tell(error);
      }
    }
  };
  const tell = async (error: unknown): Promise<void> => {
    const again = l10n.t('Try Again');
    const chosen = await vscode.window.showErrorMessage(
      l10n.t("Limner couldn't open the task list: {0}", plainText(told(messageOf(error)))),
      again,
    );
    if (chosen === again) {
      clearTimeout(timer);
      isTold = false;
      await tryToOpen();
    }
  };
  const subscriptions: vscode.Disposable[] = [
    engine.onDidOpen((opened) => {
      clearTimeout(timer);
      subscriptions.push(vscode.workspace.onDidChangeWorkspaceFolders(() => void opened.runner.emptyInbox()));
      opened.runner
        .resumeUnfinished()
        .then(async () => askAboutUnsentTasks(opened))
        .catch((error: unknown) => log.error(error instanceof Error ? error : String(error)));
    }),
    { dispose: () => clearTimeout(timer) },
  ];
  // VS Code finishes the activation first, which needn't wait for this.
  timer = setTimeout(() => void tryToOpen());
  return new vscode.Disposable(() => void vscode.Disposable.from(...subscriptions).dispose());
}

/**
 * Asks about prompts that weren't sent before their window closed, in a window with their folder open. They stay in the
 * list, and are sent only if the user agrees.
 */
async function askAboutUnsentTasks({ store }: Engine): Promise<void> {
  const held = store
    .list({ limit: 200, statuses: ['waiting'] })
    .filter((task) => task.held && isHere(task.request.target.root));
  if (held.length === 0) {
    return;
  }
  const send = l10n.t('Send Now');
  const chosen = await vscode.window.showInformationMessage(
    held.length === 1
      ? l10n.t(
          'A prompt wasn\'t sent before the window closed: "{0}"',
          plainText(held[0]?.request.prompt ?? ''),
        )
      : l10n.t("{0} prompts weren't sent before the window closed.", held.length),
    send,
    l10n.t('Later'),
  );
  if (chosen === send) {
    const ids = held.map(({ id }) => id);
    await vscode.commands.executeCommand(commands.taskResume, undefined, ids);
  }
}

function isHere(folder: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(folder, true)) !== undefined;
}
