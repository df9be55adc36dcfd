import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Documents } from '../documents/documents.ts';
import type { CardFile, PageEdit } from '../documents/socialPages.ts';
import { nameOf, statOf } from '../window/files.ts';
import { oneLine, plainText } from '../window/plainText.ts';

/** Of documents that show a page as it would become. */
const scheme = 'limner-page';

/**
 * What became of the change of a page: it was written, with a whole address or only a path; it was not needed; the person
 * declined it; the page changed while it was shown, or can't be written; the page doesn't tell where it names its image; it
 * is gone; or its encoding loses something of it.
 */
export type ChangeOutcome =
  'written' | 'path' | 'same' | 'declined' | 'failed' | 'unknown' | 'gone' | 'lossy';

/** Shows how pages come to name their cards, and writes that once the person accepts it. */
export class PageChanges implements vscode.Disposable {
  /** Pages as they would become, by the queries of their documents. */
  readonly #texts = new Map<string, string>();
  readonly #provider: vscode.Disposable;

  constructor() {
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: ({ query }) => this.#texts.get(query) ?? '',
    });
    // From before a reload: nobody asks about them any more.
    void closeDiffs(({ scheme: other }) => other === scheme);
  }

  dispose(): void {
    this.#provider.dispose();
  }

  async confirm(documents: Documents, page: vscode.Uri, card: CardFile): Promise<ChangeOutcome> {
    if (!(await openIfThere(page))) {
      return 'gone';
    }
    const document = await documents.read(page);
    if (!document) {
      return 'lossy';
    }
    const before = document.getText();
    const change = await documents.pages.editFor(document, card);
    if (!change) {
      return 'unknown';
    }
    if (change.text === before) {
      return 'same';
    }
    if (!(await this.#accepts(page, card, change))) {
      return 'declined';
    }
    const outcome = await documents
      .change(page, async (now) => (now.getText() === before ? change.edits : []))
      .catch(() => 'same' as const);
    return outcome === 'same'
      ? 'failed'
      : outcome === 'lossy'
        ? 'lossy'
        : change.isWhole
          ? 'written'
          : 'path';
  }

  /** Shows a page beside what it would become, and asks whether to write that. */
  async #accepts(page: vscode.Uri, card: CardFile, { text, put }: PageEdit): Promise<boolean> {
    const query = randomUUID();
    const changed = vscode.Uri.from({ scheme, path: page.path, query });
    this.#texts.set(query, text);
    const name = plainText(nameOf(page));
    try {
      await vscode.commands.executeCommand(
        'vscode.diff',
        page,
        changed,
        vscode.l10n.t('{0} (with Its Social Card)', name),
      );
      const write = {
        label: vscode.l10n.t('Write This Change'),
        description: vscode.l10n.t('{0} names {1}', name, plainText(nameOf(card.uri))),
        // The box may cover the first lines of the page.
        detail: oneLine(put),
      };
      const leave = { label: vscode.l10n.t('Leave {0} as It Is', name) };
      const chosen = await vscode.window.showQuickPick([write, leave], {
        title: vscode.l10n.t('Social Card of {0}', name),
        placeHolder: vscode.l10n.t('The card is saved. Write the change that you see below?'),
        ignoreFocusOut: true,
      });
      return chosen === write;
    } finally {
      await closeDiffs((uri) => uri.toString() === changed.toString());
      this.#texts.delete(query);
    }
  }
}

/** Returns the document of a page; undefined where it is gone, whatever VS Code still knows of it, or no text. */
export async function openIfThere(page: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  return (await statOf(page))
    ? vscode.workspace.openTextDocument(page).then(undefined, () => undefined)
    : undefined;
}

async function closeDiffs(isIt: (changed: vscode.Uri) => boolean): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && isIt(input.modified));
  await (tabs.length > 0 && vscode.window.tabGroups.close(tabs));
}
