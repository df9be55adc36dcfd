import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { reported } from '../ask/refusal.ts';
import type { Painting } from '../generate/painting.ts';
import { selectedText } from '../generate/promptText.ts';
import type { PromptWriter } from '../generate/promptWriter.ts';

/** `limner.improvePrompt`: opens the prompt box with the selected text, improved, or empty without a selection. */
export async function improveSelection(
  writer: PromptWriter,
  painting: Painting,
  log: vscode.LogOutputChannel,
): Promise<void> {
  await reported(log, async () => {
    const text = selectedText(vscode.window.activeTextEditor);
    const given = text === '' ? {} : { prompt: await writer.improve(text, 'generate') };
    await painting.propose({ given });
  });
}

/** `limner.promptFromPage`: opens the prompt box with a prompt for an image of the open document. */
export async function promptFromPage(
  writer: PromptWriter,
  painting: Painting,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) {
    void vscode.window.showInformationMessage(
      l10n.t('Open the page that the image is for, then run the command again.'),
    );
    return;
  }
  await reported(log, async () => {
    const prompt = await writer.fromPage(document);
    await painting.propose({ given: { prompt } });
  });
}
