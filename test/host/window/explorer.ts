import type { Locator, Page } from 'playwright-core';
import { showContainer } from './activityBar.ts';
import { chooseFromMenu, closeMenus, openMenu } from './contextMenu.ts';
import { eventually } from '../../support/eventually.ts';

/** Whether a row has the focus of its tree, and the tree that of the window. */
function hasFocus(row: Element): boolean {
  const isInTree = row.closest('[role="tree"]')?.contains(document.activeElement) === true;
  return isInTree && row.classList.contains('focused');
}

/** The tree of files. */
export class Explorer {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Shows the explorer. A webview that takes the focus while it loads would keep a key to itself. */
  async show(): Promise<void> {
    await showContainer(this.#page, 'Explorer');
    await this.#tree.waitFor();
  }

  /** The row of a file or folder, by its name alone. */
  row(name: string): Locator {
    return this.#tree.getByRole('treeitem', { name, exact: true });
  }

  /**
   * Opens a folder, however often the explorer reads its files again meanwhile, or goes to the file that is edited, and
   * forgets that it was to.
   */
  async expand(name: string): Promise<void> {
    const row = this.row(name);
    const probe = async (): Promise<string | null> => {
      const state = await row.getAttribute('aria-expanded');
      if (state === 'true') {
        return state;
      }
      // Unlike a click, which may come late, neither closes the folder.
      if (await row.evaluate(hasFocus)) {
        await this.#page.keyboard.press('ArrowRight');
      } else {
        await this.#focus(row);
      }
      return state;
    };
    await eventually(`the folder ${name} open`, probe, (state) => state === 'true');
  }

  /** Selects files, until it is these: files that appear put another row under the pointer. */
  async select(first: string, ...others: string[]): Promise<void> {
    const names = [first, ...others];
    const click = async (): Promise<(string | null)[]> => {
      await this.row(first).click();
      for (const name of others) {
        await this.row(name).click({ modifiers: ['ControlOrMeta'] });
      }
      return this.#tree
        .locator('[role="treeitem"][aria-selected="true"]')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
    };
    await eventually(
      `${names.join(', ')} selected`,
      click,
      (selected) => selected.length === names.length && names.every((name) => selected.includes(name)),
    );
  }

  /** Chooses an item of the context menu of a file or folder. */
  async chooseFromMenu(name: string, item: string): Promise<void> {
    await chooseFromMenu(this.row(name), item);
  }

  async #focus(row: Locator): Promise<void> {
    await openMenu(row, 'Copy Path');
    await closeMenus(this.#page);
  }

  get #tree(): Locator {
    return this.#page.getByRole('tree', { name: 'Files Explorer' });
  }
}
