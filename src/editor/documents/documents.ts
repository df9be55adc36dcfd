// Room: what documents show about their images, and what can be done there.
// Never: tasks, what a reference looks like.

import * as vscode from 'vscode';
import { readLanguages } from '../../references/findReferences.ts';
import type { Settings } from '../window/settings.ts';
import { GenerateMissing, type Painter } from './generateMissing.ts';
import { MissingImages } from './missingImages.ts';
import { QuickFixes } from './quickFixes.ts';
import { ReadDocuments } from './readDocuments.ts';

/** Watches the documents in sight from when it is made. */
export class Documents implements vscode.Disposable {
  readonly generateMissing: GenerateMissing;
  readonly #subscriptions: vscode.Disposable;

  constructor(settings: Settings, painter: Painter, log: vscode.LogOutputChannel) {
    const documents = new ReadDocuments();
    const missing = new MissingImages(documents, settings);
    this.generateMissing = new GenerateMissing(missing, painter, log);
    this.#subscriptions = vscode.Disposable.from(
      documents,
      missing,
      vscode.languages.registerCodeActionsProvider([...readLanguages], new QuickFixes(missing), {
        providedCodeActionKinds: QuickFixes.kinds,
      }),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
