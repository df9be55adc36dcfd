import type { Locator, Page } from 'playwright-core';
import { chooseFromMenu, openMenu } from './contextMenu.ts';
import { eventually } from '../../support/eventually.ts';
import { rowLabel } from '../../../src/vscode/window/plainText.ts';
import { attempt, clickSurely, leave } from './pointer.ts';

/** The tree of an extension's view. */
export class TreeView {
  readonly #page: Page;
  readonly #tree: Locator;

  /** @param tree the element of the whole tree */
  constructor(page: Page, tree: Locator) {
    this.#page = page;
    this.#tree = tree;
  }

  /** All rows in sight. */
  get rows(): Locator {
    return this.#tree.getByRole('treeitem');
  }

  /** A row by its label, which may be shortened, or by the dimmed text after it. */
  row(label: string): Locator {
    const texts = this.#page.locator('.label-name, .label-description');
    const whole = this.rows.filter({ has: texts.getByText(label, { exact: true }) });
    const shortened = rowLabel(label);
    return shortened === label
      ? whole
      : whole.or(
          this.rows
            .filter({ has: texts.getByText(shortened, { exact: true }) })
            .and(this.#page.locator(`[aria-label^=${JSON.stringify(`${label}, `)}]`)),
        );
  }

  /** A row that is below no other one, by its label. */
  topRow(label: string): Locator {
    return this.row(label).and(this.#page.locator('[aria-level="1"]'));
  }

  /** The dimmed text after a row's label. */
  description(label: string): Locator {
    return this.row(label).locator('.label-description');
  }

  /** Whether the description of a row has a text now. While the list is drawn anew, a row may be there twice. */
  async says(label: string, text: string): Promise<boolean> {
    return (await this.description(label).filter({ hasText: text }).count()) > 0;
  }

  /** Waits until the description of a row has a text. */
  async whenSays(label: string, text: string | RegExp): Promise<void> {
    await this.description(label).filter({ hasText: text }).first().waitFor();
  }

  /** Lets the pointer rest on a row until its tooltip has a text: a row that is drawn anew under it shows none. */
  async hover(label: string, text: string): Promise<Locator> {
    const tooltip = this.#page.locator('.workbench-hover .markdown-hover').filter({ hasText: text });
    const rest = async (): Promise<boolean> => {
      await leave(this.#page);
      await this.row(label).first().locator('.label-name').hover(attempt);
      await tooltip.waitFor(attempt);
      return true;
    };
    await eventually(`the tooltip of ${label}`, async () => rest().catch(() => false), Boolean);
    return tooltip;
  }

  /** Shows or hides what is below a row, which is not opened by it; waits until something is. */
  async toggle(label: string): Promise<void> {
    const row = this.row(label).first();
    const wasExpanded = await row.getAttribute('aria-expanded', attempt);
    const changed = this.row(label).and(
      this.#page.locator(`[aria-expanded="${wasExpanded === 'true' ? 'false' : 'true'}"]`),
    );
    // The list may be drawn anew at that moment, as it was before.
    const change = async (): Promise<boolean> => {
      await leave(this.#page);
      await clickSurely(row.locator('.monaco-tl-twistie.collapsible'));
      return changed.waitFor(attempt).then(
        () => true,
        () => false,
      );
    };
    await eventually(`what is below ${label}`, change, Boolean);
  }

  /** Clicks on a row. */
  async click(label: string, options?: Parameters<Locator['click']>[0]): Promise<void> {
    await leave(this.#page);
    await this.row(label).click(options);
  }

  /** Presses a button that a row shows under the pointer. */
  async press(label: string, button: string): Promise<void> {
    const row = this.row(label);
    await clickSurely(row.getByRole('button', { name: button, exact: true }), async () => {
      await leave(this.#page);
      await row.hover(attempt);
    });
  }

  /** Opens a row's context menu until it has an item, and leaves it open. */
  async openMenu(label: string, item: string): Promise<void> {
    await openMenu(this.row(label), item);
  }

  /** Chooses an item of a row's context menu. */
  async chooseFromMenu(label: string, item: string): Promise<void> {
    await chooseFromMenu(this.row(label), item);
  }
}
