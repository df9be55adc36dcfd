import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { outFolder } from '../host/folders.ts';
import { startDemoServiceSession, taskDuration } from './demoServiceSession.ts';
import type { DemoServiceSession } from './demoServiceSession.ts';
import { screenshotFailures } from './failureScreenshot.ts';

const finished = 'A lighthouse at dusk';
const running = 'A fox in the snow';

/** Color themes of the newest VS Code by the name of their picture, with the class of such a window. */
const looks = {
  generate: { theme: 'Light Modern', className: 'vs' },
  'generate-dark': { theme: 'Dark Modern', className: 'vs-dark' },
  'generate-high-contrast': { theme: 'Dark High Contrast', className: 'hc-black' },
};

/** `npm run screenshots` names the folder of the pictures in the README. */
const pictures = resolve(process.env['LIMNER_SCREENSHOTS'] ?? join(outFolder, 'screenshots'));

void describe('the finished picture beside the task list', () => {
  let all: DemoServiceSession;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    all = await startDemoServiceSession();
    const { limner, service, workbench } = all;
    await limner.generate(finished);
    await limner.whenProgress(finished, 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved(finished);
    await workbench.webview.locator('img').waitFor();
    await limner.generate(running);
    await limner.whenProgress(running, 10);
    await service.advance(0.45 * taskDuration);
    await limner.whenProgress(running, 60);
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  for (const [name, { theme, className }] of Object.entries(looks)) {
    void it(`shows in the theme ${theme}`, async () => {
      const { workbench, limner } = all;
      await workbench.setColorTheme(theme);
      await workbench.page.locator(`.monaco-workbench.${className}`).waitFor();
      await limner.tasks.row(finished).waitFor();
      await workbench.webview.locator('img').waitFor();
      await workbench.screenshot(join(pictures, `${name}.png`));
    });
  }

  void it('shows in a narrow side bar', async () => {
    const { workbench, limner } = all;
    await workbench.setColorTheme('Light Modern');
    await workbench.resizeSideBar(170);
    await limner.tasks.row(running).waitFor();
    await workbench.screenshot(join(pictures, 'generate-narrow.png'));
  });
});
