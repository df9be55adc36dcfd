import assert from 'node:assert/strict';
import { accessibilityProblems } from '../../host/window/axe.ts';
import type { Workbench } from '../../host/window/workbench.ts';
import type { StudioView } from '../../host/window/studioView.ts';

/**
 * Goes through the stages of the studio in a theme, and through the ways to compare the result of an edit, and asserts
 * that none has a problem of accessibility.
 *
 * @param prompt of the edit, whose result is among the results
 */
export async function assertAccessible(
  workbench: Workbench,
  studio: StudioView,
  theme: string,
  prompt: string,
): Promise<void> {
  await workbench.setColorTheme(theme);
  const body = studio.frame.locator(`body[data-vscode-theme-name="${theme}"]`);
  await body.waitFor();
  for (const stage of ['Mask', 'History', 'Results']) {
    await studio.frame.getByRole('tab', { name: stage }).click();
    assert.deepEqual(await accessibilityProblems(body), [], stage);
  }
  await studio.main.getByRole('button', { name: `Image of "${prompt}"` }).click();
  assert.deepEqual(await accessibilityProblems(body), [], 'large');
  await studio.main.getByRole('button', { name: 'Compare' }).click();
  for (const way of ['Slider', 'Side by Side', 'Flicker', 'Difference']) {
    await studio.main.getByRole('button', { name: way }).click();
    assert.deepEqual(await accessibilityProblems(body), [], way);
  }
  await studio.main.getByRole('button', { name: 'Back to All Results' }).click();
}
