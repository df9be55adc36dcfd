import assert from 'node:assert/strict';
import { access, copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { story } from '../../support/story.ts';
import { drag } from '../../host/window/pointer.ts';
import { projectFolder } from '../../support/folders.ts';
import { StudioComposer } from '../../host/window/studioComposer.ts';
import { StudioView } from '../../host/window/studioView.ts';
import {
  startDemoServiceSession,
  submissionsTo,
  taskDuration,
  type DemoServiceSession,
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';
import { pixel } from '../../ui/seededTask.ts';
import { blankPng } from '../../ui/blankPng.ts';
import { assertAccessible } from '../../ui/studio/assertAccessible.ts';

const models = [
  { id: 'demo-painter', label: 'Painter', maxCount: 3, inputs: { max: 2 } },
  { id: 'demo-sketch-a', label: 'Sketcher', family: 'native', maxCount: 1 },
];

story('composing in the studio', (part) => {
  let all: DemoServiceSession;
  let studio: StudioView;
  let composer: StudioComposer;

  before(async () => {
    all = await startDemoServiceSession({ settings: { 'limner.models': models } });
    await writeFile(join(all.workspace, 'notes.txt'), 'A file where a folder could be.');
    await copyFile(join(projectFolder, 'media/icon.png'), join(all.workspace, 'hero.png'));
    await writeFile(join(all.workspace, 'words.png'), 'these are only words');
    const photo = await readFile(join(projectFolder, 'media/screenshots/generate.jpg'));
    await writeFile(join(all.workspace, 'cut.jpg'), photo.subarray(0, photo.length / 2));
    await writeFile(join(all.workspace, 'huge.png'), blankPng(12_000, 9000));
    studio = new StudioView(all.workbench);
    composer = new StudioComposer(studio);
    await studio.open();
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  /** Waits until as many tasks as this are done, and with them whatever was sent. */
  async function finish(prompt: string): Promise<void> {
    const { limner, service } = all;
    await limner.show();
    await limner.whenProgress(prompt, 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved(prompt);
  }

  part('shows the path of the result while the prompt is typed', async () => {
    const { keyboard } = all.workbench.page;
    await composer.prompt.and(studio.frame.locator(':focus')).waitFor();
    await keyboard.type('A lighthouse at dusk');
    await composer.path.filter({ hasText: 'images/a-lighthouse-at-dusk' }).waitFor();
    await composer.region.getByLabel('Folder').fill('art');
    await composer.region.getByLabel('File Name').fill('{model}-tower');
    await composer.path.filter({ hasText: 'art/demo-painter-tower' }).waitFor();
  });

  part('says that nothing can be saved there, and sends nothing', async () => {
    await composer.region.getByLabel('Folder').fill('notes.txt');
    await composer.region.getByText("notes.txt: it's a file").waitFor();
    await composer.button('Generate Image').click();
    await composer.problem.filter({ hasText: "notes.txt: it's a file" }).waitFor();
    assert.equal(await composer.prompt.inputValue(), 'A lighthouse at dusk');
    assert.equal(await submissionsTo(all.service), 0);
    await composer.region.getByLabel('Folder').fill('');
    await composer.region.getByLabel('File Name').fill('');
  });

  part('takes any size that can be one, and refuses others before anything is sent', async () => {
    await composer.size('Custom').check();
    const width = composer.region.getByLabel('Width in pixels');
    const height = composer.region.getByLabel('Height in pixels');
    await width.fill('wide');
    await height.fill('600');
    await composer.region.getByText('must be whole numbers').waitFor();
    await composer.prompt.press('ControlOrMeta+Enter');
    await composer.problem.filter({ hasText: 'must be whole numbers' }).waitFor();
    await width.fill('900');
    await composer.problem.filter({ hasText: 'must be whole numbers' }).waitFor({ state: 'detached' });
    await composer.button('Swap Width and Height').click();
    assert.deepEqual([await width.inputValue(), await height.inputValue()], ['600', '900']);
    assert.equal(await submissionsTo(all.service), 0);
  });

  part('sends no size to a model that the service applies none to, and says so', async () => {
    await composer.chooseModel('Sketcher');
    await composer.region.getByText('Limner creates it from the result').waitFor();
    await composer.fit.selectOption('Keep It');
    await composer.region.getByText("the service doesn't apply it to Sketcher").waitFor();
    await composer.region.getByLabel('Width in pixels').fill('640');
    assert.equal(await composer.fit.inputValue(), 'off', 'a fit that was chosen stays');
    assert.equal(await composer.region.getByLabel('Quality').isDisabled(), true);
    assert.equal(await composer.region.getByRole('spinbutton', { name: 'Images' }).isDisabled(), true);
    await composer.chooseModel('Painter');
    await composer.region.getByText("the service doesn't apply it").waitFor({ state: 'detached' });
  });

  part('says on its button how many images will be made, up to what the model gives', async () => {
    await composer.button('More').click();
    await composer.button('Generate 2 Images').waitFor();
    await composer.region.getByRole('spinbutton', { name: 'Images' }).fill('99');
    await composer.region.getByRole('spinbutton', { name: 'Images' }).press('Tab');
    await composer.button('Generate 3 Images').waitFor();
    await composer.region.getByRole('spinbutton', { name: 'Images' }).fill('1');
    await composer.region.getByRole('spinbutton', { name: 'Images' }).press('Tab');
    await composer.button('Generate Image').waitFor();
  });

  part('chooses a size by its shape with the arrow keys', async () => {
    await composer.size('Square').focus();
    await all.workbench.page.keyboard.press('Space');
    await all.workbench.page.keyboard.press('ArrowRight');
    assert.equal(await composer.size('Landscape 1536×1024').isChecked(), true);
  });

  part('sends once a press, however long the keys are held', async () => {
    const { keyboard } = all.workbench.page;
    await composer.prompt.focus();
    await keyboard.down('Control');
    for (const _ of [1, 2, 3]) {
      await keyboard.down('Enter');
    }
    await keyboard.up('Enter');
    await keyboard.up('Control');
    await finish('A lighthouse at dusk');
    assert.equal(await submissionsTo(all.service), 1);
  });

  part('sends once for a double click', async () => {
    await composer.prompt.fill('A fox in the snow');
    await composer.button('Generate Image').dblclick();
    await finish('A fox in the snow');
    assert.equal(await submissionsTo(all.service), 2);
  });

  part('finds earlier prompts again, with the keys and in a list', async () => {
    await composer.prompt.fill('Half a thought');
    await composer.prompt.press('Alt+ArrowUp');
    assert.equal(await composer.prompt.inputValue(), 'A fox in the snow');
    await composer.prompt.press('Alt+ArrowUp');
    assert.equal(await composer.prompt.inputValue(), 'A lighthouse at dusk');
    await composer.prompt.press('Alt+ArrowDown');
    await composer.prompt.press('Alt+ArrowDown');
    assert.equal(await composer.prompt.inputValue(), 'Half a thought');
    await composer.button('Earlier Prompts').click();
    await composer.region.getByRole('button', { name: 'A lighthouse at dusk' }).click();
    assert.equal(await composer.prompt.inputValue(), 'A lighthouse at dusk');
  });

  /** Drags a file of the explorer to the panel, with Shift held, and drops it there once the panel says what it will do. */
  async function dropFromExplorer(name: string): Promise<void> {
    const { page, explorer } = all.workbench;
    await explorer.show();
    await drag(
      page,
      explorer.row(name),
      { of: page.locator('iframe.webview.ready:visible') },
      {
        keys: ['Shift'],
        ready: studio.frame.getByText('Drop to add as an input image'),
      },
    );
  }

  async function inputNames(): Promise<string[]> {
    return composer.inputs.locator('.input-name').allTextContents();
  }

  part('takes an image from the explorer that is dropped with Shift held, and says so before', async () => {
    await composer.region.getByText('while holding Shift').waitFor();
    await dropFromExplorer('hero.png');
    await composer.inputs.filter({ hasText: 'hero.png' }).getByText('256 × 256').waitFor();
    await composer.button('Edit Image').waitFor();
    await composer.path.filter({ hasText: 'hero-edited' }).waitFor();
  });

  part('says at once when an image changes on disk or is gone, and takes it as it is now', async () => {
    const hero = join(all.workspace, 'hero.png');
    // Without its image in the end.
    const row = composer.region.getByRole('listitem').filter({ hasText: 'hero.png' });
    await writeFile(hero, blankPng(64, 32));
    await row.getByText('Changed on disk').waitFor();
    await row.getByRole('button', { name: 'Reload' }).click();
    await row.getByText('64 × 32').waitFor();
    await rm(hero);
    await row.getByText('Deleted').waitFor();
    assert.equal(await row.locator('img').count(), 0);
    await all.workbench.explorer.row('hero.png').waitFor({ state: 'detached' });
    await copyFile(join(projectFolder, 'media/icon.png'), hero);
    await row.getByRole('button', { name: 'Reload' }).click();
    await row.getByText('256 × 256').waitFor();
    // Until it is back, the rows below it move.
    await all.workbench.explorer.row('hero.png').waitFor();
  });

  part('refuses what is no image, with the reason', async () => {
    await dropFromExplorer('notes.txt');
    const problem = studio.frame.getByRole('alert');
    await problem
      .filter({ hasText: "notes.txt isn't an image Limner can use (PNG, JPEG, or WebP)" })
      .waitFor();
    await dropFromExplorer('words.png');
    await studio.frame
      .getByRole('alert')
      .filter({ hasText: "The contents of words.png aren't a PNG, JPEG, or WebP image" })
      .waitFor();
    await studio.frame.getByRole('button', { name: 'Dismiss' }).click();
    assert.deepEqual(await inputNames(), ['hero.png']);
  });

  part('refuses an image that is cut off, and says so', async () => {
    await dropFromExplorer('cut.jpg');
    await studio.frame.getByRole('alert').filter({ hasText: "cut.jpg is damaged: it's truncated" }).waitFor();
    await studio.frame.getByRole('button', { name: 'Dismiss' }).click();
    assert.deepEqual(await inputNames(), ['hero.png']);
  });

  part('takes an image that is pasted', async () => {
    const { page } = all.workbench;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(async (base64) => {
      const image = new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], {
        type: 'image/png',
      });
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })]);
    }, pixel.toString('base64'));
    await composer.prompt.focus();
    await page.keyboard.press('ControlOrMeta+V');
    await composer.inputs.nth(1).getByText('1 × 1').waitFor();
  });

  part('changes the order of the images with the keyboard and by dragging', async () => {
    const { page } = all.workbench;
    const [first = '', second = ''] = await inputNames();
    await composer.button(`Move ${second} Up`).focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await inputNames(), [second, first]);
    const place = composer.inputs.nth(0);
    await drag(
      page,
      composer.inputs.nth(1).locator('img'),
      { of: place, at: { x: 40, y: 5 } },
      {
        ready: place.and(studio.frame.locator('.drop-place')),
      },
    );
    await place.filter({ hasText: first }).waitFor();
    assert.deepEqual(await inputNames(), [first, second]);
  });

  part('says that the model takes fewer images, and sends nothing', async () => {
    const sent = await submissionsTo(all.service);
    await composer.chooseModel('Sketcher');
    await composer.region.getByText('Limner assumes that Sketcher takes 1 input image').waitFor();
    await composer.button('Edit Image').click();
    const problem = composer.problem.filter({ hasText: 'Sketcher takes 1 input image' });
    await problem.getByRole('button', { name: 'Change…' }).waitFor();
    assert.equal(await submissionsTo(all.service), sent);
    await composer.chooseModel('Painter');
  });

  part('warns of a very large image before anything is sent, and takes it out again', async () => {
    await composer.button(/^Remove (?!hero)/).click();
    await dropFromExplorer('huge.png');
    await composer.inputs.filter({ hasText: 'huge.png' }).getByText('Very large').waitFor();
    await composer.button('Remove huge.png').click();
    await composer.inputs.filter({ hasText: 'huge.png' }).waitFor({ state: 'detached' });
    assert.deepEqual(await inputNames(), ['hero.png']);
  });

  part('edits the image, beside it', async () => {
    await composer.prompt.fill('Make it night');
    await composer.prompt.press('ControlOrMeta+Enter');
    await finish('Make it night');
    await access(join(all.workspace, 'hero-edited.png'));
  });

  part('fits into a narrow column, with nothing cut off', async () => {
    const { workbench } = all;
    await workbench.page.setViewportSize({ width: 660, height: 800 });
    await studio.frame.getByRole('tab', { name: 'Mask' }).click();
    for (const stage of ['Mask', 'History', 'Results']) {
      await studio.frame.getByRole('tab', { name: stage }).press('Enter');
      assert.deepEqual(await studio.main.evaluate(cutOff), [], stage);
    }
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  part('is in sight when a scrolled column becomes a wide and short panel', async () => {
    const { workbench } = all;
    await workbench.page.setViewportSize({ width: 660, height: 500 });
    await eventually(
      'the column scrolled down',
      () =>
        studio.main.evaluate(() => {
          window.scrollTo(0, document.documentElement.scrollHeight);
          return window.scrollY;
        }),
      (y) => y > 0,
    );
    await workbench.page.setViewportSize({ width: 1280, height: 420 });
    await eventually(
      'the page scrolled back',
      () => studio.main.evaluate(() => window.scrollY),
      (y) => y === 0,
    );
    await composer.prompt.click();
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  part('has no problem of accessibility in the theme Light Modern', async () =>
    assertAccessible(all.workbench, studio, 'Light Modern', 'Make it night'),
  );
});

/** Returns what extends beyond the right side of the panel, or is wider than its container. */
function cutOff(panel: Element): string[] {
  const right = panel.getBoundingClientRect().right + 1;
  return [...panel.querySelectorAll('button, input, select, textarea, p')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > right)
    .map((element) => element.outerHTML.slice(0, 120));
}
