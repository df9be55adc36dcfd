import { errors, type Locator, type Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { attempt, leave } from './pointer.ts';

/** What has the focus in a menu: before anything has, a menu loses its keys. */
export function menuFocus(page: Page): Locator {
  return page.locator('.monaco-menu :focus');
}

const chosen = 'chosen';
const offered = 'offered';

/**
 * Opens the context menu of something on the screen, be it in a webview, and chooses an item. A menu shows what it did
 * when it was opened, and closes when something takes the focus, as a webview does that has just come up: then it is
 * opened again.
 */
export async function chooseFromMenu(place: Locator, item: string): Promise<void> {
  await tryWithMenu(place, `the choice of "${item}" in a menu`, async () => choose(place, item), chosen);
}

/** Opens the context menu of something until an item is on offer, and leaves it open. */
export async function openMenu(place: Locator, item: string): Promise<void> {
  const look = async (): Promise<string | string[]> => {
    const { row, items } = await open(place, item);
    return (await row.count()) > 0 ? offered : items.allInnerTexts();
  };
  await tryWithMenu(place, `"${item}" in a menu`, look, offered);
}

/** Does something with a menu until it succeeds, with no menu left open after each failure. */
async function tryWithMenu(
  place: Locator,
  what: string,
  act: () => Promise<string | string[]>,
  wanted: string,
): Promise<void> {
  const tryOnce = async (): Promise<string | string[]> => {
    let seen: string | string[];
    try {
      seen = await act();
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) {
        throw error;
      }
      seen = error.message;
    }
    if (seen !== wanted) {
      await closeMenus(place.page());
    }
    return seen;
  };
  await eventually(what, tryOnce, (seen) => seen === wanted);
}

/** Closes every menu. */
export async function closeMenus(page: Page): Promise<void> {
  const menu = page.locator('.monaco-menu');
  const close = async (): Promise<number> => {
    if ((await menu.count()) > 0) {
      await page.keyboard.press('Escape');
    }
    return menu.count();
  };
  await eventually('no menu', close, (count) => count === 0);
}

async function open(place: Locator, item: string): Promise<{ row: Locator; items: Locator }> {
  const page = place.page();
  await leave(page);
  await place.click({ button: 'right', ...attempt });
  const items = page.locator('.monaco-menu').getByRole('menuitem');
  await items.first().waitFor(attempt);
  // Its name has its key in it, if there is one.
  return { row: items.filter({ has: page.getByText(item, { exact: true }) }), items };
}

/**
 * By the keyboard, once the item has the focus, because a menu that has just come up takes a click for the end of the
 * one that opened it.
 *
 * @returns what was on offer, or what happened, if the item was not chosen
 */
async function choose(place: Locator, item: string): Promise<string | string[]> {
  const { row, items } = await open(place, item);
  if ((await row.count()) === 0) {
    return items.allInnerTexts();
  }
  await row.hover(attempt);
  await row.and(place.page().locator(':focus')).waitFor(attempt);
  const watch = await row.evaluateHandle(watchForKey, attempt.timeout, attempt);
  await place.page().keyboard.press('Enter');
  const isChosen = await watch.evaluate(async ({ gotKey }) => gotKey);
  if (!isChosen) {
    return 'No key got there.';
  }
  await row.waitFor({ state: 'detached' });
  return chosen;
}

/** Finds out whether an item gets a key before it is closed. @param limit in milliseconds */
function watchForKey(item: Element, limit: number): { gotKey: Promise<boolean> } {
  const gotKey = new Promise<boolean>((resolve) => {
    item.addEventListener('keydown', () => resolve(true), { once: true });
    setTimeout(() => resolve(false), limit);
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
