import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readSet, setFileName, type SetRow, setTitle } from '../../engine/operations/imageSet.ts';
import { reported } from '../ask/refusal.ts';
import type { Painting, ProposedImage } from '../generate/painting.ts';
import type { SaveTargets } from '../generate/saveTarget.ts';
import { plainText } from '../window/plainText.ts';
import { refusedSet } from './setOrders.ts';

interface SetCommandServices {
  painting: Pick<Painting, 'makeAll' | 'runText'>;
  targets: Pick<SaveTargets, 'intended'>;
  studio: { openSet(rows: SetRow[]): Promise<void> };
  log: vscode.LogOutputChannel;
}

/**
 * `limner.generateSet`: offers the images of the selected table or list, or of a file, and makes those that are chosen.
 * Without either, opens the studio with a table.
 *
 * @param passed URI of a file that holds the set, or a menu's argument
 */
export async function generateSet(services: SetCommandServices, passed?: unknown): Promise<void> {
  const { painting, targets, studio, log } = services;
  await reported(log, async () => {
    const text = passed instanceof vscode.Uri ? await textOf(passed) : selectedText();
    if (text === undefined) {
      await studio.openSet([]);
      return;
    }
    const { rows, problems } = readSet(text);
    if (problems.length > 0) {
      throw refusedSet(problems);
    }
    const { fileName } = await targets.intended({ asks: false });
    const images = new Map<SetRow, ProposedImage>(
      rows.map((row) => [
        row,
        { given: { prompt: row.prompt, n: 1, fileName: setFileName(fileName, row.name) } },
      ]),
    );
    const imagesOf = (some: readonly SetRow[]): ProposedImage[] =>
      some.flatMap((row) => images.get(row) ?? []);
    const chosen = await chooseRows(rows, (some) => painting.runText(imagesOf(some)));
    if (chosen === 'studio') {
      await studio.openSet(rows);
      return;
    }
    if (chosen && chosen.length > 0) {
      const proposed = imagesOf(chosen);
      await painting.makeAll(setTitle(chosen), proposed, async () => Promise.resolve(proposed));
    }
  });
}

/** Offers rows, all ticked, with what they cost. @returns undefined if the user dismisses them */
async function chooseRows(
  rows: readonly SetRow[],
  costOf: (rows: readonly SetRow[]) => string | undefined,
): Promise<readonly SetRow[] | 'studio' | undefined> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { row: SetRow }>();
  const { promise, resolve } = Promise.withResolvers<readonly SetRow[] | 'studio' | undefined>();
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.matchOnDetail = true;
  picker.placeholder = l10n.t('Choose the images to generate');
  picker.items = rows.map((row) => ({ label: plainText(row.name), detail: plainText(row.prompt), row }));
  picker.selectedItems = picker.items;
  const openStudio = {
    iconPath: new vscode.ThemeIcon('symbol-color'),
    tooltip: l10n.t('Open in Studio'),
  };
  picker.buttons = [openStudio];
  const showCost = (): void => {
    const cost = costOf(picker.selectedItems.map(({ row }) => row));
    picker.title = [l10n.t('Generate Set'), ...(cost === undefined ? [] : [cost])].join(' · ');
  };
  showCost();
  picker.onDidChangeSelection(showCost);
  picker.onDidTriggerButton(() => resolve('studio'));
  picker.onDidAccept(() => resolve(picker.selectedItems.map(({ row }) => row)));
  picker.onDidHide(() => resolve(undefined));
  picker.show();
  try {
    return await promise;
  } finally {
    picker.dispose();
  }
}

/** Returns the selected text if it may be a set; a word or a sentence is none. */
function selectedText(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText(editor.selection) ?? '';
  return /\S[^]*\n[^]*\S/u.test(text) ? text : undefined;
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).getText();
}
