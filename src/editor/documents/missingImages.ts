import * as vscode from 'vscode';
import type { Reference } from '../../references/reference.ts';
import { settingNames } from '../names.ts';
import type { Settings } from '../window/settings.ts';
import type { ReadDocuments } from './readDocuments.ts';
import { WhereaboutsFinder } from './whereabouts.ts';

/** An image that a document names, and that is not there. */
export interface MissingImage {
  reference: Reference;
  /** Where it belongs. */
  file: vscode.Uri;
}

/** The code of the hint, by which quick fixes know it. */
export const missingCode = 'missing-image';

/** How long files are waited for that come and go together, in milliseconds. */
const pause = 300;

/** Hints at images that documents in sight name, and that are not there. */
export class MissingImages implements vscode.Disposable {
  readonly #documents: ReadDocuments;
  readonly #settings: Settings;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #hints = vscode.languages.createDiagnosticCollection('limner');
  readonly #subscriptions: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;

  /** Images came, went, or a document names others. */
  readonly onDidChange = this.#changed.event;

  constructor(documents: ReadDocuments, settings: Settings) {
    this.#documents = documents;
    this.#settings = settings;
    const images = vscode.workspace.createFileSystemWatcher(
      '**/*.{png,jpg,jpeg,webp,PNG,JPG,JPEG,WEBP}',
      false,
      true,
    );
    const soon = (): void => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => documents.readVisible(), pause);
    };
    this.#subscriptions = vscode.Disposable.from(
      this.#hints,
      this.#changed,
      images,
      images.onDidCreate(soon),
      images.onDidDelete(soon),
      documents.onDidRead((document) => {
        this.#changed.fire();
        void this.#hintAt(document);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#hints.delete(uri)),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settingNames.missingImages)) {
          soon();
        }
      }),
    );
    documents.readVisible();
  }

  /** Returns the images that a document names and that are not there, in its order, each file once. */
  async in(document: vscode.TextDocument, finder = new WhereaboutsFinder()): Promise<MissingImage[]> {
    const found = new Map<string, MissingImage>();
    for (const reference of this.#documents.referencesIn(document)) {
      const whereabouts = await finder.of(document, reference);
      if (whereabouts?.isThere === false && !found.has(whereabouts.file.toString())) {
        found.set(whereabouts.file.toString(), { reference, file: whereabouts.file });
      }
    }
    return [...found.values()];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscriptions.dispose();
  }

  async #hintAt(document: vscode.TextDocument): Promise<void> {
    const severity = this.#settings.missingImages(document.uri);
    const { version } = document;
    const missing = severity === undefined ? [] : await this.#all(document);
    if (document.version !== version || document.isClosed) {
      return;
    }
    this.#hints.set(
      document.uri,
      missing.map(({ reference: { address, start, end } }) => {
        const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
        const hint = new vscode.Diagnostic(range, vscode.l10n.t('{0} does not exist.', address), severity);
        hint.source = 'Limner';
        hint.code = missingCode;
        return hint;
      }),
    );
  }

  /** Returns every place that names a missing image. */
  async #all(document: vscode.TextDocument): Promise<MissingImage[]> {
    const finder = new WhereaboutsFinder();
    const found = await Promise.all(
      this.#documents.referencesIn(document).map(async (reference) => {
        const whereabouts = await finder.of(document, reference);
        return whereabouts?.isThere === false ? { reference, file: whereabouts.file } : undefined;
      }),
    );
    return found.filter((image) => image !== undefined);
  }
}
