import type { Locator, Page } from 'playwright-core';

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

/** Leads the pointer over places with its button down. */
export async function draw(page: Page, first: Place, ...others: Place[]): Promise<void> {
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
  await from.hover();
  await page.mouse.down();
  try {
    for (const key of keys) {
      await page.keyboard.down(key);
    }
    await moveTo(page, to, { of: from });
    await ready.first().waitFor();
    await moveTo(page, to);
  } finally {
    await page.mouse.up();
    for (const key of keys) {
      await page.keyboard.up(key);
    }
  }
}

async function pointOf({ of, at, part = { x: 0.5, y: 0.5 } }: Place): Promise<{ x: number; y: number }> {
  const box = await of.boundingBox();
  if (!box) {
    throw new Error(`There is nothing to point at: ${of.toString()}`);
  }
  const { x, y } = at ?? { x: part.x * box.width, y: part.y * box.height };
  return { x: box.x + x, y: box.y + y };
}
