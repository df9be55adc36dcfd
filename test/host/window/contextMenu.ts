import { errors, type Locator } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { leave } from './pointer.ts';

/** How long one attempt may take, in milliseconds. */
const attempt = { timeout: 5000 };
const chosen = 'chosen';

/**
 * Opens the context menu of something on the screen, be it in a webview, and chooses an item. A menu shows what it did
 * when it was opened, and closes when something takes the focus, as a webview does that has just come up: then it is
 * opened again.
 */
export async function chooseFromMenu(place: Locator, item: string): Promise<void> {
  const tryToChoose = async (): Promise<string | string[]> => {
    try {
      return await choose(place, item);
    } catch (error) {
      if (error instanceof errors.TimeoutError) {
        return error.message;
      }
      throw error;
    }
  };
  await eventually(`the choice of "${item}" in a menu`, tryToChoose, (seen) => seen === chosen);
}

/**
 * By the keyboard, once the item has the focus, because a menu that has just come up takes a click for the end of the
 * one that opened it.
 *
 * @returns what was on offer, or what happened, if the item was not chosen
 */
async function choose(place: Locator, item: string): Promise<string | string[]> {
  const page = place.page();
  await leave(page);
  await place.click({ button: 'right' });
  const items = page.locator('.monaco-menu').getByRole('menuitem');
  await items.first().waitFor(attempt);
  // Its name has its key in it, if there is one.
  const row = items.filter({ has: page.getByText(item, { exact: true }) });
  if ((await row.count()) === 0) {
    const offered = await items.allInnerTexts();
    await page.keyboard.press('Escape');
    await items.first().waitFor({ state: 'detached' });
    return offered;
  }
  await row.hover(attempt);
  await row.and(page.locator(':focus')).waitFor(attempt);
  const watch = await row.evaluateHandle(watchForKey, undefined, attempt);
  await page.keyboard.press('Enter');
  const isChosen = await watch.evaluate(async ({ gotKey }) => gotKey);
  await row.waitFor({ state: 'detached' });
  return isChosen ? chosen : 'It was closed before a key got there.';
}

/** Finds out whether an item gets a key before it is closed. */
function watchForKey(item: Element): { gotKey: Promise<boolean> } {
  const gotKey = new Promise<boolean>((resolve) => {
    item.addEventListener('keydown', () => resolve(true), { once: true });
    const look = (): void => {
      if (item.isConnected) {
        requestAnimationFrame(look);
      } else {
        resolve(false);
      }
    };
    look();
  });
  return { gotKey };
}
