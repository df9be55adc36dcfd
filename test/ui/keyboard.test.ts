import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import { menuFocus } from '../host/window/contextMenu.ts';
import { story } from '../support/story.ts';
import { projectFolder } from '../support/folders.ts';
import { startDemoServiceSession, taskDuration, type DemoServiceSession } from './demoServiceSession.ts';
import { screenshotFailures } from './failureScreenshot.ts';

story('the keyboard alone', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({ settings: { 'limner.afterSave': 'nothing' } });
    await copyFile(join(projectFolder, 'media/icon.png'), join(all.workspace, 'hero.png'));
    const { limner, service, workbench } = all;
    await limner.generate('A tin robot');
    await limner.whenProgress('A tin robot', 20);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('A tin robot');
    // A list in which nothing changes any more: the row of a task that has just ended moves below its day.
    await workbench.reload();
    await limner.show();
    await limner.whenSaved('A tin robot');
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await all.workbench.page.keyboard.press(key);
    }
  };
  const focusList = async (): Promise<void> => {
    const { workbench } = all;
    await workbench.runCommand('Limner: Focus on Images View');
    await workbench.page
      .locator('[id="workbench.view.extension.limner"]')
      .getByRole('tree')
      .and(workbench.page.locator(':focus'))
      .waitFor();
  };
  /** Returns the focused row of a list or menu. */
  const focused = (row: Locator): Locator =>
    row.and(all.workbench.page.locator('.monaco-list:focus .focused, .monaco-menu .focused'));
  const menuItem = (name: string): Locator =>
    all.workbench.page.locator('.monaco-menu .action-item').filter({ hasText: name });

  part('opens an image from the list, where the keys stay until Enter is pressed', async () => {
    const { limner, workbench } = all;
    await focusList();
    await press('Home', 'ArrowDown');
    await focused(limner.tasks.row('A tin robot')).waitFor();
    await press('ArrowRight');
    await limner.tasks.row('a-tin-robot.png').waitFor();
    await press('ArrowDown', 'Space');
    await workbench.previewedImage.waitFor();
    await focused(limner.tasks.row('a-tin-robot.png')).waitFor();
    await press('Enter');
    await workbench.page.waitForFunction(() => document.activeElement?.matches('iframe.webview'));
  });

  part('reaches what can be done with a row', async () => {
    const { limner, workbench } = all;
    await focusList();
    await focused(limner.tasks.row('a-tin-robot.png')).waitFor();
    await press('Shift+F10');
    await menuFocus(workbench.page).waitFor();
    await press('Home', 'ArrowDown');
    await focused(menuItem('Reveal in Explorer')).waitFor();
    await press('Enter');
    await focused(workbench.explorer.row('a-tin-robot.png')).waitFor();
  });

  part('edits a file of the explorer, and opens the result from the message', async () => {
    const { limner, service, workbench } = all;
    await focused(workbench.explorer.row('a-tin-robot.png')).waitFor();
    await press('End');
    await focused(workbench.explorer.row('hero.png')).waitFor();
    await press('Shift+F10');
    await menuFocus(workbench.page).waitFor();
    // Deleting is last, renaming before it, and Limner's own before that; editing is the first of those.
    await press('End', ...Array.from({ length: 6 }, () => 'ArrowUp'));
    await focused(menuItem('Edit Image with Limner…')).waitFor();
    await press('Enter');
    await limner.answerEdit('make it night');
    await workbench
      .statusBarItem('limner.limner.running')
      .filter({ hasText: /[12]0%/ })
      .waitFor();
    await service.advance(2 * taskDuration);
    await workbench.notifications.unread.waitFor();
    await workbench.runCommand('Notifications: Show Notifications');
    await workbench.notifications.listed('Saved the image').waitFor();
    await workbench.runCommand('Notifications: Accept Notification Primary Action');
    await workbench.editorTab('hero-edited.png').waitFor();
  });
});
