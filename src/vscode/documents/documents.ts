import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { draggedImagesType } from '../../common/text.ts';
import type { ImagePaths } from '../../pages/sites/places.ts';
import { documentsIn } from '../../pages/find/languages.ts';
import { languageAt, type PlaceLanguage } from '../../pages/find/languageAt.ts';
import { proposedPrompt } from '../../pages/find/proposedPrompt.ts';
import type { TextEdit } from '../../pages/cards/cardImage.ts';
import type { AgentPages } from '../../agents/tools/agentHost.ts';
import type { Failure } from '../window/offers.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import type { Settings } from '../window/settings.ts';
import { agentPages } from './agentPages.ts';
import { changeDocument, type DocumentChange, readDocument, reopenAction } from './changeDocument.ts';
import { Hints, QuickFixes } from './hints.ts';
import { ImageHovers, ImageLenses } from './imageHovers.ts';
import { type Proposal, proposalsOf } from './proposal.ts';
import { isReadable, type ReadableDocument, ReadDocuments } from './readDocuments.ts';
import { ReplaceWhenSaved } from './replaceWhenSaved.ts';
import { SocialPages } from './socialPages.ts';
import { ImageIndex } from './imageIndex.ts';
import { type WantedImage, WantedImages } from './wantedImages.ts';
import { type ImageUse, WorkspaceSearch } from './workspaceSearch.ts';

export type IncomingDoor = () => Promise<{
  readonly incoming: {
    drop: vscode.DocumentDropEditProvider['provideDocumentDropEdits'];
    paste: NonNullable<vscode.DocumentPasteEditProvider['provideDocumentPasteEdits']>;
    resolve: NonNullable<vscode.DocumentPasteEditProvider['resolveDocumentPasteEdit']>;
  };
}>;

export function registerIncoming(load: IncomingDoor): vscode.Disposable {
  const files = 'text/uri-list';
  const documents = documentsIn(({ writing }) => writing !== undefined);
  const kinds = [vscode.DocumentDropOrPasteEditKind.Empty.append('limner')];
  return vscode.Disposable.from(
    vscode.languages.registerDocumentDropEditProvider(
      documents,
      { provideDocumentDropEdits: async (...drop) => (await load()).incoming.drop(...drop) },
      { dropMimeTypes: [draggedImagesType, files], providedDropEditKinds: kinds },
    ),
    vscode.languages.registerDocumentPasteEditProvider(
      documents,
      {
        provideDocumentPasteEdits: async (...paste) => (await load()).incoming.paste(...paste),
        resolveDocumentPasteEdit: async (...edit) => (await load()).incoming.resolve(...edit),
      },
      { pasteMimeTypes: ['image/png', 'image/jpeg', 'image/webp', files], providedPasteEditKinds: kinds },
    ),
  );
}

export class Documents implements vscode.Disposable {
  readonly pages: SocialPages;
  readonly forAgents: AgentPages;
  readonly #hints: Hints;
  readonly #search: WorkspaceSearch;
  readonly #settings: Settings;
  readonly #index = new ImageIndex();
  readonly #subscriptions: vscode.Disposable;

  /**
   * @param memory of the workspace
   * @param load loads the handlers of dragged or pasted images; called when they are first needed
   */
  constructor(
    engine: EngineHost,
    settings: Settings,
    memory: vscode.Memento,
    log: vscode.LogOutputChannel,
    load: IncomingDoor,
  ) {
    this.#settings = settings;
    const documents = new ReadDocuments();
    const index = this.#index;
    this.forAgents = agentPages(documents, settings, index);
    this.pages = new SocialPages(settings, documents.readings, index);
    this.#hints = new Hints(documents, engine, settings, index);
    this.#search = new WorkspaceSearch(documents, this.#hints, settings, log, index);
    const read = documentsIn((_, isRead) => isRead);
    const lenses = new ImageLenses(this.#hints, settings);
    this.#subscriptions = vscode.Disposable.from(
      documents,
      index,
      this.#hints,
      lenses,
      vscode.languages.registerCodeLensProvider(read, lenses),
      vscode.languages.registerCodeActionsProvider(read, new QuickFixes(this.#hints), {
        providedCodeActionKinds: QuickFixes.kinds,
      }),
      vscode.languages.registerHoverProvider(
        // In Markdown, VS Code itself shows images.
        documentsIn(({ writing = 'markdown' }, isRead) => isRead && writing !== 'markdown'),
        new ImageHovers(documents, engine, settings),
      ),
      new ReplaceWhenSaved({ engine, documents, settings, index, memory, log }),
      registerIncoming(load),
    );
  }

  /**
   * Returns the images of a kind that a document needs, in order, without duplicates; undefined if unknown, and `lossy`
   * if the document's encoding loses characters.
   */
  async wantedIn(
    document: vscode.TextDocument,
    kind: WantedImage['kind'],
  ): Promise<Proposal[] | 'lossy' | undefined> {
    if (!isReadable(document)) {
      return undefined;
    }
    const whole = await readDocument(document.uri);
    if (!whole) {
      return 'lossy';
    }
    const wanted = await this.#hints.wantedIn(whole);
    // Here the user sees which images may exist elsewhere, and decides.
    const kinds = kind === 'missing' ? (['missing', 'elsewhere'] as const) : [kind];
    return proposalsOf(
      wanted.map((image) => [whole, image]),
      ...kinds,
    );
  }

  /** Reads the current document. @returns undefined if its encoding loses characters */
  async read(uri: vscode.Uri): Promise<ReadableDocument | undefined> {
    return readDocument(uri);
  }

  /** Says that a document was not changed because its encoding loses characters. */
  lossy({ uri }: Pick<ReadableDocument, 'uri'>): Failure {
    return {
      message: l10n.t(
        '{0} was not changed: VS Code loses characters in its encoding. Reopen it with the right encoding, and try again.',
        plainText(nameOf(uri)),
      ),
      actions: [reopenAction(uri)],
    };
  }

  /** Changes a document, as `changeDocument`: the only way to change documents that may not be visible. */
  async change(
    uri: vscode.Uri,
    editsFor: (document: ReadableDocument) => Promise<readonly TextEdit[]>,
  ): Promise<DocumentChange> {
    return changeDocument(uri, editsFor);
  }

  /**
   * Does the same as `wantedIn` for all documents of the workspace.
   *
   * @param title describes the search
   * @throws vscode.CancellationError if the user stops it
   */
  async wantedInWorkspace(title: string, kind: WantedImage['kind']): Promise<Proposal[]> {
    return proposalsOf(await this.#search.run(title), kind);
  }

  /** Finds the places in documents of the workspace that name an image. @param goOn throws to stop */
  usesOf(image: vscode.Uri, goOn: () => void): AsyncIterable<ImageUse> {
    return this.#search.usesOf(image, goOn);
  }

  async folderForNew(document: vscode.TextDocument): Promise<vscode.Uri> {
    return new WantedImages(this.#settings, this.#index).folderForNew(document);
  }

  async pathsTo(document: vscode.TextDocument, file: vscode.Uri, at?: vscode.Position): Promise<ImagePaths> {
    const place = at && this.languageAt(document.languageId, document.getText(), document.offsetAt(at));
    const kind = place?.language === 'html' ? 'markup' : undefined;
    return new WantedImages(this.#settings, this.#index).pathsTo(document, file, kind);
  }

  /** Returns the language in which an image is written at a position of a document's text. */
  languageAt(languageId: string, text: string, offset: number): PlaceLanguage {
    return languageAt(languageId, text, offset);
  }

  /** Derives an image's description from its file name; may be empty. */
  altFor({ path }: vscode.Uri): string {
    return proposedPrompt({}, path);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
