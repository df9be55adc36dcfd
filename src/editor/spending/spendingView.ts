// Room: shows what was spent, and writes it as CSV.
// Never: what counts as spent.

import * as vscode from 'vscode';
import { readBudget } from '../../tasks/spending/budget.ts';
import { offer } from '../failures/errorText.ts';
import { reportFailure } from '../questions/refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';
import { spendingCsv } from './spendingCsv.ts';
import { spendingReport, spendingSummary } from './spendingReport.ts';
import { type SpendingRow, spendingTable } from './spendingTable.ts';

/** Shows what was spent, as Markdown in Limner's own folder, which VS Code also finds after a restart. */
export class SpendingView {
  readonly #engine: Pick<EngineHost, 'get' | 'home'>;
  readonly #settings: Settings;
  readonly #log: vscode.LogOutputChannel;

  constructor(engine: Pick<EngineHost, 'get' | 'home'>, settings: Settings, log: vscode.LogOutputChannel) {
    this.#engine = engine;
    this.#settings = settings;
    this.#log = log;
  }

  /**
   * `limner.showSpending`: shows the report, and offers the table behind it.
   *
   * @throws LimnerError `over_budget` when the budget can't be read
   */
  async show(): Promise<void> {
    const { store } = await this.#engine.get();
    const rows = await spendingTable(store.spent);
    const now = Date.now();
    const report = spendingReport(rows, readBudget(this.#settings.engine([]).budget), now);
    const file = vscode.Uri.joinPath(this.#engine.home, 'spending.md');
    await vscode.workspace.fs.writeFile(file, Buffer.from(report));
    await vscode.commands
      .executeCommand('markdown.showPreview', file)
      // Somebody may have disabled it.
      .then(undefined, async () => vscode.window.showTextDocument(file));
    const exported = {
      title: vscode.l10n.t('Export CSV…'),
      run: async () => exportCsv(rows),
    };
    // Stays until it is dismissed, while the report is read.
    void offer(vscode.window.showInformationMessage, spendingSummary(rows, now), exported).catch(
      async (error: unknown) => reportFailure(this.#log, error),
    );
  }
}

async function exportCsv(rows: readonly SpendingRow[]): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, 'limner-spending.csv') }),
    filters: { CSV: ['csv'] },
    title: vscode.l10n.t('Export Spending'),
  });
  if (target) {
    await vscode.workspace.fs.writeFile(target, Buffer.from(spendingCsv(rows)));
  }
}
