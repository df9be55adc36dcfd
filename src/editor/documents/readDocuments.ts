import * as vscode from 'vscode';
import { languageOf, Readings } from '../../references/references.ts';
import type { Reference } from '../../references/reference.ts';
import { foreignFolders } from './files/listDocuments.ts';

/** How long nobody has typed before a document is read, in milliseconds. */
const pause = 400;
/** Longer documents are generated, and would hold up the extension host. In UTF-16 units. */
export const maxLength = 2_000_000;

/** What is read of a document: of one that is open, or of a file. */
export type ReadableDocument = Pick<vscode.TextDocument, 'uri' | 'languageId' | 'version' | 'getText'>;

/** Whether it is known which images a document needs: if its language is, and its folder, and it is not too long. */
export function isReadable(document: ReadableDocument): boolean {
  const { languageId, uri } = document;
  return (
    languageOf(languageId, uri.path) !== undefined &&
    vscode.workspace.getWorkspaceFolder(uri) !== undefined &&
    document.getText().length <= maxLength
  );
}

/** Reads which images the documents in sight name, once nobody types in them. Nothing is read before a workspace is trusted. */
export class ReadDocuments implements vscode.Disposable {
  /** Ends with this. */
  readonly readings = new Readings();
  readonly #read = new WeakMap<
    ReadableDocument,
    { version: number; references: Promise<readonly Reference[]> }
  >();
  readonly #timers = new Map<vscode.TextDocument, NodeJS.Timeout>();
  readonly #onDidRead = new vscode.EventEmitter<vscode.TextDocument>();
  readonly #subscriptions: vscode.Disposable;

  /** Of a document in sight, after it was opened or changed. */
  readonly onDidRead = this.#onDidRead.event;

  constructor() {
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(() => this.readVisible()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#soon(document)),
      vscode.workspace.onDidOpenTextDocument((document) => this.#soon(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.readVisible()),
      this.#onDidRead,
    );
  }

  /** The documents in sight that may name images. */
  get visible(): vscode.TextDocument[] {
    const documents = vscode.window.visibleTextEditors.map(({ document }) => document);
    return vscode.workspace.isTrusted ? [...new Set(documents)].filter(isRead) : [];
  }

  /** Reads every document in sight again, soon. */
  readVisible(): void {
    for (const document of this.visible) {
      this.#soon(document);
    }
  }

  /** Returns the places of a document that name an image, as it is now. */
  async referencesIn(document: ReadableDocument): Promise<readonly Reference[]> {
    const { languageId, uri, version } = document;
    const known = this.#read.get(document);
    if (known?.version === version) {
      return known.references;
    }
    const text = document.getText();
    const language = text.length > maxLength ? undefined : languageOf(languageId, uri.path);
    const references = this.readings.read(uri.toString(), text, language);
    this.#read.set(document, { version, references });
    return references;
  }

  dispose(): void {
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
    this.#subscriptions.dispose();
    void this.readings.dispose();
  }

  #soon(document: vscode.TextDocument): void {
    if (!this.visible.includes(document)) {
      return;
    }
    clearTimeout(this.#timers.get(document));
    const read = (): void => {
      this.#timers.delete(document);
      // Who hears of it asks again, and gets why it can't be read.
      const tell = (): void => this.#onDidRead.fire(document);
      this.referencesIn(document).then(tell, tell);
    };
    this.#timers.set(document, setTimeout(read, pause));
  }

  #forget(document: vscode.TextDocument): void {
    clearTimeout(this.#timers.get(document));
    this.#timers.delete(document);
    // It may be opened again as another language.
    this.#read.delete(document);
  }
}

function isRead({ languageId, uri }: vscode.TextDocument): boolean {
  const folders = vscode.workspace.asRelativePath(uri, false).split('/');
  return (
    languageOf(languageId, uri.path) !== undefined &&
    uri.scheme !== 'output' &&
    uri.scheme !== 'git' &&
    !folders.some((name) => foreignFolders.includes(name))
  );
}
