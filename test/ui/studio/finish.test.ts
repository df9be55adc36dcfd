import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { StudioComposer } from '../../host/window/studioComposer.ts';
import { StudioView } from '../../host/window/studioView.ts';
import { story } from '../../support/story.ts';
import { accessibilityProblems } from '../../host/window/axe.ts';
import { type DemoServiceSession, startDemoServiceSession, taskDuration } from '../demoServiceSession.ts';
import { screenshotFailures } from '../failureScreenshot.ts';

story('an image in exactly the size and format that is needed', (part) => {
  let all: DemoServiceSession;
  let studio: StudioView;
  let composer: StudioComposer;

  before(async () => {
    all = await startDemoServiceSession();
    studio = new StudioView(all.workbench);
    composer = new StudioComposer(studio);
    await studio.open();
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const bar = (): Locator => studio.main.getByRole('toolbar', { name: 'Image', exact: true });
  const shown = (): Locator => studio.main.locator('.zoom-pane img');

  part('is asked for by keyboard: the size, what becomes of another one, and the part to keep', async () => {
    await composer.prompt.fill('A red fox');
    await composer.size('Custom').check();
    await composer.region.getByLabel('Width in pixels').fill('300');
    await composer.region.getByLabel('Height in pixels').fill('200');
    await composer.fit.selectOption('Pad');
    await composer.region.getByRole('combobox', { name: 'Fill With' }).selectOption('Transparency');
    await composer.fit.selectOption('Crop');
    const middle = composer.region.getByRole('radio', { name: 'middle, center' });
    await middle.focus();
    await all.workbench.page.keyboard.press('ArrowUp');
    await composer.fit.selectOption('Pad');
    await composer.region.getByLabel('File Name').fill('fox.webp');
    assert.deepEqual(await accessibilityProblems(composer.region), []);
  });

  part('is a file of that size and format, and tells the size that came', async () => {
    await composer.chooseModel('demo-sketch-a');
    await composer.button('Generate Image').click();
    await studio.main.locator('[role=progressbar]').first().waitFor();
    await all.service.advance(2 * taskDuration);
    await studio.main.getByRole('button', { name: 'Image of "A red fox"', exact: true }).click();
    const details = studio.main.locator('.details');
    await details.getByText('Received: 1024 × 1024').waitFor();
    await details.getByText('300 × 200').waitFor();
    const file = await readFile(join(all.workspace, 'images/fox.webp'));
    const { format, width, height, hasAlpha } = await sharp(file).metadata();
    assert.deepEqual([format, width, height, hasAlpha], ['webp', 300, 200, true]);
  });

  part('shows what the service sent at the press of a button, and the file again at the next', async () => {
    const show = bar().getByRole('button', { name: 'Show Image as Received' });
    const file = await shown().getAttribute('src');
    await show.click();
    await show.and(studio.frame.locator('[aria-pressed=true]')).waitFor();
    assert.notEqual(await shown().getAttribute('src'), file);
    assert.equal(
      await shown().evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
      1024,
    );
    await show.click();
    assert.equal(await shown().getAttribute('src'), file);
  });
});
