import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { startDemoServiceSession } from './demoServiceSession.ts';
import type { DemoServiceSession } from './demoServiceSession.ts';
import { screenshotFailures } from './failureScreenshot.ts';
import { fillStore } from './filledStore.ts';
import { pixel, savedResults, seededTask } from './seededTask.ts';

/** The explorer takes nothing from other trees, whatever they offer: VS Code has it so. */
void describe('a picture that is dragged out of the task list', () => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({
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

  /** Takes hold of a row and moves the pointer a little, as dragging begins. */
  async function takeHold(label: string): Promise<void> {
    const { limner, workbench } = all;
    await limner.tasks.row(label).locator('.label-name').hover();
    await workbench.page.mouse.down();
    await moveTo(limner.tasks.row(label));
  }

  /** Moves the pointer there in a few steps, so that everything on the way notices. */
  async function moveTo(place: Locator): Promise<void> {
    const box = await place.boundingBox();
    assert.ok(box);
    await all.workbench.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
  }

  const editorArea = (): Locator =>
    all.workbench.page.locator('.part.editor .editor-group-container').first();

  for (const row of ['A pier', 'pier.png']) {
    void it(`opens where editors are: ${row}`, async () => {
      const { workbench } = all;
      await takeHold(row);
      await moveTo(editorArea());
      await workbench.page.mouse.up();
      await workbench.editorTab('pier.png').waitFor();
      await workbench.webview.locator('img').waitFor();
      await workbench.runCommand('View: Close All Editors');
    });
  }

  for (const row of ['A pier', 'pier.png']) {
    void it(`becomes text in a document: ${row}`, async () => {
      const { workbench } = all;
      await workbench.openFile('page.md');
      // The editor's Markdown, which makes a reference of what is dropped, knows the document by now.
      await workbench.page.locator('.breadcrumbs-control').getByText('# Page').waitFor();
      await takeHold(row);
      await workbench.page.keyboard.down('Shift');
      await moveTo(workbench.page.locator('.monaco-editor .view-line').first());
      await workbench.page.mouse.up();
      await workbench.page.keyboard.up('Shift');
      await workbench.page.locator('.view-line').filter({ hasText: '](../images/pier.png)' }).waitFor();
      await workbench.page.keyboard.press('Control+Z');
    });
  }
});
