import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { newTaskId } from '../../../src/engine/task/taskId.ts';
import { eventually } from '../../support/eventually.ts';
import { draw, moveTo } from '../../host/window/pointer.ts';
import { story } from '../../support/story.ts';
import { accessibilityProblems } from '../../host/window/axe.ts';
import { projectFolder } from '../../support/folders.ts';
import { StudioView } from '../../host/window/studioView.ts';
import {
  startDemoServiceSession,
  taskDuration,
  type DemoServiceSession,
} from '../../ui/demoServiceSession.ts';
import { aRequest, aTask } from '../../support/engine/taskBuilders.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';
import { fillStore } from '../../ui/filledStore.ts';
import { savedResults, seededTask } from '../../ui/seededTask.ts';

const fox = 'A red fox';
const night = 'Make it night';
const barn = 'A barn in the fog';
const shapes = 'Four shapes';

story('results in the studio', (part) => {
  let all: DemoServiceSession;
  let studio: StudioView;
  const button = (name: string | RegExp): Locator => studio.main.getByRole('button', { name, exact: true });
  /** The image in the large view. */
  const pane = (): Locator => studio.main.locator('.zoom-pane').first();
  const tile = (name: string): Locator =>
    studio.main
      .locator('.tile')
      .filter({ has: all.workbench.page.getByRole('button', { name, exact: true }) });
  const choose = (action: string): Promise<void> =>
    studio.main.getByRole('menuitem', { name: action, exact: true }).press('Enter');
  const press = (key: string): Promise<void> => all.workbench.page.keyboard.press(key);
  /** The image in the large view, once it has the focus. */
  const focusedPane = (): Promise<void> => studio.main.locator('.zoom-pane:focus').waitFor();
  /** A text in the panel, once it is there. */
  const said = (text: string | RegExp): Promise<void> => studio.main.getByText(text).first().waitFor();

  /** The files of the images, without what Limner writes to try whether it can. */
  const images = async (): Promise<string[]> => {
    const names = await readdir(join(all.workspace, 'images'));
    return names.filter((name) => !name.startsWith('.')).toSorted();
  };

  before(async () => {
    all = await startDemoServiceSession({
      // As large as the pane, so that there is something to zoom and to move.
      settings: { 'limner.historyLimit': 20_000, 'limner.size': '512x512' },
      async prepare({ userData, workspace, service }) {
        const images = join(workspace, 'images');
        await mkdir(images);
        await copyFile(join(projectFolder, 'media/icon.png'), join(images, 'barn.png'));
        const place = { service, workspace, images };
        const [saved] = savedResults(place, 'barn.png');
        const sizes: [number, number][] = [
          [1024, 1792],
          [1792, 1024],
          [64, 64],
          [20, 1000],
        ];
        for (const [width, height] of sizes) {
          const create = { width, height, channels: 3, background: 'teal' } as const;
          await sharp({ create })
            .png()
            .toFile(join(workspace, `${width}.png`));
        }
        const names = sizes.map(([width]) => `${width}.png`);
        const reasons = [{ flaw: 'cut' as const, text: 'It is cut off.' }];
        await fillStore(userData, [
          ...Array.from({ length: 10_000 }, (_, index) => {
            const createdAt = Date.now() - 86_400_000 + index;
            return aTask({
              id: newTaskId(createdAt),
              createdAt,
              finishedAt: createdAt,
              status: 'failed',
              request: aRequest({ prompt: `Sketch ${index}` }),
            });
          }),
          seededTask(
            place,
            barn,
            { results: saved ? [{ ...saved, width: 256, height: 256 }] : [] },
            { size: '64x32' },
          ),
          seededTask(
            place,
            shapes,
            {
              results: savedResults({ ...place, images: workspace }, ...names).map((result) =>
                Object.assign(result, {
                  ...(result.index === 2 && {
                    finished: {
                      got: { width: 64, height: 64 },
                      cutout: { verdict: 'doubtful' as const, reasons },
                    },
                  }),
                  width: sizes[result.index]?.[0] ?? 0,
                  height: sizes[result.index]?.[1] ?? 0,
                }),
              ),
            },
            { n: 4 },
          ),
        ]);
      },
    });
    studio = new StudioView(all.workbench);
    await studio.open();
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  part('are awaited before there are any', async () => {
    await said('No images yet');
  });

  part('come as they are made, below the progress of their task', async () => {
    const { service } = all;
    await studio.main.getByLabel('Prompt', { exact: true }).fill(fox);
    await button('More').click();
    await button('Generate 2 Images').click();
    const progress = studio.main.getByRole('progressbar', { name: fox });
    await progress.waitFor();
    assert.equal(await studio.main.getByRole('img', { name: 'Image in progress' }).count(), 2);
    await studio.main.locator('[role=progressbar][aria-valuenow]').waitFor();
    await service.advance(2 * taskDuration);
    await button(`Image 2 of "${fox}"`).waitFor();
    await progress.waitFor({ state: 'detached' });
    assert.equal(await studio.main.getByRole('img', { name: 'Image in progress' }).count(), 0);
  });

  part('are gone through and zoomed by keys', async () => {
    await button(`Image 1 of "${fox}"`).focus();
    await press('ArrowRight');
    await press('Enter');
    await said('2 of 2');
    await press('PageUp');
    await said('1 of 2');
    await press('1');
    await said('100%');
    const before = await layerOf(pane());
    await press('ArrowDown');
    await press('+');
    await said('125%');
    const after = await layerOf(pane());
    assert.ok(after.width > before.width && after.y < before.y);
    await press('0');
    await press('ArrowRight');
    await said('2 of 2');
  });

  part('are zoomed by the wheel and moved by the pointer', async () => {
    const { page } = all.workbench;
    const { mouse } = page;
    const fitting = await layerOf(pane());
    await moveTo(page, { of: pane() });
    await mouse.wheel(0, -100);
    await mouse.wheel(0, -100);
    await mouse.wheel(0, -100);
    const zoomed = await eventually(
      'an image that is zoomed three times',
      async () => layerOf(pane()),
      ({ width }) => width > 2 * fitting.width,
    );
    await draw(page, { of: pane(), at: { x: 100, y: 100 } }, { of: pane(), at: { x: 140, y: 130 } });
    assert.equal((await layerOf(pane())).y, zoomed.y + 30);
    await pane().focus();
    await press('0');
  });

  part('are compared by a divider', async () => {
    await button('Compare').click();
    const divider = studio.main.getByRole('slider', { name: 'Divider' });
    const valued = (value: number): Promise<void> =>
      divider.and(studio.main.locator(`[aria-valuenow="${value}"]`)).waitFor();
    await divider.focus();
    await press('Home');
    await press('ArrowRight');
    await press('Shift+ArrowRight');
    await valued(12);
    await draw(all.workbench.page, { of: divider }, { of: pane(), part: { x: 0.75, y: 0.6 } });
    await valued(75);
    const clipped = await studio.main
      .locator('.slider-after')
      .evaluate((element) => getComputedStyle(element).clipPath);
    assert.match(clipped, /75(?:\.\d+)?%\)$/);
  });

  part('are compared side by side, with one zoom for both', async () => {
    await button('Side by Side').press('Enter');
    await pane().focus();
    await press('1');
    await press('ArrowRight');
    await said('100%');
    const [first, second] = await studio.main
      .locator('.zoom-pane .layer')
      .evaluateAll((layers) => layers.map((layer) => getComputedStyle(layer).transform));
    assert.ok(first);
    assert.equal(first, second);
    await press('0');
  });

  part('are compared pixel by pixel, with the difference told in words', async () => {
    await button('Difference').press('Enter');
    await studio.main
      .getByRole('status')
      .filter({ hasText: /^Changed: \d/ })
      .waitFor();
    assert.deepEqual(await accessibilityProblems(studio.main), []);
  });

  part('are compared in one place, back and forth', async () => {
    await button('Flicker').press('Enter');
    await studio.main.getByRole('application', { name: 'Result 1 of 2' }).focus();
    await press('Space');
    await studio.main.getByRole('application', { name: 'Result 2 of 2' }).waitFor();
    await button('Show Other Image').press('Enter');
    await studio.main.getByRole('application', { name: 'Result 1 of 2' }).waitFor();
  });

  part('are as they were left once the tab is seen again', async () => {
    const { workbench, workspace } = all;
    await writeFile(join(workspace, 'page.md'), 'Here an image is wanted.');
    await workbench.openFile('page.md');
    await studio.main.waitFor({ state: 'detached' });
    await studio.open();
    await button('Show Other Image').waitFor();
    // This editor is set to less motion.
    assert.equal(await button('Switch Automatically').count(), 0);
    await said('2 of 2');
    await button('Compare').press('Enter');
    await button('Show Other Image').waitFor({ state: 'detached' });
    await button('Back to All Results').press('Enter');
    await button(`Image 2 of "${fox}"`).waitFor();
  });

  part('are starred, from their buttons and from their menu', async () => {
    const [first, second] = [tile(`Image 1 of "${fox}"`), tile(`Image 2 of "${fox}"`)];
    await first.getByRole('button', { name: 'Star' }).press('Enter');
    await first.getByRole('button', { name: 'Remove Star' }).press('Enter');
    await first.getByRole('button', { name: 'Star', exact: true }).waitFor();
    await button(`Image 2 of "${fox}"`).click({ button: 'right' });
    await choose('Star');
    await second.getByRole('button', { name: 'Remove Star' }).waitFor();
    await button(`Image 2 of "${fox}"`).focus();
    await press('p');
    await second.getByRole('button', { name: 'Star', exact: true }).waitFor();
    await press('p');
    await second.getByRole('button', { name: 'Remove Star' }).waitFor();
  });

  part(
    'are selected to act on all of them at once, by keys or by clicks, which is undone at once',
    async () => {
      const before = await images();
      const selected = studio.main.getByRole('gridcell', { selected: true });
      await button(`Image 1 of "${fox}"`).focus();
      await press('Space');
      await press('Shift+ArrowRight');
      await selected.nth(1).waitFor();
      assert.deepEqual(await accessibilityProblems(studio.main), []);
      await press('x');
      await button('Restore 2 Deleted Images').waitFor();
      await said('2 images were deleted.');
      await eventually('the deleted files', images, ({ length }) => length === before.length - 2);
      await press('Control+z');
      await selected.nth(1).waitFor();
      assert.deepEqual(await images(), before);
      await button(`Image 1 of "${fox}"`).focus();
      await press('Escape');
      await selected.first().waitFor({ state: 'detached' });
      await button(`Image 1 of "${fox}"`).click({ modifiers: ['Control'] });
      await button(`Image 2 of "${fox}"`).click({ modifiers: ['Control'] });
      await button(`Image 2 of "${fox}"`).click({ button: 'right' });
      await choose('Star 2 Images');
      const first = tile(`Image 1 of "${fox}"`);
      await first.getByRole('button', { name: 'Remove Star' }).waitFor();
      await press('Control+z');
      await first.getByRole('button', { name: 'Star', exact: true }).waitFor();
      await press('Escape');
      await selected.first().waitFor({ state: 'detached' });
      await press('ControlOrMeta+a');
      await selected.nth(1).waitFor();
      await press('Escape');
      await selected.first().waitFor({ state: 'detached' });
    },
  );

  part('give the focus back when their menu is left by key', async () => {
    const picture = button(`Image 2 of "${fox}"`);
    await picture.focus();
    await press('Shift+F10');
    await studio.main.getByRole('menuitem', { name: 'Copy Prompt' }).waitFor();
    await studio.main.getByRole('menuitem', { name: 'Delete Image' }).filter({ hasText: /X$/ }).waitFor();
    assert.deepEqual(await accessibilityProblems(studio.main), []);
    await press('Escape');
    await studio.main.getByRole('menu').waitFor({ state: 'detached' });
    assert.ok(await picture.evaluate((element) => element === document.activeElement));
  });

  part('become inputs, and what comes of them is compared with the original', async () => {
    const { service } = all;
    await button(`Image 2 of "${fox}"`).click({ button: 'right' });
    await choose('Use as Input');
    await studio.main.getByLabel('Prompt', { exact: true }).fill(night);
    await button('Edit Image · 2 Images').click();
    await studio.main.locator('[role=progressbar][aria-valuenow]').waitFor();
    await service.advance(2 * taskDuration);
    await button(`Image 1 of "${night}"`).press('Enter');
    await button('Compare').press('Enter');
    assert.equal(await studio.main.getByRole('combobox', { name: 'With' }).inputValue(), '');
    await studio.main.getByRole('img', { name: 'Original · 512 × 512' }).waitFor();
    await pane().focus();
    await press('Escape');
    await studio.main.getByRole('combobox', { name: 'With' }).waitFor({ state: 'detached' });
    await focusedPane();
  });

  part('are copied as images', async () => {
    await all.workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await pane().focus();
    await press('Shift+F10');
    await studio.main.getByRole('menuitem', { name: 'Copy Image' }).waitFor();
    await press('Escape');
    await focusedPane();
    await pane().click({ button: 'right' });
    await choose('Copy Image');
    // The panel writes a moment after the key.
    const width = await eventually(
      'the width of an image in the clipboard',
      () => copiedWidth(studio.main),
      (seen) => seen > 0,
    );
    assert.equal(width, 512);
  });

  part('are kept alone', async () => {
    await button('Keep Only This').click();
    await said('1 of 3');
    await focusedPane();
    // A picture is gone from sight just before its file is.
    const left = ['a-red-fox-2-edited.png', 'a-red-fox-2.png', 'a-red-fox.png', 'barn.png'];
    await eventually('the files of the images', images, (found) => isDeepStrictEqual(found, left));
  });

  part('give way to the next when they are deleted', async () => {
    await pane().focus();
    await press('ArrowRight');
    await studio.main.getByRole('application', { name: `Image 1 of "${fox}"` }).waitFor();
    await press('Delete');
    await studio.main.getByRole('application', { name: `Image 2 of "${fox}"` }).waitFor();
    await said('2 of 2');
    await focusedPane();
    await press('PageUp');
    await said('1 of 2');
    await press('PageDown');
    await said('2 of 2');
  });

  part('are varied once by a double click: as many as the button says, after a question', async () => {
    await button('Variations (4)…').dblclick();
    await all.workbench.pressInDialog(`Generate 4 variations of "${fox}"?`, 'Generate 4 Images');
    await studio.main.getByRole('progressbar', { name: fox }).waitFor();
    assert.equal(await studio.main.getByRole('img', { name: 'Image in progress' }).count(), 4);
    assert.deepEqual(await accessibilityProblems(studio.main), []);
  });

  part('are found again among ten thousand tasks, of which few are drawn', async () => {
    await studio.main.getByRole('tab', { name: 'History' }).click();
    await said('10,005 tasks');
    const list = studio.main.getByRole('listbox', { name: 'Tasks' });
    await list.focus();
    await press('End');
    const last = studio.main.locator('[aria-posinset="10005"]');
    await last.filter({ hasText: 'Sketch 0' }).waitFor();
    assert.equal(await last.getAttribute('aria-setsize'), '10005');
    assert.equal(await list.getAttribute('aria-activedescendant'), await last.getAttribute('id'));
    assert.ok((await list.getByRole('option').count()) < 60);
    assert.deepEqual(await accessibilityProblems(studio.main), []);
    await studio.main.getByRole('searchbox').fill('sketch 777');
    await said('11 tasks');
    await studio.main.getByRole('searchbox').fill('');
    await button('Only Edits').click();
    await said(/^1 task$/);
    await studio.main.getByRole('option', { name: night }).waitFor();
    await button('Only Edits').click();
    await studio.main.getByRole('combobox', { name: 'Status' }).selectOption('Completed');
    await said('4 tasks');
    await studio.main.getByRole('combobox', { name: 'Status' }).selectOption('Running');
    await said(/^1 task$/);
    await studio.main.getByRole('combobox', { name: 'Status' }).selectOption('Any Status');
    await button('Only Starred').click();
    await said(/^1 task$/);
    await studio.main.getByRole('option', { name: fox }).waitFor();
    await studio.main.getByRole('searchbox').fill('sketch');
    await said('No tasks match');
    await button('Show All').click();
    await said('10,005 tasks');
  });

  part('come back with all that they were composed of', async () => {
    await studio.main.getByRole('searchbox').fill(barn);
    await said(/^1 task$/);
    await studio.main.getByRole('option', { name: barn }).click();
    await press('Enter');
    await said('1 of 1');
    await focusedPane();
    assert.equal(await studio.main.getByLabel('Prompt', { exact: true }).inputValue(), barn);
    await said('Requested: 64 × 32');
  });

  part('are fitted to the size that was asked for', async () => {
    const { workbench, workspace } = all;
    await button('Fit to Requested Size').click();
    await workbench.notifications.dismiss('Saved barn-64x32.png');
    const png = await readFile(join(workspace, 'images/barn-64x32.png'));
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [64, 32]);
  });

  part('are shown whole in any shape, and with a warning where the check of a cutout failed', async () => {
    await studio.main.getByRole('tab', { name: 'History' }).click();
    await studio.main.getByRole('searchbox', { name: 'Search Prompts' }).fill(shapes);
    await studio.main.getByRole('option').filter({ hasText: 'Needs a look: 1 of 4' }).dblclick();
    await button('Back to All Results').click();
    await button(`Image 4 of "${shapes}"`).waitFor();
    const shown = await studio.main.locator('.tile').evaluateAll(async (tiles) =>
      Promise.all(
        tiles.map(async (tile) => {
          const image = tile.querySelector('img') ?? new Image();
          await image.decode();
          const [outer, inner] = [tile.getBoundingClientRect(), image.getBoundingClientRect()];
          const isInside = inner.width <= outer.width && inner.height <= outer.height;
          const isTouching = Math.max(inner.width / outer.width, inner.height / outer.height) > 0.99;
          const ratio = inner.width / inner.height / (image.naturalWidth / image.naturalHeight);
          return isInside && isTouching && Math.abs(ratio - 1) < 0.02;
        }),
      ),
    );
    assert.deepEqual(shown, [true, true, true, true]);
    await said('Needs a look: 1 of 4');
    assert.match((await button(`Image 3 of "${shapes}"`).getAttribute('title')) ?? '', /^It is cut off\./u);
    // The second click of a double click does not zoom the image that the first one opened.
    const size = studio.main.locator('.large-number.zoom');
    await button(`Image 1 of "${shapes}"`).dblclick();
    await size.filter({ hasNotText: '100%' }).waitFor();
    await focusedPane();
    assert.notEqual(await size.textContent(), '100%');
  });
});

/** Where the picture in a pane lies on the screen. */
async function layerOf(pane: Locator): Promise<{ width: number; y: number }> {
  const box = await pane.locator('.layer').first().boundingBox();
  assert.ok(box);
  return box;
}

/** How wide the image in the clipboard is, in pixels, or 0 if there is none. */
function copiedWidth(main: Locator): Promise<number> {
  return main.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const image = item?.types.includes('image/png') ? await item.getType('image/png') : undefined;
    return image ? (await createImageBitmap(image)).width : 0;
  });
}
