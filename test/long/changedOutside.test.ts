import assert from 'node:assert/strict';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { StudioComposer } from '../host/window/studioComposer.ts';
import { StudioView } from '../host/window/studioView.ts';
import { projectFolder } from '../support/folders.ts';
import { story } from '../support/story.ts';
import { blankPng } from '../ui/blankPng.ts';
import { startDemoServiceSession, type DemoServiceSession } from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { fillStore } from '../ui/filledStore.ts';
import { pixel, savedResults, seededTask } from '../ui/seededTask.ts';

story('files that change while nobody looks', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({
      async prepare({ userData, workspace, service }) {
        const images = join(workspace, 'images');
        await mkdir(images);
        await writeFile(join(images, 'pier.png'), pixel);
        await writeFile(join(workspace, 'notes.txt'), 'Only words.');
        await copyFile(join(projectFolder, 'media/icon.png'), join(workspace, 'hero.png'));
        const place = { service, workspace, images };
        await fillStore(userData, [
          seededTask(place, 'A pier', { results: savedResults(place, 'pier.png') }),
        ]);
      },
    });
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  part('are told by the studio once it is seen again', async () => {
    const { workbench, workspace } = all;
    const { explorer } = workbench;
    await explorer.show();
    await explorer.chooseFromMenu('hero.png', 'Open in Limner Studio');
    const studio = new StudioView(workbench);
    const row = new StudioComposer(studio).region.getByRole('listitem').filter({ hasText: 'hero.png' });
    await row.getByText('256 × 256').waitFor();
    await workbench.openFile('notes.txt');
    await writeFile(join(workspace, 'hero.png'), blankPng(64, 32));
    // Once this is seen, so is what came before it.
    await writeFile(join(workspace, 'later.txt'), '');
    await explorer.row('later.txt').waitFor();
    await studio.tab.click();
    await row.getByText('Changed on disk').waitFor();
  });

  part('are followed by the task list when they are renamed, and when that is undone', async () => {
    const { limner, workbench } = all;
    const { explorer, page } = workbench;
    await explorer.expand('images');
    await explorer.select('pier.png');
    await page.keyboard.press('F2');
    const name = page.locator('.explorer-folders-view input');
    await name.fill('jetty.png');
    await name.press('Enter');
    await explorer.row('jetty.png').waitFor();
    await limner.show();
    await limner.tasks.toggle('A pier');
    await limner.tasks.row('jetty.png').waitFor();
    await explorer.show();
    await explorer.select('jetty.png');
    await page.keyboard.press('ControlOrMeta+Z');
    await explorer.row('pier.png').waitFor();
    await limner.show();
    await limner.tasks.row('pier.png').waitFor();
    assert.equal(await limner.tasks.row('A pier').count(), 1);
  });
});
