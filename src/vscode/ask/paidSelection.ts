import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { SecondEnter } from './secondEnter.ts';

/** The selection of a list, which Enter generates: says so, and takes a second Enter while it is as it was shown. */
export class PaidSelection implements vscode.Disposable {
  readonly #list: vscode.QuickPick<vscode.QuickPickItem>;
  readonly #runText: () => string;
  readonly #shown: ReadonlySet<vscode.QuickPickItem>;
  readonly #enter: SecondEnter;
  readonly #onChange: vscode.Disposable;
  /** Whether the selection is as it was shown. */
  #isUnread = true;

  /**
   * @param list with the items that are selected at first
   * @param runText says what the selection would make and cost
   */
  constructor(list: vscode.QuickPick<vscode.QuickPickItem>, runText: () => string) {
    this.#list = list;
    this.#runText = runText;
    this.#shown = new Set(list.selectedItems);
    this.#enter = new SecondEnter(() => {
      this.#isUnread = false;
      this.#tell();
    });
    this.#onChange = list.onDidChangeSelection(() => this.#tell());
    this.#tell();
  }

  /** Notes an Enter. @returns whether the selection is to be generated */
  accepts(): boolean {
    return this.#list.selectedItems.length > 0 && (!this.#isUnread || this.#enter.press());
  }

  dispose(): void {
    this.#onChange.dispose();
    this.#enter.dispose();
  }

  #tell(): void {
    const { selectedItems } = this.#list;
    this.#isUnread &&=
      selectedItems.length === this.#shown.size && selectedItems.every((item) => this.#shown.has(item));
    if (selectedItems.length === 0) {
      this.#list.placeholder = l10n.t('Select the images to generate');
    } else if (this.#isUnread) {
      this.#list.placeholder = l10n.t('Press Enter twice to generate {0}', this.#runText());
    } else {
      this.#list.placeholder = l10n.t('Enter generates {0}', this.#runText());
    }
  }
}
