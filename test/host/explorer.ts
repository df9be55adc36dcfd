import type { Locator, Page } from 'playwright-core';
import { chooseFromMenu } from './contextMenu.ts';
import { eventually } from './eventually.ts';

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

  /**
   * Opens a folder, however often the explorer reads its files anew meanwhile, or goes to the file that is edited, and
   * forgets that it was to.
   */
  async expand(name: string): Promise<void> {
    const row = this.row(name);
    await row.click();
    const look = async (): Promise<string | null> => {
      const state = await row.getAttribute('aria-expanded');
      if (state === 'true') {
        return state;
      }
      if (await row.evaluate((element) => element.classList.contains('focused'))) {
        // Unlike a click it never closes the folder.
        await this.#page.keyboard.press('ArrowRight');
      } else {
        await row.click();
      }
      return state;
    };
    await eventually(`the folder ${name} open`, look, (state) => state === 'true');
  }

  /** Chooses an item of the context menu of a file or folder. */
  async chooseFromMenu(name: string, item: string): Promise<void> {
    await chooseFromMenu(this.row(name), item);
  }

  get #tree(): Locator {
    return this.#page.getByRole('tree', { name: 'Files Explorer' });
  }
}
