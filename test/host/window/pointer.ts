import { errors, type Locator, type Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

/** Steps of a movement: enough that everything on the way notices. */
const steps = 5;

/** A point of an element; its middle if it is not said which. */
export interface Place {
  of: Locator;
  /** In CSS pixels from its top left corner. */
  at?: { x: number; y: number };
  /** As parts of its size. */
  part?: { x: number; y: number };
}

/** Moves the pointer to where nothing is, so that what it rests on shows no hover over the next thing that is pressed. */
export async function leave(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
}

/** Moves the pointer over a place in steps, measuring before each where that is by now. */
export async function moveTo(page: Page, place: Place, from?: Place): Promise<void> {
  const start = from && (await pointOf(from));
  for (let step = 1; step <= steps; step++) {
    const end = await pointOf(place);
    const way = start ? step / steps : 1;
    const { x, y } = start ?? end;
    await page.mouse.move(x + way * (end.x - x), y + way * (end.y - y));
  }
}

/** Leads the pointer over places with its button down, once the first one has come to rest. */
export async function draw(page: Page, first: Place, ...others: Place[]): Promise<void> {
  await whenStill(first.of);
  await moveTo(page, first);
  await page.mouse.down();
  try {
    let last = first;
    for (const place of others) {
      await moveTo(page, place, last);
      last = place;
    }
  } finally {
    await page.mouse.up();
  }
}

/**
 * Drags something to a place, and lets go of it once `ready` shows: what will become of it there.
 *
 * @param keys held from the beginning of the movement on
 */
export async function drag(
  page: Page,
  from: Locator,
  to: Place,
  { keys = [], ready }: { keys?: readonly string[]; ready: Locator },
): Promise<void> {
  await whenStill(to.of);
  await from.hover();
  await page.mouse.down();
  try {
    for (const key of keys) {
      await page.keyboard.down(key);
    }
    await moveTo(page, to, { of: from });
    // Only what moves on is noticed.
    const linger = async (): Promise<boolean> => {
      await moveTo(page, to);
      return ready.first().isVisible();
    };
    await eventually(`${ready.toString()}, under what is dragged`, linger, Boolean);
  } finally {
    await page.mouse.up();
    for (const key of keys) {
      await page.keyboard.up(key);
    }
  }
}

/**
 * Clicks on something that may be drawn anew at that moment: an element that is replaced between the two halves of a
 * click gets none. Then the one in its place is clicked.
 *
 * @param approach goes there before each try
 */
export async function clickSurely(
  target: Locator,
  approach: () => Promise<void> = async () => {},
): Promise<void> {
  const tryToClick = async (): Promise<string> => {
    try {
      await approach();
      return (await clickOnce(target)) ? clicked : 'It was drawn anew.';
    } catch (error) {
      // While a list is drawn anew, a row of it may be there twice.
      if (error instanceof errors.TimeoutError || /strict mode violation/u.test(String(error))) {
        return String(error);
      }
      throw error;
    }
  };
  await eventually(`a click on ${target.toString()}`, tryToClick, (seen) => seen === clicked);
}

/** Clicks on something as it is now. @returns whether it got the click, rather than what took its place */
export async function clickOnce(target: Locator): Promise<boolean> {
  const element = await target.elementHandle(attempt);
  const watch = await element?.evaluateHandle(watchForClick);
  const gotClick = async (): Promise<boolean> => (await watch?.evaluate((seen) => seen.gotClick)) ?? false;
  try {
    await element?.click(attempt);
    return await gotClick();
  } catch (error) {
    if (!(error instanceof Error)) {
      throw error;
    }
    // It was the click that made the page load another one.
    if (/context was destroyed|has been closed|navigation/iu.test(error.message)) {
      return true;
    }
    const isReplaced = /not attached|detached/iu.test(error.message);
    // A slow page answers too late for the attempt, but not for the click.
    if ((isReplaced || error instanceof errors.TimeoutError) && (await gotClick())) {
      return true;
    }
    if (isReplaced) {
      return false;
    }
    throw error;
  }
}

/** How long one attempt may take, in milliseconds. */
export const attempt = { timeout: 5000 };
const clicked = 'clicked';

/** Notes whether an element gets a click. */
function watchForClick(element: Element): { gotClick: boolean } {
  const seen = { gotClick: false };
  element.addEventListener('click', () => (seen.gotClick = true), { capture: true, once: true });
  return seen;
}

/** Waits until something is where it was a frame before. */
async function whenStill(target: Locator): Promise<void> {
  await target.first().evaluate(async (element) => {
    const frame = async (): Promise<string> =>
      new Promise((resolve) => {
        requestAnimationFrame(() => resolve(JSON.stringify(element.getBoundingClientRect())));
      });
    for (let [last, now] = ['', await frame()]; last !== now && element.isConnected;) {
      [last, now] = [now, await frame()];
    }
  });
}

/** Returns where a place is in the window, once it is there: it may be drawn anew at that moment. */
async function pointOf({ of, at, part = { x: 0.5, y: 0.5 } }: Place): Promise<{ x: number; y: number }> {
  const look = async (): Promise<Awaited<ReturnType<Locator['boundingBox']>>> => of.boundingBox();
  const box = await eventually(`${of.toString()} in sight`, look, (seen) => seen !== null);
  if (!box) {
    throw new Error(`There is nothing to point at: ${of.toString()}`);
  }
  const { x, y } = at ?? { x: part.x * box.width, y: part.y * box.height };
  return { x: box.x + x, y: box.y + y };
}
