import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { story } from '../../support/story.ts';
import { chooseFromMenu } from '../../host/window/contextMenu.ts';
import { projectFolder } from '../../support/folders.ts';
import { StudioComposer } from '../../host/window/studioComposer.ts';
import { StudioView } from '../../host/window/studioView.ts';
import {
  startDemoServiceSession,
  submissionsTo,
  taskDuration,
  type DemoServiceSession,
} from '../demoServiceSession.ts';
import { screenshotFailures } from '../failureScreenshot.ts';
import { fillStore } from '../filledStore.ts';
import { seededTask } from '../seededTask.ts';

const icon = join(projectFolder, 'media/icon.png');

story('the studio', (part) => {
  let all: DemoServiceSession;
  let studio: StudioView;
  let composer: StudioComposer;

  before(async () => {
    all = await startDemoServiceSession({
      prepare: async ({ userData, workspace, service }) => {
        const images = join(workspace, 'images');
        await mkdir(images);
        await copyFile(icon, join(images, 'an-old-boat.png'));
        await copyFile(icon, join(workspace, 'hero.png'));
        await writeFile(join(workspace, 'words.png'), 'these are only words');
        const task = seededTask(
          { service, workspace, images },
          'An old boat',
          {
            results: [
              {
                index: 0,
                state: 'saved',
                uri: `file://${join(images, 'an-old-boat.png')}`,
                width: 256,
                height: 256,
                mediaType: 'image/png',
              },
            ],
          },
          { size: '320x160', quality: 'high', n: 1 },
        );
        await fillStore(userData, [task]);
      },
    });
    studio = new StudioView(all.workbench);
    composer = new StudioComposer(studio);
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  /** A picture among the results, by what its tile says. */
  const picture = (name: string): Locator => studio.main.getByRole('button', { name, exact: true });

  /** Submits the draft and waits for the images. */
  async function make(button: string, first: string): Promise<void> {
    await composer.button(button).click();
    await studio.main.locator('[role=progressbar][aria-valuenow]').first().waitFor();
    await all.service.advance(2 * taskDuration);
    await picture(first).waitFor();
  }

  /** Returns a button of the image in the large view. */
  const large = (name: string): Locator => studio.main.getByRole('button', { name, exact: true });

  async function choose(name: string, action: string): Promise<void> {
    await picture(name).click({ button: 'right' });
    await studio.frame.getByRole('menuitem', { name: action, exact: true }).click();
  }

  /** The files of the images, without what Limner writes to try whether it can. */
  const images = async (): Promise<string[]> => {
    const names = await readdir(join(all.workspace, 'images'));
    return names.filter((name) => !name.startsWith('.')).toSorted();
  };
  /** Waits until these are the files: a picture is gone from sight just before its file is. */
  const whenOnly = async (files: string[]): Promise<string[]> =>
    eventually('the files of the images', images, (found) => isDeepStrictEqual(found, files));

  part('opens once, from the palette and from the title of the task list', async () => {
    const { workbench } = all;
    const asked = Date.now();
    await workbench.page.locator('.sidebar').getByRole('button', { name: 'Open Studio' }).click();
    await studio.whenShown();
    console.log(
      `First paint of the studio: ${Math.round((await studio.firstPaint()) - asked)} ms after the click`,
    );
    await studio.open();
    assert.equal(await studio.tab.count(), 1);
    const model = composer.region.getByRole('combobox', { name: 'Model' });
    const models = await model.locator('option').allInnerTexts();
    assert.deepEqual(models, [...new Set(models)]);
  });

  part('shows the pictures of a task itself: no editor opens, no message comes', async () => {
    const { workbench } = all;
    await composer.prompt.fill('A red fox');
    await composer.button('More').click();
    await composer.button('More').click();
    await make('Generate 3 Images', 'Image 3 of "A red fox"');
    assert.deepEqual(await images(), [
      'a-red-fox-2.png',
      'a-red-fox-3.png',
      'a-red-fox.png',
      'an-old-boat.png',
    ]);
    assert.equal(await all.limner.countMessages('A red fox', all.apiKey), 0);
    assert.equal(await workbench.editorTab('a-red-fox.png').count(), 0);
    await studio.tab.click();
  });

  part('keeps one of several pictures, and can undo it', async () => {
    const kept = ['a-red-fox-2.png', 'an-old-boat.png'];
    await choose('Image 2 of "A red fox"', 'Keep Only This');
    await picture('Image 3 of "A red fox"').waitFor({ state: 'detached' });
    await whenOnly(kept);
    await studio.main.getByRole('button', { name: 'Undo', exact: true }).click();
    await picture('Image 3 of "A red fox"').waitFor();
    // The button is gone, and the keys go on with the images.
    await studio.main.locator('.tile :focus').waitFor();
    assert.deepEqual(await images(), ['a-red-fox-2.png', 'a-red-fox-3.png', 'a-red-fox.png', kept[1]]);
    await choose('Image 3 of "A red fox"', 'Delete Image');
    await choose('Image 1 of "A red fox"', 'Delete Image');
    await picture('Image 1 of "A red fox"').waitFor({ state: 'detached' });
    await whenOnly(kept);
  });

  part('is as it was after it was hidden and after the window was reloaded', async () => {
    const { workbench } = all;
    await composer.prompt.fill('A fox that is not sent yet');
    await workbench.openFile('hero.png');
    await workbench.previewedImage.waitFor();
    await studio.tab.click();
    await assertKept();
    await composer.prompt.press('End');
    await composer.prompt.pressSequentially(', not at all');
    await composer.path.filter({ hasText: 'not-at-all' }).waitFor();
    // Makes the page anew without a word to Limner.
    await studio.main.evaluate((main) => main.setAttribute('data-old', ''));
    await workbench.runCommand('Developer: Reload Webviews');
    await studio.frame.locator('main.studio:not([data-old])').waitFor();
    await eventually(
      'the prompt in a new page',
      () => composer.prompt.inputValue(),
      (prompt) => prompt === 'A fox that is not sent yet, not at all',
    );
    await assertKept(', not at all');
    await workbench.reload();
    // The editor may have another tab in front: a tab has no page until it becomes active.
    await studio.tab.click();
    await assertKept(', not at all');
    await workbench.reload();
    await studio.open();
    await assertKept(', not at all');
    assert.equal(await studio.tab.count(), 1, 'The command filled the tab that was there.');
  });

  async function assertKept(more = ''): Promise<void> {
    await composer.prompt.waitFor();
    assert.equal(await composer.prompt.inputValue(), `A fox that is not sent yet${more}`);
    await picture('Image 2 of "A red fox"').waitFor();
  }

  part('begins on images of the explorer, and on one that is previewed', async () => {
    const { workbench } = all;
    await workbench.explorer.show();
    await workbench.explorer.chooseFromMenu('hero.png', 'Open in Limner Studio');
    await composer.inputs.filter({ hasText: 'hero.png' }).waitFor();
    assert.equal(await composer.prompt.inputValue(), '');
    const fileName = composer.region.getByLabel('File Name');
    await fileName.fill('of-hero');
    await composer.path.filter({ hasText: 'of-hero' }).waitFor();
    await workbench.openFile('an-old-boat.png');
    await chooseFromMenu(workbench.previewedImage, 'Open in Limner Studio');
    await composer.inputs.filter({ hasText: 'an-old-boat.png' }).waitFor();
    assert.equal(await composer.inputs.count(), 1);
    assert.equal(await fileName.inputValue(), '', 'the name was meant for the other image');
    assert.equal(await studio.tab.count(), 1);
    // What was composed while the studio was hidden comes back, and goes again.
    await studio.frame.locator('.undo-bar').getByRole('button', { name: 'Undo' }).click();
    await composer.inputs.filter({ hasText: 'hero.png' }).waitFor();
    await workbench.openFile('an-old-boat.png');
    await chooseFromMenu(workbench.previewedImage, 'Open in Limner Studio');
    await composer.inputs.filter({ hasText: 'an-old-boat.png' }).waitFor();
    await workbench.explorer.chooseFromMenu('hero.png', 'Open in Limner Studio');
    await composer.inputs.filter({ hasText: 'hero.png' }).waitFor();
  });

  part('says why a file cannot be an input', async () => {
    const { workbench } = all;
    await workbench.explorer.chooseFromMenu('words.png', 'Open in Limner Studio');
    await workbench.notifications.dismiss("The contents of words.png aren't a PNG, JPEG, or WebP image");
  });

  part('edits an image and puts the result in its place, once it can be undone', async () => {
    const { workspace } = all;
    const before = await hashOf(join(workspace, 'hero.png'));
    await composer.prompt.fill('make it night');
    await make('Edit Image', 'Image of "make it night"');
    const edited = await hashOf(join(workspace, 'hero-edited.png'));
    await choose('Image of "make it night"', 'Replace Original');
    const bar = studio.frame.locator('.undo-bar').filter({ hasText: 'Replaced hero.png' });
    await bar.waitFor();
    assert.equal(await hashOf(join(workspace, 'hero.png')), edited);
    await bar.getByRole('button', { name: 'Undo' }).click();
    await bar.waitFor({ state: 'detached' });
    assert.equal(await hashOf(join(workspace, 'hero.png')), before);
  });

  part('replaces an original and restores it from the image shown large, which keeps the keys', async () => {
    const focusedPane = studio.main.locator('.zoom-pane:focus');
    await picture('Image of "make it night"').click();
    await large('Replace Original').click();
    await large('Restore Original').waitFor();
    assert.equal(await large('Replace Original').count(), 0);
    await focusedPane.waitFor();
    await composer.inputs.filter({ hasText: 'Replaced by an edited image.' }).waitFor();
    await large('Restore Original').click();
    await large('Replace Original').waitFor();
    await focusedPane.waitFor();
    await studio.frame.locator('.undo-bar').filter({ hasText: 'Restored hero.png' }).waitFor();
    await large('Back to All Results').click();
  });

  part('finds an old task and restores all that it was composed of', async () => {
    await studio.main.getByRole('tab', { name: 'History' }).click();
    await studio.main.getByText('An old boat').dblclick();
    await large('Back to All Results').waitFor();
    assert.equal(await composer.prompt.inputValue(), 'An old boat');
    assert.equal(await composer.region.getByLabel('Quality').inputValue(), 'high');
    assert.equal(await composer.inputs.count(), 0);
  });

  part('fits a picture to the size that was asked for, into a new file', async () => {
    const { workbench, workspace } = all;
    await large('Fit to Requested Size').click();
    await workbench.notifications.dismiss('Saved an-old-boat-320x160.png. Scaled up. This adds no detail.');
    const fitted = await readFile(join(workspace, 'images/an-old-boat-320x160.png'));
    assert.deepEqual([fitted.readUInt32BE(16), fitted.readUInt32BE(20)], [320, 160]);
  });

  part('stars a picture, which stays when finished tasks are cleared', async () => {
    const { limner, workbench } = all;
    await large('Back to All Results').click();
    await choose('Image of "An old boat"', 'Star');
    await limner.show();
    await workbench.runCommand('Limner: Clear Finished');
    await workbench.pressInDialog('Clear the finished tasks of this workspace', 'Clear');
    await limner.tasks.row('make it night').waitFor({ state: 'detached' });
    await limner.tasks.row('An old boat').waitFor();
    // Its deleted images can be restored.
    await limner.tasks.row('A red fox').waitFor();
  });

  part(
    'runs a task again once, however long the key is held and however often the button is clicked',
    async () => {
      const { service, workbench } = all;
      await studio.open();
      const before = await submissionsTo(service);
      const runAgain = studio.main.getByRole('button', { name: 'Run Again' }).first();
      const done = async (count: number): Promise<void> => {
        await studio.main.locator('[role=progressbar][aria-valuenow]').first().waitFor();
        await service.advance(2 * taskDuration);
        await picture('Image of "An old boat"').nth(count).waitFor();
        assert.equal(await submissionsTo(service), before + count);
      };
      await runAgain.focus();
      for (let press = 0; press < 5; press++) {
        await workbench.page.keyboard.down('Enter');
      }
      await workbench.page.keyboard.up('Enter');
      await done(1);
      await runAgain.dblclick();
      await done(2);
    },
  );

  part('says what is missing with the button that mends it, and sends nothing', async () => {
    const sent = await submissionsTo(all.service);
    const { quickInput } = all.workbench;
    await all.workbench.runCommand('Limner: Remove API Key…');
    await quickInput.checkboxes.filter({ hasText: 'in use' }).click();
    await quickInput.box.getByRole('button', { name: 'OK' }).click();
    await all.workbench.notifications.dismiss('Removed the API key');
    await studio.tab.click();
    await composer.button('Generate Image').click();
    await composer.problem.filter({ hasText: 'No API key is set' }).waitFor();
    await composer.button('Set API Key…').click();
    await all.workbench.quickInput.box.waitFor();
    assert.equal(await submissionsTo(all.service), sent);
  });
});

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
