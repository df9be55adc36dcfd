import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Documents } from '../documents/documents.ts';
import type { CardFile, PageEdit } from '../documents/socialPages.ts';
import type { ReadableDocument } from '../documents/readDocuments.ts';
import { nameOf, statOf } from '../window/files.ts';
import { oneLine, plainText } from '../window/plainText.ts';

/** Scheme of documents that preview a page's change. */
const scheme = 'limner-page';

/**
 * Result of a page's change: written with a full URL or only a path; not needed; declined; impossible, because the page
 * changed or can't be written; unclear, because the page doesn't tell where it names its image; or impossible because
 * the page is gone or its encoding loses characters.
 */
export type ChangeOutcome =
  'written' | 'path' | 'same' | 'declined' | 'failed' | 'unknown' | 'gone' | 'lossy';

/** A change of a page, with the words of its question. */
export interface ProposedChange {
  /** Undefined where only the page's author knows how. */
  editFor: (document: ReadableDocument) => Promise<PageEdit | undefined>;
  /** Of the tab that shows the difference. */
  tab: string;
  title: string;
  question: string;
  /** Says what the page does after the change. */
  effect: string;
}

/** Previews how pages will name new images, and applies that once the user accepts it. */
export class PageChanges implements vscode.Disposable {
  /** Changed texts of pages, by the queries of their documents. */
  readonly #texts = new Map<string, string>();
  readonly #provider: vscode.Disposable;

  constructor() {
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: ({ query }) => this.#texts.get(query) ?? '',
    });
    // From before a reload, when the question was lost.
    void closeDiffs(({ scheme: other }) => other === scheme);
  }

  dispose(): void {
    this.#provider.dispose();
  }

  async confirm(documents: Documents, page: vscode.Uri, proposed: ProposedChange): Promise<ChangeOutcome> {
    if (!(await openIfThere(page))) {
      return 'gone';
    }
    const document = await documents.read(page);
    if (!document) {
      return 'lossy';
    }
    const before = document.getText();
    const change = await proposed.editFor(document);
    if (!change) {
      return 'unknown';
    }
    if (change.text === before) {
      return 'same';
    }
    if (!(await this.#accepts(page, proposed, change))) {
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

  /** Shows a page's change, and asks whether to apply it. */
  async #accepts(page: vscode.Uri, proposed: ProposedChange, { text, put }: PageEdit): Promise<boolean> {
    const query = randomUUID();
    const changed = vscode.Uri.from({ scheme, path: page.path, query });
    this.#texts.set(query, text);
    const name = plainText(nameOf(page));
    const isShown = (uri: vscode.Uri): boolean => uri.toString() === changed.toString();
    const closed = new vscode.CancellationTokenSource();
    const closing = vscode.window.tabGroups.onDidChangeTabs((tabs) => {
      if (diffsOf(tabs.closed, isShown).length > 0) {
        closed.cancel();
      }
    });
    try {
      await vscode.commands.executeCommand('vscode.diff', page, changed, proposed.tab);
      const write = {
        label: l10n.t('Apply Change'),
        description: proposed.effect,
        // The dialog may cover the first lines of the page.
        detail: oneLine(put),
      };
      const leave = { label: l10n.t('Leave {0} Unchanged', name) };
      const chosen = await vscode.window.showQuickPick(
        [write, leave],
        {
          title: proposed.title,
          placeHolder: proposed.question,
          ignoreFocusOut: true,
        },
        closed.token,
      );
      return chosen === write;
    } finally {
      closing.dispose();
      closed.dispose();
      await closeDiffs(isShown);
      this.#texts.delete(query);
    }
  }
}

/** Returns the change that makes a page name its card. */
export function cardChange({ pages }: Documents, page: vscode.Uri, card: CardFile): ProposedChange {
  const name = plainText(nameOf(page));
  return {
    editFor: async (document) => pages.editFor(document, card),
    tab: l10n.t('{0} (with Its Social Card)', name),
    title: l10n.t('Social Card of {0}', name),
    question: l10n.t('The card is saved. Apply the change shown below?'),
    effect: l10n.t('{0} names {1}', name, plainText(nameOf(card.uri))),
  };
}

/** Returns the document of a page; undefined if it is gone or isn't text, even if VS Code still has it open. */
export async function openIfThere(page: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  return (await statOf(page))
    ? vscode.workspace.openTextDocument(page).then(undefined, () => undefined)
    : undefined;
}

/** Returns the tabs that show a difference to one of the documents meant. */
function diffsOf(tabs: readonly vscode.Tab[], isMeant: (changed: vscode.Uri) => boolean): vscode.Tab[] {
  return tabs.filter(({ input }) => input instanceof vscode.TabInputTextDiff && isMeant(input.modified));
}

async function closeDiffs(isMeant: (changed: vscode.Uri) => boolean): Promise<void> {
  const tabs = diffsOf(
    vscode.window.tabGroups.all.flatMap((group) => group.tabs),
    isMeant,
  );
  await (tabs.length > 0 && vscode.window.tabGroups.close(tabs));
}
