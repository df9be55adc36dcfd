import assert from 'node:assert/strict';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { leave } from '../../host/window/pointer.ts';
import { story } from '../../support/story.ts';
import { StudioComposer } from '../../host/window/studioComposer.ts';
import { StudioView } from '../../host/window/studioView.ts';
import { startDemoServiceSession, taskDuration, type DemoServiceSession } from '../demoServiceSession.ts';
import { screenshotFailures } from '../failureScreenshot.ts';
import { fillStore } from '../filledStore.ts';
import { pixel, savedResults, seededTask } from '../seededTask.ts';

const started = new Date(2026, 4, 20, 14, 5, 9).getTime();
const ended = started + 83_000;

/** The icon of a row that shows an image. */
const pictured = '.custom-view-tree-node-item-icon[style*="thumbnails"]';

story('the rows of the task list', (part) => {
  let all: DemoServiceSession;
  let images: string;

  before(async () => {
    all = await startDemoServiceSession({
      async prepare({ userData, workspace, service }) {
        images = join(workspace, 'images');
        await mkdir(images);
        await mkdir(join(workspace, 'assets'));
        await writeFile(join(workspace, 'page.md'), '# Page\n\n');
        for (const name of ['lighthouse.png', 'pier.png']) {
          await writeFile(join(images, name), pixel);
        }
        const place = { service, workspace, images };
        await fillStore(userData, [
          seededTask(
            place,
            '1. Fox\nin a *wild* fog',
            {
              createdAt: started,
              finishedAt: ended,
              results: savedResults(place, 'lighthouse.png', 'pier.png'),
              remark: 'I chose a <b>dark</b> sky.',
            },
            { size: '1536x1024', n: 2 },
          ),
          seededTask(place, 'A shell', {
            status: 'failed',
            createdAt: started,
            finishedAt: ended,
            error: { code: 'image_generation_failed', message: 'Too many shells.', billing: 'refunded' },
          }),
          seededTask(place, 'A well', {
            status: 'unknown',
            error: { code: 'outcome_unknown', message: 'It was cut off.', billing: 'maybe' },
          }),
        ]);
      },
    });
    await leave(all.workbench.page);
    await all.limner.tasks.rows.filter({ hasText: 'May 20' }).click();
    // The row of both images shows the first one; until that is read, the list may be drawn again under the pointer.
    await all.limner.tasks.row('1. Fox in a *wild* fog').locator(pictured).waitFor();
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  /** Returns the tooltip of a row, line by line. */
  async function tooltip(label: string, firstLine = label): Promise<string[]> {
    const { limner, workbench } = all;
    const hover = await limner.tasks.hover(label, firstLine);
    // The first space of a line is non-breaking; at all others it may wrap.
    const lines = (await hover.innerText())
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace('\u00a0', ' '));
    await leave(workbench.page);
    await hover.waitFor({ state: 'detached' });
    return lines;
  }

  part('tell under the pointer all that is known of a task', async () => {
    assert.deepEqual(await tooltip('1. Fox in a *wild* fog', '1. Fox'), [
      '1. Fox',
      'in a *wild* fog',
      'Model: demo-painter',
      `Service: ${new URL(all.service.baseUrl).host}`,
      'Status: completed',
      'Billed',
      'Requested size: 1536 × 1024',
      'Received size: 1 × 1',
      'Time: 1:23, May 20, 2026 14:05',
      'The service says: I chose a <b>dark</b> sky.',
    ]);
  });

  part('tell under the pointer why a task failed and what it cost', async () => {
    const failed = await tooltip('A shell');
    assert.equal(failed.at(-1), "The service couldn't create the image: Too many shells. Refunded.");
    const unknown = await tooltip('A well');
    assert.match(unknown.at(-1) ?? '', /It was cut off\. May have been billed\. .* is billed again\.$/);
  });

  part('say why a task failed when they are clicked', async () => {
    await all.limner.tasks.click('A shell');
    await all.workbench.notifications.dismiss("The service couldn't create the image: Too many shells.");
  });

  part('say their status once to a screen reader', async () => {
    const { tasks } = all.limner;
    assert.match(
      (await tasks.row('A shell').getAttribute('aria-label')) ?? '',
      /^A shell, failed, not created · \d\d:\d\d$/,
    );
    assert.match(
      (await tasks.row('1. Fox in a *wild* fog').getAttribute('aria-label')) ?? '',
      /^1\. Fox in a \*wild\* fog, completed, 2 images · \d\d:\d\d$/,
    );
  });

  part('show the picture of an image, also under the pointer', async () => {
    const { limner, workbench } = all;
    const { page } = workbench;
    await limner.tasks.toggle('1. Fox in a *wild* fog');
    const row = limner.tasks.row('pier.png');
    await row.filter({ hasText: '2 of 2 · 1 × 1' }).waitFor();
    const icon = row.locator(pictured);
    const width = await icon.evaluate(async (element) => {
      const image = new Image();
      image.src = getComputedStyle(element).backgroundImage.slice('url("'.length, -'")'.length);
      await image.decode();
      return image.naturalWidth;
    });
    assert.equal(width, 1);
    await row.locator('.label-name').hover();
    const picture = page.locator('.workbench-hover .markdown-hover img');
    await picture.waitFor();
    await page.waitForFunction(
      (image) => image instanceof HTMLImageElement && image.naturalWidth === 1,
      await picture.elementHandle(),
    );
    await leave(page);
    await picture.waitFor({ state: 'detached' });
  });

  part('take a key for the row with the focus ring, or for all that are selected with it', async () => {
    const { limner, workbench } = all;
    const { notifications, page, quickInput } = workbench;
    await limner.tasks.click('lighthouse.png');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    await quickInput.box.filter({ hasText: 'Rename Image' }).waitFor();
    assert.equal(await quickInput.input.inputValue(), 'pier.png');
    await page.keyboard.press('Escape');
    await quickInput.box.waitFor({ state: 'hidden' });
    await page.keyboard.press('Delete');
    const pier = limner.tasks.row('pier.png').locator(pictured);
    await notifications.press('Deleted pier.png', 'Undo', async () => {
      await access(join(images, 'lighthouse.png'));
      await pier.waitFor({ state: 'detached' });
    });
    await pier.waitFor();
    await limner.tasks.click('lighthouse.png');
    await page.keyboard.press('Shift+ArrowDown');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('Control+Alt+C');
    await page.waitForFunction(
      async (wanted) => (await navigator.clipboard.readText()) === wanted,
      [join(images, 'lighthouse.png'), join(images, 'pier.png')].join('\n'),
    );
    // A menu of several rows has fewer commands.
    await limner.tasks.click('pier.png');
  });

  part('begin an edit of an image', async () => {
    const { limner, service } = all;
    const { tasks } = limner;
    await tasks.chooseFromMenu('pier.png', 'Edit Image…');
    await limner.answerEdit('make it calm');
    await limner.whenProgress('make it calm', 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('make it calm');
    await access(join(images, 'pier-edited.png'));
    await tasks.whenSays('make it calm', /^pier\.png · 1 image · /);
    await tasks.row('make it calm').locator(pictured).waitFor();
    assert.equal((await tooltip('make it calm'))[1], 'Edited: pier.png');

    await tasks.chooseFromMenu('make it calm', 'Edit Image…');
    await limner.answerEdit('make it snow');
    await limner.whenProgress('make it snow', 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('make it snow');
    await access(join(images, 'pier-edited-edited.png'));
  });

  part('are run again with another prompt and the same input, although that was deleted', async () => {
    const { limner, service, workbench } = all;
    const { quickInput } = workbench;
    await limner.tasks.chooseFromMenu('make it calm', 'Delete Image');
    await workbench.notifications.dismiss('Deleted pier-edited.png');
    await limner.tasks.chooseFromMenu('make it snow', 'Run Again with Changes…');
    await quickInput.box.filter({ hasText: 'Describe the change' }).waitFor();
    assert.equal(await quickInput.input.inputValue(), 'make it snow');
    await limner.answerEdit('make it rain');
    await limner.whenProgress('make it rain', 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('make it rain');
    await access(join(images, 'pier-edited-edited-2.png'));
  });

  part('bring prompt and inputs to the studio, also to one that is open', async () => {
    const { limner, workbench } = all;
    const studio = new StudioView(workbench);
    const composer = new StudioComposer(studio);
    const holds = async (prompt: string): Promise<unknown> =>
      eventually(
        `the prompt "${prompt}"`,
        async () => composer.prompt.inputValue(),
        (value) => value === prompt,
      );
    await limner.tasks.chooseFromMenu('make it calm', 'Open in Studio');
    await holds('make it calm');
    await composer.inputs.filter({ hasText: 'pier.png' }).waitFor();
    await limner.tasks.chooseFromMenu('1. Fox in a *wild* fog', 'Open in Studio');
    await holds('1. Fox\nin a *wild* fog');
    await composer.inputs.filter({ hasText: 'pier.png' }).waitFor({ state: 'detached' });
  });
});
