import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { StudioComposer } from '../host/window/studioComposer.ts';
import { StudioView } from '../host/window/studioView.ts';
import { projectFolder } from '../support/folders.ts';
import { story } from '../support/story.ts';
import { startDemoServiceSession, taskDuration, type DemoServiceSession } from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { assertAccessible } from '../ui/studio/assertAccessible.ts';

story('the studio in other themes', (part) => {
  let all: DemoServiceSession;
  let studio: StudioView;

  before(async () => {
    all = await startDemoServiceSession({
      prepare: async ({ workspace }) =>
        copyFile(join(projectFolder, 'media/icon.png'), join(workspace, 'hero.png')),
    });
    const { limner, service, workbench } = all;
    studio = new StudioView(workbench);
    await workbench.explorer.show();
    await workbench.explorer.chooseFromMenu('hero.png', 'Open in Limner Studio');
    const composer = new StudioComposer(studio);
    await composer.inputs.filter({ hasText: 'hero.png' }).waitFor();
    await composer.prompt.fill('Make it night');
    await composer.prompt.press('ControlOrMeta+Enter');
    await limner.show();
    await limner.whenProgress('Make it night', 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('Make it night');
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  for (const theme of ['Dark Modern', 'Dark High Contrast', 'Light High Contrast']) {
    part(`has no problem of accessibility in the theme ${theme}`, async () =>
      assertAccessible(all.workbench, studio, theme, 'Make it night'),
    );
  }
});
