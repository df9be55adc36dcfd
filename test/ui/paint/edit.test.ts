import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { access, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import { story } from '../../support/story.ts';
import { chooseFromMenu } from '../../host/window/contextMenu.ts';
import { StudioComposer } from '../../host/window/studioComposer.ts';
import { StudioView } from '../../host/window/studioView.ts';
import { projectFolder } from '../../support/folders.ts';
import {
  injectFault,
  startDemoServiceSession,
  taskDuration,
  type DemoServiceSession,
} from '../demoServiceSession.ts';
import { screenshotFailures } from '../failureScreenshot.ts';
import { blankPng } from '../blankPng.ts';

story('editing an image', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession();
    for (const name of ['hero.png', 'boat.png']) {
      await copyFile(join(projectFolder, 'media/icon.png'), join(all.workspace, name));
    }
    await writeFile(join(all.workspace, 'words.png'), 'these are only words');
    await writeFile(join(all.workspace, 'huge.png'), blankPng(12_000, 9000));
    await all.workbench.explorer.show();
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  /** Answers the question for the change and waits until the new image is in the workspace. */
  async function finishEdit(prompt: string, file: string): Promise<void> {
    const { limner, service, workspace } = all;
    await limner.answerEdit(prompt);
    await limner.show();
    await limner.whenProgress(prompt, 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved(prompt);
    await access(join(workspace, file));
  }

  part('begins in the context menu of the explorer and ends beside the original', async () => {
    const { workbench } = all;
    await workbench.explorer.chooseFromMenu('hero.png', 'Edit Image with Limner…');
    const title = /Edit hero\.png · .+ · 1 image · .+\//u;
    await workbench.quickInput.box.filter({ hasText: title }).waitFor();
    await finishEdit('make it night', 'hero-edited.png');
    await workbench.editorTab('hero-edited.png').waitFor();
  });

  part('begins in the context menu of the preview', async () => {
    const { workbench } = all;
    await workbench.openFile('boat.png');
    await chooseFromMenu(workbench.previewedImage, 'Edit Image with Limner…');
    await finishEdit('make it red', 'boat-edited.png');
  });

  part('begins in the title of the preview', async () => {
    const { workbench } = all;
    await workbench.editorTab('boat.png').first().click();
    await workbench.page
      .locator('.editor-actions:visible')
      .getByRole('button', { name: 'Edit Image with Limner…' })
      .click();
    await finishEdit('make it blue', 'boat-edited-2.png');
  });

  part('is compared with its original and takes its place from the titles of its editors', async () => {
    const { workbench, workspace } = all;
    const title = workbench.page.locator('.editor-actions:visible');
    const button = (name: string): Locator => title.getByRole('button', { name, exact: true });
    const [original, edited] = ['boat.png', 'boat-edited-2.png'].map((name) => join(workspace, name));
    assert.ok(original !== undefined && edited !== undefined);
    const before = await readFile(original);
    await workbench.editorTab('boat-edited-2.png').click();
    await button('Replace Original').waitFor();
    await button('Compare with Original').click();
    await workbench.editorTab('boat.png ↔ boat-edited-2.png').waitFor();
    await button('Compare with Original').waitFor({ state: 'detached' });
    await button('Replace Original').click();
    await workbench.notifications.dismiss('Replaced boat.png');
    assert.deepEqual(await readFile(original), await readFile(edited));
    // The comparison goes on with what was replaced, which is kept.
    const compared = workbench.page.locator('iframe.webview.ready:visible').first().contentFrame();
    const kept = createHash('sha256').update(before).digest('hex');
    await compared.frameLocator('#active-frame').locator(`img[src*="${kept}"]`).waitFor();
    await button('Restore Original').waitFor();
    // The editor of what was replaced offers that, too.
    await workbench.editorTab('boat.png').first().click();
    await button('Edit Image with Limner…').waitFor();
    await button('Restore Original').click();
    await workbench.notifications.dismiss('Restored boat.png');
    assert.deepEqual(await readFile(original), before);
    await button('Restore Original').waitFor({ state: 'detached' });
    await workbench.editorTab('boat-edited-2.png').first().click();
    await button('Replace Original').waitFor();
    // An image that is no edit has no such buttons.
    await workbench.editorTab('boat.png').first().click();
    await button('Replace Original').waitFor({ state: 'detached' });
  });

  part('asks before several images are edited one by one', async () => {
    const { limner, service, workbench, workspace } = all;
    await workbench.explorer.show();
    await workbench.explorer.row('boat-edited-2.png').waitFor();
    await workbench.explorer.select('boat.png', 'hero.png');
    await workbench.explorer.chooseFromMenu('hero.png', 'Edit Image with Limner…');
    await limner.answerEdit('make it gold');
    await workbench.pressInDialog('2 images · may be billed', 'Edit Each');
    await limner.show();
    await limner.whenProgress('make it gold', 10, 2);
    await service.advance(2 * taskDuration);
    await limner.tasks.description('make it gold').filter({ hasText: '1 image' }).nth(1).waitFor();
    await access(join(workspace, 'boat-edited-3.png'));
    await access(join(workspace, 'hero-edited-2.png'));
  });

  part('says once why all of them failed', async () => {
    const { limner, service, workbench } = all;
    await injectFault(service, { kind: 'status', on: 'edits', status: 400, times: 2 });
    await workbench.explorer.show();
    await workbench.explorer.select('boat.png', 'hero.png');
    await workbench.explorer.chooseFromMenu('hero.png', 'Edit Image with Limner…');
    await limner.answerEdit('make it glow');
    await workbench.pressInDialog('2 images · may be billed', 'Edit Each');
    await workbench.notifications.dismiss('"make it glow", 2 of 2 images: ');
    assert.equal(await limner.countMessages('make it glow', all.apiKey), 0);
  });

  part('says that a file is no image, with a button to choose another', async () => {
    const { workbench } = all;
    await workbench.explorer.show();
    await workbench.explorer.chooseFromMenu('words.png', 'Edit Image with Limner…');
    await workbench.notifications.dismiss(
      "The contents of words.png aren't a PNG, JPEG, or WebP image",
      async (message) => message.getByRole('button', { name: 'Choose Another Image…' }).waitFor(),
    );
  });

  part('warns of a very large image before it asks for anything', async () => {
    const { workbench } = all;
    await workbench.explorer.show();
    await workbench.explorer.chooseFromMenu('huge.png', 'Edit Image with Limner…');
    await workbench.pressInDialog('huge.png is very large: 12000 × 9000', 'Cancel');
  });

  part('goes on in the studio, without the size that the settings have for new images', async () => {
    const { workbench } = all;
    await workbench.explorer.show();
    await workbench.explorer.chooseFromMenu('hero.png', 'Edit Image with Limner…');
    await workbench.quickInput.fill('make it calm');
    await workbench.quickInput.press('Open in Studio');
    const studio = new StudioView(workbench);
    await studio.whenShown();
    const composer = new StudioComposer(studio);
    await composer.inputs.filter({ hasText: 'hero.png' }).waitFor();
    assert.equal(await composer.prompt.inputValue(), 'make it calm');
    assert.ok(await composer.size('Auto').isChecked());
  });
});
