import type { Locator } from 'playwright-core';
import { leave } from './pointer.ts';

/**
 * Opens the context menu of something on the screen, be it in a webview, and chooses an item: by the keyboard, once the
 * item has the focus, because a menu that has just come up takes a click for the end of the one that opened it.
 */
export async function chooseFromMenu(place: Locator, item: string): Promise<void> {
  const page = place.page();
  await leave(page);
  await place.click({ button: 'right' });
  // Its name has its key in it, if there is one.
  const row = page.getByRole('menuitem').filter({ has: page.getByText(item, { exact: true }) });
  await row.hover();
  await row.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await row.waitFor({ state: 'detached' });
}
