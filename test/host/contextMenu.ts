import type { Locator } from 'playwright-core';

/** Opens the context menu of something on the screen, be it in a webview, and chooses an item. */
export async function chooseFromMenu(place: Locator, item: string): Promise<void> {
  await place.click({ button: 'right' });
  // Without the delay the menu takes the click for the one that opened it.
  await place.page().getByRole('menuitem', { name: item, exact: true }).click({ delay: 200 });
}
