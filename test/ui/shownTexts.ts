import type { Locator } from 'playwright-core';

/** A text on the screen. */
export interface ShownText {
  text: string;
  isCut: boolean;
}

/** Returns the texts of a place, each once for the innermost element that shows it. */
export async function shownTexts(place: Locator): Promise<ShownText[]> {
  const shown = await place.evaluate((root) => {
    const all = [...root.querySelectorAll<HTMLElement>('button, label, h1, h2, h3, p, span, option, [role]')];
    const leaves = all.filter((one) => one.children.length === 0 && one.checkVisibility());
    return leaves.map((one) => ({
      text: one.innerText.trim(),
      // One pixel wide are those that are only spoken.
      isCut:
        getComputedStyle(one).overflow !== 'visible' &&
        one.clientWidth > 1 &&
        one.scrollWidth > one.clientWidth + 1,
    }));
  });
  return shown.filter(({ text }) => text !== '');
}
