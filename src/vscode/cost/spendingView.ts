import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isSameFile } from '../../common/fileUris.ts';
import { rm } from '../../common/heldFiles.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import { type Budget, readBudget } from '../../engine/task/budget.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';
import { told } from '../../engine/messages/told.ts';
import { spendingCsv, spendingFile, type SpendingRow, spendingTable } from './spendingTable.ts';
import { spendingReport } from './spendingReport.ts';

/** Shows spending as Markdown in Limner's own folder, which VS Code can reopen after a restart. */
export class SpendingView {
  readonly #engine: Pick<EngineHost, 'get' | 'home'>;
  readonly #settings: Settings;

  constructor(engine: Pick<EngineHost, 'get' | 'home'>, settings: Settings) {
    this.#engine = engine;
    this.#settings = settings;
  }

  /** `limner.showSpending`: shows the page, whose title has the commands to export it and to set the budget. */
  async show(): Promise<void> {
    await this.#write();
    await vscode.commands
      .executeCommand('vscode.openWith', this.#file, 'vscode.markdown.preview.editor')
      // The Markdown extension may be disabled.
      .then(undefined, async () => vscode.window.showTextDocument(this.#file));
  }

  /** Updates the page if it is open. */
  async refresh(): Promise<void> {
    await (this.#tabs().length > 0 && this.#write());
  }

  /** Closes the page, and deletes its file. */
  async forget(): Promise<void> {
    await vscode.window.tabGroups.close(this.#tabs());
    await rm(this.#file.fsPath, { force: true });
  }

  /** `limner.exportSpending` */
  async exportCsv(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const target = await vscode.window.showSaveDialog({
      ...(folder && { defaultUri: vscode.Uri.joinPath(folder, 'limner-spending.csv') }),
      filters: { CSV: ['csv'] },
      title: l10n.t('Export Spending'),
    });
    if (target) {
      await vscode.workspace.fs.writeFile(target, Buffer.from(spendingCsv(await this.#rows())));
    }
  }

  #tabs(): vscode.Tab[] {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    return tabs.filter(
      ({ input }) =>
        (input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText) &&
        isSameFile(input.uri.toString(), this.#file.toString()),
    );
  }

  get #file(): vscode.Uri {
    return vscode.Uri.joinPath(this.#engine.home, spendingFile);
  }

  async #rows(): Promise<SpendingRow[]> {
    return spendingTable((await this.#engine.get()).store.spent);
  }

  async #write(): Promise<void> {
    const report = spendingReport(await this.#rows(), this.#budget(), Date.now());
    await vscode.workspace.fs.writeFile(this.#file, Buffer.from(report));
  }

  #budget(): Budget | string {
    try {
      return readBudget(this.#settings.engine([]).budget);
    } catch (error) {
      if (!isLimnerError(error)) {
        throw error;
      }
      return told(error.message);
    }
  }
}
