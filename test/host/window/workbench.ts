import type { FrameLocator, Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { showContainer } from './activityBar.ts';
import { Explorer } from './explorer.ts';
import { Notifications } from './notifications.ts';
import { attempt, clickSurely, leave, moveTo } from './pointer.ts';
import { QuickInput } from './quickInput.ts';
import { TreeView } from './treeView.ts';

/** A window of VS Code, driven as a user would: everything is read from the screen and done on it. */
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

  /**
   * Reloads the window: a fresh extension host with the same folders and secrets. By the editor's own command, which
   * waits until it has written down which tabs are open.
   */
  async reload(): Promise<void> {
    await Promise.all([this.page.waitForEvent('load'), this.runCommand('Developer: Reload Window')]);
    await this.whenReady();
  }

  /**
   * Runs a command through the palette.
   *
   * @param title With its category: `Limner: Generate Image…`.
   */
  async runCommand(title: string): Promise<void> {
    await this.quickInput.openAndPick('F1', `>${title}`, title);
  }

  /** Opens a file of the workspace by its name. The list grows while it is open: another file may be where it was. */
  async openFile(name: string): Promise<void> {
    const tab = this.editorTab(name).and(this.page.locator('[aria-selected="true"]'));
    const open = async (): Promise<boolean> => {
      await this.quickInput.openAndPick('ControlOrMeta+P', name, name);
      return tab.waitFor(attempt).then(
        () => true,
        () => false,
      );
    };
    await eventually(`${name} is open`, open, Boolean);
  }

  /** Shows a view container by its name in the activity bar. */
  async showContainer(name: string): Promise<void> {
    await showContainer(this.page, name);
  }

  /** Changes the color theme, by the name it has in the list of themes. */
  async setColorTheme(name: string): Promise<void> {
    await this.runCommand('Preferences: Color Theme');
    await this.quickInput.fill(name);
    await this.quickInput.pick(name);
    await this.quickInput.box.waitFor({ state: 'hidden' });
  }

  /** Drags the border of the side bar; it has limits of its own. @param width In CSS pixels. */
  async resizeSideBar(width: number): Promise<void> {
    const bar = this.page.locator('.part.sidebar');
    await moveTo(this.page, { of: bar, part: { x: 1, y: 0.5 } });
    await this.page.locator('.monaco-sash.vertical.hover').waitFor();
    await this.page.mouse.down();
    await moveTo(this.page, { of: bar, at: { x: width, y: 300 } });
    await this.page.mouse.up();
  }

  /** The modal dialog that says this. */
  dialog(text: string): Locator {
    return this.page.locator('.monaco-dialog-box').filter({ hasText: text });
  }

  /** Presses a button of the modal dialog that says this. */
  async pressInDialog(text: string, button: string): Promise<void> {
    const dialog = this.dialog(text);
    await clickSurely(dialog.getByRole('button', { name: button, exact: true }));
    await dialog.waitFor({ state: 'detached' });
  }

  /** The tree in a container of the side bar, by the id that an extension gave to the container. */
  treeIn(container: string): TreeView {
    return new TreeView(
      this.page,
      this.page.locator(`[id="workbench.view.extension.${container}"]`).getByRole('tree'),
    );
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

  /** The image that the preview shows: for a moment, it shows the one before, too. */
  get previewedImage(): Locator {
    return this.webview.locator('img').last();
  }

  /** Saves what the window shows as a PNG, with nothing under the pointer. */
  async screenshot(path: string): Promise<void> {
    await leave(this.page);
    await this.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  }
}
