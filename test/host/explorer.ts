import type { Locator, Page } from 'playwright-core';
import { chooseFromMenu } from './contextMenu.ts';

/** The tree of files. */
export class Explorer {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Shows the explorer. */
  async show(): Promise<void> {
    await this.#page.keyboard.press('Control+Shift+E');
    await this.#tree.waitFor();
  }

  /** The row of a file or folder, by its name alone. */
  row(name: string): Locator {
    return this.#tree.getByRole('treeitem', { name, exact: true });
  }

  /** Chooses an item of the context menu of a file or folder. */
  async chooseFromMenu(name: string, item: string): Promise<void> {
    await chooseFromMenu(this.row(name), item);
  }

  get #tree(): Locator {
    return this.#page.getByRole('tree', { name: 'Files Explorer' });
  }
}
