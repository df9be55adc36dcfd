import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as commands from '../window/commandIds.ts';
import type { Reference } from '../../pages/scan/reference.ts';
import type { ImageIndex } from './imageIndex.ts';
import { type ElsewhereImage, type WantedImage, WantedImages } from './wantedImages.ts';
import { proposalFor } from './proposal.ts';
import { inTurns } from '../../common/clock.ts';
import { aliasFiles, endOf, siteFiles, wantedAmong } from '../../pages/find/references.ts';
import type { TaskStore } from '../../engine/store/taskStore.ts';
import * as settingNames from '../window/settingNames.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';
import type { ReadableDocument, ReadDocuments } from './readDocuments.ts';

export function generateCommand(document: vscode.TextDocument, image: WantedImage): vscode.Command {
  const isMissing = image.kind !== 'placeholder';
  return {
    title: isMissing ? l10n.t('Generate This Image…') : l10n.t('Replace with a Generated Image…'),
    command: isMissing ? commands.generateMissing : commands.replacePlaceholders,
    arguments: [document.uri, proposalFor(document, image).id],
  };
}

export function generateAllCommand(
  { uri }: vscode.TextDocument,
  kind: WantedImage['kind'],
  count: number,
): vscode.Command {
  const isMissing = kind === 'missing';
  return {
    title: isMissing
      ? l10n.t('Generate All {0} Missing Images in This File…', count)
      : l10n.t('Replace All {0} Placeholders in This File…', count),
    command: isMissing ? commands.generateMissing : commands.replacePlaceholders,
    arguments: [uri],
  };
}

export const hintCodes: ReadonlySet<unknown> = new Set<WantedImage['kind']>(['missing', 'placeholder']);

/**
 * Delay that combines changes of files, in milliseconds: longer than the delay before documents are read, which would
 * otherwise wait as long as files change.
 */
const pause = 500;
/** VS Code shows no more diagnostics per document. */
const mostHints = 1000;
/** Time for which file lookups are reused, in milliseconds. */
const longestKnown = 5000;

/** Marks missing images and placeholders in visible documents. */
export class Hints implements vscode.Disposable {
  readonly #documents: ReadDocuments;
  readonly #settings: Settings;
  readonly #index: ImageIndex;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #hints = vscode.languages.createDiagnosticCollection('limner');
  readonly #subscriptions: { dispose(): void }[] = [];
  readonly #looks = new WeakMap<vscode.TextDocument, object>();
  #timer: NodeJS.Timeout | undefined;
  #known: WantedImages;
  /** In milliseconds, as `performance.now`. */
  #knownSince = performance.now();

  /** Fires when images appear or disappear, or a document names others. */
  readonly onDidChange = this.#changed.event;

  constructor(documents: ReadDocuments, engine: EngineHost, settings: Settings, index: ImageIndex) {
    this.#documents = documents;
    this.#settings = settings;
    this.#index = index;
    this.#known = new WantedImages(settings, index);
    const images = vscode.workspace.createFileSystemWatcher('**/*.{png,jpg,jpeg,webp,PNG,JPG,JPEG,WEBP}');
    const files = [...aliasFiles, ...siteFiles].join(',');
    const configurations = vscode.workspace.createFileSystemWatcher(`**/{${files}}`);
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
      // A placeholder of a single pixel may be replaced by a real picture.
      images.onDidChange(soon),
      images.onDidDelete(soon),
      configurations,
      configurations.onDidCreate(soon),
      configurations.onDidChange(soon),
      configurations.onDidDelete(soon),
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
          // Visible documents get new hints.
          this.#hints.clear();
          soon();
        }
      }),
      // A watcher for files isn't told about their folders.
      vscode.workspace.onDidCreateFiles(soon),
      vscode.workspace.onDidDeleteFiles(soon),
      vscode.workspace.onDidRenameFiles(soon),
      // VS Code may not watch folders that were created all at once, or on some disks.
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

  /** Cached file lookups: while a user types, only new addresses are looked up. */
  get known(): WantedImages {
    // No watcher reports folders that change outside of VS Code.
    if (performance.now() > this.#knownSince + longestKnown) {
      this.#forget();
    }
    return this.#known;
  }

  #forget(): void {
    this.#known = new WantedImages(this.#settings, this.#index);
    this.#knownSince = performance.now();
  }

  /** Returns the images that a document still needs, in order; none before the workspace is trusted. */
  async wantedIn(
    document: ReadableDocument,
    wanted = new WantedImages(this.#settings, this.#index),
  ): Promise<WantedImage[]> {
    return wantedAmong(await this.#referencesIn(document), async (one) => wanted.at(document, one));
  }

  /** Returns those whose addresses a range touches, or else those that it touches elsewhere. */
  async wantedAt(document: vscode.TextDocument, range: vscode.Range): Promise<WantedImage[]> {
    const [first, last] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    const references = await this.#referencesIn(document);
    const isTouched = (start: number, end: number): boolean => start <= last && first <= end;
    const named = references.filter(({ start, end }) => isTouched(start, end));
    const shown = references.filter(({ wholes }) => wholes.some((whole) => isTouched(...whole)));
    const wanted = this.known;
    return wantedAmong(named.length > 0 ? named : shown, async (one) => wanted.at(document, one));
  }

  async #referencesIn(document: ReadableDocument): Promise<readonly Reference[]> {
    return vscode.workspace.isTrusted ? this.#documents.referencesIn(document) : [];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of this.#subscriptions) {
      one.dispose();
    }
  }

  /** Reads documents again when Limner has saved an image. */
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
      images
        .filter(isToBeMade)
        .slice(0, mostHints)
        .map(({ kind, reference: { address, start, end } }) => {
          const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
          const message =
            kind === 'missing'
              ? l10n.t('{0} does not exist.', address)
              : l10n.t('{0} is a placeholder.', address);
          const hint = new vscode.Diagnostic(range, message, severity);
          hint.source = 'Limner';
          hint.code = kind;
          return hint;
        }),
    );
  }
}

/** Whether to generate an image, rather than to correct its address. */
export function isToBeMade(image: WantedImage): image is Exclude<WantedImage, ElsewhereImage> {
  return image.kind !== 'elsewhere';
}

/** Offers to generate missing images, and to correct the addresses of images in other places. */
export class QuickFixes implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];
  readonly #hints: Hints;

  constructor(hints: Hints) {
    this.#hints = hints;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const hints = diagnostics.filter(({ code, source }) => source === 'Limner' && hintCodes.has(code));
    const found = await this.#hints.wantedAt(document, range);
    const here = found.filter(isToBeMade);
    const elsewhere = found.filter((image) => image.kind === 'elsewhere');
    const fixes = [
      ...here.map((image) => fixBy(generateCommand(document, image), hints, true)),
      ...(await Promise.all(elsewhere.map(async (image) => this.#correctionsOf(document, image)))).flat(),
      ...elsewhere.map((image) => fixBy(generateCommand(document, image), [])),
    ];
    const wanted = here.length > 0 ? await this.#hints.wantedIn(document, this.#hints.known) : [];
    const ids = new Map<WantedImage['kind'], Set<string>>(here.map(({ kind }) => [kind, new Set()]));
    for await (const image of inTurns(wanted)) {
      ids.get(image.kind)?.add(proposalFor(document, image).id);
    }
    for (const [kind, { size: count }] of ids) {
      if (count > 1) {
        fixes.push(fixBy(generateAllCommand(document, kind, count), hints));
      }
    }
    return fixes;
  }

  /** Returns fixes that name the files an address may mean. Of one file alone it is sure. */
  async #correctionsOf(
    document: vscode.TextDocument,
    { reference, file: wanted, files }: ElsewhereImage,
  ): Promise<vscode.CodeAction[]> {
    return Promise.all(
      files.map(async (file) => {
        const path = vscode.workspace.asRelativePath(file);
        const isSameButCase =
          file.path !== wanted.path && file.path.toLowerCase() === wanted.path.toLowerCase();
        const title = isSameButCase
          ? l10n.t('Use {0}: Only Upper and Lower Case Differ', path)
          : l10n.t('Use {0}', path);
        const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        const address = (await this.#hints.known.addressOf(document, file, reference)) + endOf(reference);
        // The site finds it there, although the file is elsewhere.
        if (address === reference.address) {
          return [];
        }
        fix.edit = new vscode.WorkspaceEdit();
        fix.edit.replace(document.uri, rangeOf(document, reference), address);
        fix.isPreferred = files.length === 1;
        return [fix];
      }),
    ).then((fixes) => fixes.flat());
  }
}

function rangeOf(document: vscode.TextDocument, { start, end }: WantedImage['reference']): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

function fixBy(command: vscode.Command, hints: vscode.Diagnostic[], isPreferred = false): vscode.CodeAction {
  const fix = new vscode.CodeAction(command.title, vscode.CodeActionKind.QuickFix);
  fix.command = command;
  fix.diagnostics = hints;
  fix.isPreferred = isPreferred;
  return fix;
}
