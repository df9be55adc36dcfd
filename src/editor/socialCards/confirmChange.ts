import * as vscode from 'vscode';
import type { CardFile, SocialPages } from '../documents/socialPages.ts';
import { nameOf } from '../window/files.ts';

/**
 * What became of the change of a page: it was written, with a whole address or only a path; it was not needed; the person
 * declined it; the page changed while it was shown; the page doesn't tell where it names its image; it is gone.
 */
export type ChangeOutcome = 'written' | 'path' | 'same' | 'declined' | 'changed' | 'unknown' | 'gone';

/** Shows how a page comes to name its card, and writes that once the person accepts it. */
export async function confirmChange(
  pages: SocialPages,
  page: vscode.Uri,
  card: CardFile,
): Promise<ChangeOutcome> {
  const document = await openIfThere(page);
  if (!document) {
    return 'gone';
  }
  const before = document.getText();
  const change = await pages.editFor(document, card, {
    needsConfirmation: true,
    label: vscode.l10n.t('Name the social card'),
    description: nameOf(card.uri),
  });
  if (!change) {
    return 'unknown';
  }
  const { edit, text, isWhole } = change;
  if (text === before) {
    return 'same';
  }
  // What a person is typing is theirs to save.
  const { isDirty } = document;
  await vscode.workspace.applyEdit(edit, { isRefactoring: true });
  // Of a change that was declined, VS Code says nothing; and a document that nobody shows is closed meanwhile.
  const after = await openIfThere(page);
  const now = after?.getText();
  if (now !== text) {
    return now === before ? 'declined' : 'changed';
  }
  await (isDirty || after?.save());
  return isWhole ? 'written' : 'path';
}

/** Returns the document of a page; undefined where it is gone or no text. */
export async function openIfThere(page: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  return vscode.workspace.openTextDocument(page).then(undefined, () => undefined);
}
