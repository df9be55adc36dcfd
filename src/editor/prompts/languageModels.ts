import * as vscode from 'vscode';
import { contextKeys } from '../names.ts';

/**
 * Whether VS Code has language models. Looking for them starts the extensions that offer some, so this is created only
 * once a person uses Limner.
 */
export class LanguageModels implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #areThere = false;

  /** Fires when the first one comes, and when the last one goes. */
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#subscription = vscode.lm.onDidChangeChatModels(() => this.look());
    this.look();
  }

  /** As of the last look. */
  get areThere(): boolean {
    return this.#areThere;
  }

  /** Looks again: VS Code 1.110 doesn't say when models come and go. */
  look(): void {
    void this.#look();
  }

  /** Returns the one that VS Code names first. */
  async first(): Promise<vscode.LanguageModelChat | undefined> {
    const [first] = await vscode.lm.selectChatModels();
    return first;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #look(): Promise<void> {
    const areThere = (await this.first()) !== undefined;
    if (areThere !== this.#areThere) {
      this.#areThere = areThere;
      void vscode.commands.executeCommand('setContext', contextKeys.hasLanguageModel, areThere);
      this.#changed.fire();
    }
  }
}
