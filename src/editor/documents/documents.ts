// Room: what documents in sight say about images, and what VS Code shows of it.
// Never: what a reference looks like, questions to the person.

import * as vscode from 'vscode';
import type { ImagePaths } from '../../references/places.ts';
import { proposedPrompt } from '../../references/proposedPrompt.ts';
import type { TextEdit } from '../../socialCards/cardImage.ts';
import { documentsWithHovers, documentsWithImages } from '../window/documentLanguages.ts';
import type { Failure } from '../failures/errorText.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import type { Settings } from '../window/settings.ts';
import { changeDocument, type DocumentChange, readDocument, reopenAction } from './changeDocument.ts';
import { Hints } from './hints.ts';
import { ImageHovers } from './imageHovers.ts';
import { ImageLenses } from './imageLenses.ts';
import { type IncomingDoor, registerIncoming } from './registerIncoming.ts';
import { type Proposal, proposalsOf } from './proposal.ts';
import { QuickFixes } from './quickFixes.ts';
import { isReadable, type ReadableDocument, ReadDocuments } from './readDocuments.ts';
import { ReplaceWhenSaved } from './replaceWhenSaved.ts';
import { SocialPages } from './socialPages.ts';
import { type WantedImage, WantedImages } from './wantedImages.ts';
import { WorkspaceSearch } from './workspaceSearch.ts';

/** Watches the documents in sight from when it is made. */
export class Documents implements vscode.Disposable {
  /** Pages that have social cards. */
  readonly pages: SocialPages;
  readonly #hints: Hints;
  readonly #search: WorkspaceSearch;
  readonly #settings: Settings;
  readonly #subscriptions: vscode.Disposable;

  /**
   * @param memory of the workspace
   * @param load gives what takes images that are dragged or pasted into documents; called once one is
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
    this.pages = new SocialPages(settings, documents.readings);
    this.#hints = new Hints(documents, engine, settings);
    this.#search = new WorkspaceSearch(documents, this.#hints, settings, log);
    const lenses = new ImageLenses(this.#hints, settings);
    this.#subscriptions = vscode.Disposable.from(
      documents,
      this.#hints,
      lenses,
      vscode.languages.registerCodeLensProvider(documentsWithImages, lenses),
      vscode.languages.registerCodeActionsProvider(documentsWithImages, new QuickFixes(this.#hints), {
        providedCodeActionKinds: QuickFixes.kinds,
      }),
      vscode.languages.registerHoverProvider(
        documentsWithHovers,
        new ImageHovers(documents, engine, settings),
      ),
      new ReplaceWhenSaved({ engine, documents, settings, memory, log }),
      registerIncoming(load),
    );
  }

  /**
   * Returns the images of a kind that a document needs, in its order, each once; undefined where that is not known, and
   * `lossy` where its encoding loses something of it.
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
    return proposalsOf(
      wanted.map((image) => [whole, image]),
      kind,
    );
  }

  /** Reads a document as it is now. @returns undefined where its encoding loses something of it */
  async read(uri: vscode.Uri): Promise<ReadableDocument | undefined> {
    return readDocument(uri);
  }

  /** Says that a document was left as it is since its encoding loses something of it. */
  lossy({ uri }: Pick<ReadableDocument, 'uri'>): Failure {
    return {
      message: vscode.l10n.t(
        '{0} is in an encoding in which VS Code loses letters, so it was left as it is. Reopen it with the right encoding, and try again.',
        plainText(nameOf(uri)),
      ),
      actions: [reopenAction(uri)],
    };
  }

  /** As `changeDocument`: the only way in which documents are changed that nobody may see. */
  async change(
    uri: vscode.Uri,
    editsFor: (document: ReadableDocument) => Promise<readonly TextEdit[]>,
  ): Promise<DocumentChange> {
    return changeDocument(uri, editsFor);
  }

  /**
   * As `wantedIn`, of all documents of the workspace.
   *
   * @param title says what is looked for
   * @throws vscode.CancellationError when the person stopped it
   */
  async wantedInWorkspace(title: string, kind: WantedImage['kind']): Promise<Proposal[]> {
    return proposalsOf(await this.#search.run(title), kind);
  }

  /** Returns the folder in which a new image of a document belongs. */
  async folderForNew(document: vscode.TextDocument): Promise<vscode.Uri> {
    return new WantedImages(this.#settings).folderForNew(document);
  }

  /** Returns the paths by which a document may name a file of its host. */
  async pathsTo(document: vscode.TextDocument, file: vscode.Uri): Promise<ImagePaths> {
    return new WantedImages(this.#settings).pathsTo(document, file);
  }

  /** Returns what an image shows as far as its file's name tells; may be empty. */
  altFor({ path }: vscode.Uri): string {
    return proposedPrompt({}, path);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
