import type { FrameLocator, Locator, Page } from 'playwright-core';
import { Explorer } from './explorer.ts';
import { Notifications } from './notifications.ts';
import { QuickInput } from './quickInput.ts';
import { TreeView } from './treeView.ts';

/** A window of VS Code, driven as a person would: everything is read from the screen and done on it. */
export class Workbench {
  /** For what has no words here. */
  readonly page: Page;
  readonly quickInput: QuickInput;
  readonly explorer: Explorer;
  readonly notifications: Notifications;

  constructor(page: Page) {
    this.page = page;
    this.quickInput = new QuickInput(page);
    this.explorer = new Explorer(page);
    this.notifications = new Notifications(page);
  }

  /** Waits until the commands and views of all extensions are known. */
  async whenReady(): Promise<void> {
    await this.page.waitForFunction(() => performance.getEntriesByName('code/didLoadExtensions').length > 0);
  }

  /** Reloads the window: a fresh extension host with the same folders and secrets. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.whenReady();
  }

  /**
   * Runs a command through the palette.
   *
   * @param title With its category: `Limner: Generate Image…`.
   */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.quickInput.fill(`>${title}`);
    await this.quickInput.pick(title);
  }

  /** Shows a view container by its name in the activity bar. */
  async showContainer(name: string): Promise<void> {
    const tab = this.page.locator('.activitybar').getByRole('tab', { name });
    if ((await tab.getAttribute('aria-selected')) !== 'true') {
      await tab.click();
    }
  }

  /** The tree of a view that is showing, by the view's name. */
  tree(name: string): TreeView {
    return new TreeView(this.page, name);
  }

  /** The text and buttons that a view shows while it has nothing else to show. */
  get welcomeView(): Locator {
    return this.page.locator('.welcome-view-content:visible');
  }

  /** @param id `publisher.name.itemId` */
  statusBarItem(id: string): Locator {
    return this.page.locator(`.statusbar-item[id="${id}"]`);
  }

  /** The tab of an open editor, by what it is titled. */
  editorTab(title: string): Locator {
    return this.page.locator('.tabs-container').getByRole('tab', { name: title });
  }

  /** The document inside the webview that is showing, such as the preview of an image. */
  get webview(): FrameLocator {
    return this.page.locator('iframe.webview.ready:visible').contentFrame().frameLocator('#active-frame');
  }

  /** Saves what the window shows as a PNG. */
  async screenshot(path: string): Promise<void> {
    await this.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  }
}
