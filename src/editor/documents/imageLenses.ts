import * as vscode from 'vscode';
import { settingNames } from '../names.ts';
import type { Settings } from '../window/settings.ts';
import { generateCommand } from './generateCommand.ts';
import type { MissingImages } from './missingImages.ts';

/** Lines above missing images that offer to make them, where `limner.codeLens` says so. */
export class ImageLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #missing: MissingImages;
  readonly #settings: Settings;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(missing: MissingImages, settings: Settings) {
    this.#missing = missing;
    this.#settings = settings;
    this.#subscription = vscode.Disposable.from(
      missing.onDidChange(() => this.#changed.fire()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settingNames.codeLens)) {
          this.#changed.fire();
        }
      }),
      this.#changed,
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!this.#settings.codeLens(document.uri)) {
      return [];
    }
    const missing = await this.#missing.in(document);
    return missing.map(
      ({ reference, file }) =>
        new vscode.CodeLens(
          document.lineAt(document.positionAt(reference.start)).range,
          generateCommand(document, file),
        ),
    );
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
