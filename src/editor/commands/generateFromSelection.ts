import * as vscode from 'vscode';
import type { Limner } from '../limner.ts';
import { generateWithQuestions } from './generate.ts';

/** `limner.generateFromSelection`: the selected text is the prompt. */
export async function generateFromSelection(limner: Limner): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const prompt = editor?.selections
    .map((selection) => editor.document.getText(selection).trim())
    .filter((text) => text !== '')
    .join('\n');
  if (prompt === undefined || prompt === '') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Select the text that describes the image, then run the command again.'),
    );
    return;
  }
  await generateWithQuestions(limner, { prompt });
}
