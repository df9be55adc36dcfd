import * as vscode from 'vscode';
import { foreignFolders, maxLength, Readings } from '../../pages/find/references.ts';
import { languageOf } from '../../pages/find/languages.ts';
import type { Reference } from '../../pages/scan/reference.ts';

/** Delay after the last keystroke before a document is read, in milliseconds. */
const pause = 400;

export type ReadableDocument = Pick<vscode.TextDocument, 'uri' | 'languageId' | 'version' | 'getText'>;

/** Whether a document is supported: its language, its folder, and its length. */
export function isReadable(document: ReadableDocument): boolean {
  const { languageId, uri } = document;
  return (
    languageOf(languageId, uri.path) !== undefined &&
    vscode.workspace.getWorkspaceFolder(uri) !== undefined &&
    document.getText().length <= maxLength
  );
}

/** Finds the images that visible documents name, once nobody types in them. Requires a trusted workspace. */
export class ReadDocuments implements vscode.Disposable {
  readonly readings = new Readings();
  readonly #read = new WeakMap<
    ReadableDocument,
    { version: number; references: Promise<readonly Reference[]> }
  >();
  readonly #timers = new Map<vscode.TextDocument, NodeJS.Timeout>();
  readonly #onDidRead = new vscode.EventEmitter<vscode.TextDocument>();
  readonly #subscriptions: vscode.Disposable;

  /** Fires after a visible document was opened or changed. */
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

  get visible(): vscode.TextDocument[] {
    const documents = vscode.window.visibleTextEditors.map(({ document }) => document);
    return vscode.workspace.isTrusted ? [...new Set(documents)].filter(isRead) : [];
  }

  /** Reads every visible document again, soon. */
  readVisible(): void {
    for (const document of this.visible) {
      this.#soon(document);
    }
  }

  /** Returns the places in a document that name an image. */
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
      // Listeners ask again, and get the error.
      const tell = (): void => this.#onDidRead.fire(document);
      this.referencesIn(document).then(tell, tell);
    };
    this.#timers.set(document, setTimeout(read, pause));
  }

  #forget(document: vscode.TextDocument): void {
    clearTimeout(this.#timers.get(document));
    this.#timers.delete(document);
    // It may be reopened in another language.
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
