// Room: what documents in sight say about images, and what VS Code shows of it.
// Never: tasks, what a reference looks like.

import * as vscode from 'vscode';
import { documentsWithImages } from '../window/documentLanguages.ts';
import type { Settings } from '../window/settings.ts';
import { ImageLenses } from './imageLenses.ts';
import { MissingImages } from './missingImages.ts';
import { type Proposal, proposalFor } from './proposal.ts';
import { QuickFixes } from './quickFixes.ts';
import { ReadDocuments } from './readDocuments.ts';
import { searchWorkspace } from './searchWorkspace.ts';

/** Watches the documents in sight from when it is made. */
export class Documents implements vscode.Disposable {
  readonly #missing: MissingImages;
  readonly #log: vscode.LogOutputChannel;
  readonly #subscriptions: vscode.Disposable;

  constructor(settings: Settings, log: vscode.LogOutputChannel) {
    const documents = new ReadDocuments();
    this.#log = log;
    this.#missing = new MissingImages(documents, settings);
    const lenses = new ImageLenses(this.#missing, settings);
    this.#subscriptions = vscode.Disposable.from(
      documents,
      this.#missing,
      lenses,
      vscode.languages.registerCodeLensProvider(documentsWithImages, lenses),
      vscode.languages.registerCodeActionsProvider(documentsWithImages, new QuickFixes(this.#missing), {
        providedCodeActionKinds: QuickFixes.kinds,
      }),
    );
  }

  /** Returns the images that a document names and that are not there, each once. */
  async missingIn(document: vscode.TextDocument): Promise<Proposal[]> {
    return (await this.#missing.in(document)).map(proposalFor);
  }

  /** As `missingIn`, of all documents of the workspace. @throws vscode.CancellationError when the person stopped it */
  async missingInWorkspace(): Promise<Proposal[]> {
    return (await searchWorkspace(this.#missing, this.#log)).map(proposalFor);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
