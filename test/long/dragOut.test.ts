import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import { story } from '../support/story.ts';
import { drag } from '../host/window/pointer.ts';
import { startDemoServiceSession, type DemoServiceSession } from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { fillStore } from '../ui/filledStore.ts';
import { pixel, savedResults, seededTask } from '../ui/seededTask.ts';

/** The explorer takes nothing from other trees, whatever they offer: VS Code has it so. */
story('a picture that is dragged out of the task list', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({
      // The editor's Markdown would make a reference of what is dropped, too.
      builtIn: 'all',
      async prepare({ userData, workspace, service }) {
        const images = join(workspace, 'images');
        await mkdir(images);
        await mkdir(join(workspace, 'assets'));
        await writeFile(join(workspace, 'assets/page.md'), '# Page\n\n');
        await writeFile(join(images, 'pier.png'), pixel);
        const place = { service, workspace, images };
        await fillStore(userData, [
          seededTask(place, 'A pier', { results: savedResults(place, 'pier.png') }),
        ]);
      },
    });
    await all.limner.tasks.toggle('A pier');
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const label = (row: string): Locator => all.limner.tasks.row(row).locator('.label-name');
  const editorArea = (): Locator =>
    all.workbench.page.locator('.part.editor .editor-group-container').first();

  for (const row of ['A pier', 'pier.png']) {
    part(`opens where editors are: ${row}`, async () => {
      const { workbench } = all;
      await drag(
        workbench.page,
        label(row),
        { of: editorArea() },
        {
          ready: workbench.page.locator('.editor-group-overlay-indicator'),
        },
      );
      await workbench.editorTab('pier.png').waitFor();
      await workbench.previewedImage.waitFor();
      await workbench.runCommand('View: Close All Editors');
    });
  }

  for (const row of ['A pier', 'pier.png']) {
    part(`becomes an image with its prompt in a document: ${row}`, async () => {
      const { workbench } = all;
      await workbench.openFile('page.md');
      // The editor's Markdown, which makes a reference of what is dropped, knows the document by now.
      await workbench.page.locator('.breadcrumbs-control').getByText('# Page').waitFor();
      const line = workbench.page.locator('.monaco-editor .view-line').first();
      await drag(
        workbench.page,
        label(row),
        { of: line },
        {
          keys: ['Shift'],
          ready: workbench.page.locator('.monaco-editor .dnd-target'),
        },
      );
      await workbench.page
        .locator('.view-line')
        .filter({ hasText: '![A pier](../images/pier.png)' })
        .waitFor();
      await workbench.page.keyboard.press('Control+Z');
    });
  }
});
