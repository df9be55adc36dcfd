import type { Locator } from 'playwright-core';

/** Opens the context menu of a row and chooses an item. */
export async function chooseFromMenu(row: Locator, item: string): Promise<void> {
  await row.click({ button: 'right' });
  // Without the delay the menu takes the click for the one that opened it.
  await row.page().getByRole('menuitem', { name: item, exact: true }).click({ delay: 200 });
}
