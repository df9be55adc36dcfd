import { errors, type Locator, type Page } from 'playwright-core';
import { attempt, clickSurely, leave } from './pointer.ts';
import { eventually } from '../../support/eventually.ts';

type Inspect = (notification: Locator) => Promise<void>;

/**
 * What the editor tells the user, as its list of notifications has it. Of the toasts some are missing: no more than
 * three come up in 800 ms, which is slow for a test, and none with the smoke-test driver. The list is opened when the
 * bell says that there is something new: one that is opened empty never forgets what it shows then.
 */
export class Notifications {
  /** The bell while there is something new that the list, which is closed, has not shown. */
  readonly unread: Locator;
  readonly #bell: Locator;
  readonly #list: Locator;

  constructor(page: Page) {
    this.#bell = page.locator('[id="status.notifications"] a');
    this.unread = this.#bell.locator('.codicon-bell-dot');
    this.#list = page.locator('.notifications-center.visible');
  }

  /** A notification in the list while that is open, by part of its text. */
  listed(text: string): Locator {
    return this.#list.locator('.notification-list-item').filter({ hasText: text });
  }

  /**
   * Waits for a notification, by part of its text, and clears it away with all others.
   *
   * @param inspect is given the notification before that
   */
  async dismiss(text: string, inspect?: Inspect): Promise<void> {
    const notification = await this.#find(text);
    await inspect?.(notification);
    await clickSurely(this.#list.getByRole('button', { name: 'Clear All Notifications' }));
    await this.#list.waitFor({ state: 'detached' });
  }

  /**
   * Waits for a notification, by part of its text, and presses one of its buttons; others stay.
   *
   * @param inspect is given the notification before that
   */
  async press(text: string, button: string, inspect?: Inspect): Promise<void> {
    const notification = await this.#find(text);
    // One of before, with the same text, may be on its way out.
    await eventually(
      `a single notification "${text}"`,
      async () => notification.count(),
      (count) => count === 1,
    );
    await inspect?.(notification);
    await clickSurely(notification.getByRole('button', { name: button, exact: true }));
    await notification.waitFor({ state: 'detached' });
  }

  /**
   * Counts the notifications with a text that came before another one, which is waited for; clears all of them away.
   *
   * @param later part of the text of a notification that is certain to come after those that are counted
   */
  async countBefore(later: string, text: string): Promise<number> {
    let count = 0;
    await this.dismiss(later, async () => {
      count = await this.listed(text).count();
    });
    return count;
  }

  /** Presses the bell, and waits for the list: the next press would close it. */
  async #open(): Promise<void> {
    await this.#bell.click();
    // The tooltip of the bell would cover a button.
    await leave(this.#bell.page());
    await this.#list.waitFor(attempt).catch((error: unknown) => {
      if (!(error instanceof errors.TimeoutError)) {
        throw error;
      }
    });
  }

  /** Opens the list whenever there is something new: it closes when its last notification gives way to another one. */
  async #find(text: string): Promise<Locator> {
    const notification = this.listed(text);
    const inspect = async (): Promise<{ found: number; listed: string[] }> => {
      if (!(await this.#list.isVisible()) && (await this.unread.isVisible())) {
        await this.#open();
      }
      return {
        found: await notification.count(),
        listed: await this.#list.locator('.notification-list-item').allInnerTexts(),
      };
    };
    await eventually(`the notification "${text}"`, inspect, ({ found }) => found > 0);
    return notification;
  }
}
