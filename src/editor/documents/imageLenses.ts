import * as vscode from 'vscode';
import { settingNames } from '../names.ts';
import type { Settings } from '../window/settings.ts';
import { generateCommand } from './generateCommand.ts';
import type { Hints } from './hints.ts';

/** Lines above images that are still to be made, which offer that, where `limner.codeLens` says so. */
export class ImageLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #hints: Hints;
  readonly #settings: Settings;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(hints: Hints, settings: Settings) {
    this.#hints = hints;
    this.#settings = settings;
    this.#subscription = vscode.Disposable.from(
      hints.onDidChange(() => this.#changed.fire()),
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
    const wanted = await this.#hints.wantedIn(document, this.#hints.known);
    return wanted.map((image) => {
      const { range } = document.lineAt(document.positionAt(image.reference.start));
      return new vscode.CodeLens(range, generateCommand(document, image));
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
