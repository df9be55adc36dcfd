import type { Locator, Page } from 'playwright-core';

/** What the editor tells the person. */
export class Notifications {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** A notification that pops up, by part of its text. None does with the smoke-test driver. */
  toast(text: string): Locator {
    return this.#page.locator('.notifications-toasts .notification-toast').filter({ hasText: text });
  }

  /** Presses a button of a notification that pops up. */
  async press(text: string, button: string): Promise<void> {
    await this.toast(text).getByRole('button', { name: button, exact: true }).click();
  }

  /** Waits for an unread notification and opens the list of all; works with the smoke-test driver too. */
  async openCenter(): Promise<Locator> {
    const bell = this.#page.locator('[id="status.notifications"]');
    await bell.locator('.codicon-bell-dot').waitFor();
    await bell.locator('a').click();
    return this.#page.locator('.notifications-center.visible .notification-list-item');
  }
}
