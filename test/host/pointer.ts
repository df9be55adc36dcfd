import type { Locator, Page } from 'playwright-core';

/** Steps of a movement: enough that everything on the way notices. */
const steps = 5;

/** A point of an element, in CSS pixels from its top left corner; its middle if it is not given. */
export interface Place {
  of: Locator;
  at?: { x: number; y: number };
}

/** Moves the pointer over a place in steps, measuring before each where that is by now. */
export async function moveTo(page: Page, place: Place, from?: Place): Promise<void> {
  const start = from && (await pointOf(from));
  for (let step = 1; step <= steps; step++) {
    const end = await pointOf(place);
    const part = start ? step / steps : 1;
    const { x, y } = start ?? end;
    await page.mouse.move(x + part * (end.x - x), y + part * (end.y - y));
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
  to: Locator,
  { keys = [], ready }: { keys?: readonly string[]; ready: Locator },
): Promise<void> {
  await from.hover();
  await page.mouse.down();
  try {
    for (const key of keys) {
      await page.keyboard.down(key);
    }
    await moveTo(page, { of: to }, { of: from });
    await ready.first().waitFor();
    await moveTo(page, { of: to });
  } finally {
    await page.mouse.up();
    for (const key of keys) {
      await page.keyboard.up(key);
    }
  }
}

async function pointOf({ of, at }: Place): Promise<{ x: number; y: number }> {
  const box = await of.boundingBox();
  if (!box) {
    throw new Error(`There is nothing to point at: ${of.toString()}`);
  }
  return at ? { x: box.x + at.x, y: box.y + at.y } : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
