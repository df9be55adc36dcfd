import type { Page } from 'playwright-core';

/** Shows a view container by its name in the activity bar. */
export async function showContainer(page: Page, name: string): Promise<void> {
  const tab = page.locator('.activitybar').getByRole('tab', { name });
  if ((await tab.getAttribute('aria-selected')) !== 'true') {
    await tab.click();
    await tab.and(page.locator('[aria-selected=true]')).waitFor();
  }
}
