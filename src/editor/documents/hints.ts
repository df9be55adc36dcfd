import * as vscode from 'vscode';
import { inTurns } from '../../common/clock.ts';
import { aliasFiles } from '../../references/references.ts';
import type { TaskStore } from '../../tasks/store/taskStore.ts';
import { settingNames } from '../names.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';
import type { ReadableDocument, ReadDocuments } from './readDocuments.ts';
import { type WantedImage, WantedImages } from './wantedImages.ts';

/** The codes of the hints, by which quick fixes know them. */
export const hintCodes: ReadonlySet<unknown> = new Set<WantedImage['kind']>(['missing', 'placeholder']);

/**
 * How long files are waited for that come and go together, in milliseconds: longer than documents are before they are
 * read, which otherwise would wait as long as files come and go.
 */
const pause = 500;
/** VS Code shows no more of a document. */
const mostHints = 1000;
/** How long it is believed which files are there, in milliseconds. */
const longestKnown = 5000;

/** Hints at images that documents in sight name and that are not there, or that are placeholders. */
export class Hints implements vscode.Disposable {
  readonly #documents: ReadDocuments;
  readonly #settings: Settings;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #hints = vscode.languages.createDiagnosticCollection('limner');
  readonly #subscriptions: { dispose(): void }[] = [];
  /** The last look at each document. */
  readonly #looks = new WeakMap<vscode.TextDocument, object>();
  #timer: NodeJS.Timeout | undefined;
  #known: WantedImages;
  /** In milliseconds, as `performance.now`. */
  #knownSince = performance.now();

  /** Images came, went, or a document names others. */
  readonly onDidChange = this.#changed.event;

  constructor(documents: ReadDocuments, engine: EngineHost, settings: Settings) {
    this.#documents = documents;
    this.#settings = settings;
    this.#known = new WantedImages(settings);
    const images = vscode.workspace.createFileSystemWatcher('**/*.{png,jpg,jpeg,webp,PNG,JPG,JPEG,WEBP}');
    const aliases = vscode.workspace.createFileSystemWatcher(`**/{${aliasFiles.join(',')}}`);
    const soon = (): void => {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#forget();
        documents.readVisible();
      }, pause);
    };
    this.#subscriptions.push(
      this.#hints,
      this.#changed,
      images,
      images.onDidCreate(soon),
      // A single pixel is a placeholder, and the picture that takes its place is none.
      images.onDidChange(soon),
      images.onDidDelete(soon),
      aliases,
      aliases.onDidCreate(soon),
      aliases.onDidChange(soon),
      aliases.onDidDelete(soon),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#forget()),
      documents.onDidRead((document) => {
        this.#changed.fire();
        void this.#hintAt(document);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.#looks.delete(document);
        this.#hints.delete(document.uri);
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settingNames.missingImages)) {
          // Those in sight get theirs again.
          this.#hints.clear();
          soon();
        }
      }),
      // Of a folder, no watcher for its files hears.
      vscode.workspace.onDidCreateFiles(soon),
      vscode.workspace.onDidDeleteFiles(soon),
      vscode.workspace.onDidRenameFiles(soon),
      // In folders that were made in one go, VS Code may watch nothing, as on some disks.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) {
          soon();
        }
      }),
      engine.onDidOpen(({ store }) => this.#watch(store, soon)),
    );
    if (engine.opened) {
      this.#watch(engine.opened.store, soon);
    }
    documents.readVisible();
  }

  /** What is known of files since some came or went: while a person types, only new addresses are looked up. */
  get known(): WantedImages {
    // Of a folder that comes or goes outside of VS Code, no watcher hears.
    if (performance.now() > this.#knownSince + longestKnown) {
      this.#forget();
    }
    return this.#known;
  }

  #forget(): void {
    this.#known = new WantedImages(this.#settings);
    this.#knownSince = performance.now();
  }

  /** Returns the images that a document still needs, in its order; none before the workspace is trusted. */
  async wantedIn(
    document: ReadableDocument,
    wanted = new WantedImages(this.#settings),
  ): Promise<WantedImage[]> {
    const references = vscode.workspace.isTrusted ? await this.#documents.referencesIn(document) : [];
    const found: Promise<WantedImage | undefined>[] = [];
    for await (const reference of inTurns(references)) {
      found.push(wanted.at(document, reference));
    }
    return (await Promise.all(found)).filter((image) => image !== undefined);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of this.#subscriptions) {
      one.dispose();
    }
  }

  /** Has documents read again when Limner has saved an image. */
  #watch(store: TaskStore, soon: () => void): void {
    const isSaved = (id: string): boolean =>
      store.get(id)?.results.some(({ state }) => state === 'saved') ?? false;
    const changes = store.onDidChange((ids) => {
      if (this.#documents.visible.length > 0 && ids.some(isSaved)) {
        soon();
      }
    });
    this.#subscriptions.push(changes);
  }

  async #hintAt(document: vscode.TextDocument): Promise<void> {
    const look = {};
    this.#looks.set(document, look);
    const severity = this.#settings.missingImages(document.uri);
    const { version } = document;
    const images = severity === undefined ? [] : await this.wantedIn(document, this.known);
    if (this.#looks.get(document) !== look || document.version !== version || document.isClosed) {
      return;
    }
    this.#hints.set(
      document.uri,
      images.slice(0, mostHints).map(({ kind, reference: { address, start, end } }) => {
        const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
        const message =
          kind === 'missing'
            ? vscode.l10n.t('{0} does not exist.', address)
            : vscode.l10n.t('{0} is a placeholder.', address);
        const hint = new vscode.Diagnostic(range, message, severity);
        hint.source = 'Limner';
        hint.code = kind;
        return hint;
      }),
    );
  }
}
