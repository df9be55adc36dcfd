import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { StudioComposer } from '../../host/window/studioComposer.ts';
import { StudioView } from '../../host/window/studioView.ts';
import { projectFolder } from '../../support/folders.ts';
import { eventually } from '../../support/eventually.ts';
import { story } from '../../support/story.ts';
import { accessibilityProblems } from '../../host/window/axe.ts';
import {
  type DemoServiceSession,
  passTime,
  startDemoServiceSession,
  submissionsTo,
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';
import { pictures } from '../../ui/pictures.ts';

/** Color themes by what the names of their pictures end with; the last one stays. */
const themes = { '-dark': 'Dark Modern', '-high-contrast': 'Dark High Contrast', '': 'Light Modern' };

story('an image in exactly the size and format that is needed', (part) => {
  let all: DemoServiceSession;
  let studio: StudioView;
  let composer: StudioComposer;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    all = await startDemoServiceSession({ settings: { 'limner.embedPrompt': true } });
    await all.workbench.page.setViewportSize({ width: 1000, height: 700 });
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
    assert.equal(await composer.fit.inputValue(), 'crop');
    await composer.region.getByText('Requested as 1536 × 1024').waitFor();
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
    const fox = studio.main.getByRole('button', { name: 'Image of "A red fox"', exact: true });
    await passTime(all.service, 'the fox', async () => fox.isVisible());
    await fox.click();
    const details = studio.main.locator('.details');
    await details.getByText('Received: 1024 × 1024').waitFor();
    await details.getByText('300 × 200').waitFor();
    const file = await readFile(join(all.workspace, 'images/fox.webp'));
    const { format, width, height, hasAlpha } = await sharp(file).metadata();
    assert.deepEqual([format, width, height, hasAlpha], ['webp', 300, 200, true]);
    await all.workbench.screenshot(join(pictures, 'size.jpg'));
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
    await show.and(studio.frame.locator('[aria-pressed=false]')).waitFor();
    assert.equal(await shown().getAttribute('src'), file);
  });

  part('has a transparent background where that is asked for, and says how well it was removed', async () => {
    const transparent = composer.region.getByRole('checkbox', { name: 'Transparent Background' });
    await transparent.focus();
    await all.workbench.page.keyboard.press('Space');
    await composer.region.getByText('The subject is painted on one flat color').waitFor();
    assert.deepEqual(await accessibilityProblems(composer.region), []);
    await composer.region
      .getByRole('combobox', { name: 'Around the Subject' })
      .selectOption('Trim with a Margin of 10%');
    await composer.region.getByText('More Settings').click();
    await composer.region.getByRole('combobox', { name: 'Round Size Up' }).selectOption('Multiples of 16');
    await composer.prompt.fill('A black cat');
    await composer.region.getByLabel('File Name').fill('cat');
    await composer.button('Generate Image').click();
    const cat = studio.main.getByRole('button', { name: 'Image of "A black cat"', exact: true });
    await passTime(all.service, 'the cat', async () => cat.isVisible());
    await cat.click();
    await studio.main.locator('.details').getByText('The background is transparent.').waitFor();
    for (const [name, theme] of Object.entries(themes)) {
      await all.workbench.setColorTheme(theme);
      await studio.frame.locator(`body[data-vscode-theme-name="${theme}"]`).waitFor();
      await all.workbench.screenshot(join(pictures, `transparent${name}.jpg`));
    }
    const { data, info } = await sharp(join(all.workspace, 'images/cat.png'))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const alphas = data.filter((_, index) => index % 4 === 3);
    assert.deepEqual([alphas[0], alphas.at(-1)], [0, 0]);
    assert.deepEqual([info.width % 16, info.height % 16], [0, 0]);
    assert.notEqual(info.width, info.height, 'it is trimmed');
    assert.equal(alphas[Math.floor(info.height * 0.6) * info.width + Math.floor(info.width / 2)], 255);
  });

  part('is tried in the other way from there, for two images, which is said before', async () => {
    await studio.main.locator('.zoom-pane').click({ button: 'right' });
    await studio.main.getByRole('menuitem', { name: 'Try the Other Way…' }).click();
    await all.workbench.dialog('2 images · ').waitFor();
    await all.workbench.screenshot(join(pictures, 'other-way.jpg'));
    await all.workbench.pressInDialog('edit that to black', 'Try the Other Way');
    const file = join(all.workspace, 'images/cat-2.png');
    await passTime(all.service, 'the image of both', async () => existsSync(file));
    assert.ok(existsSync(join(all.workspace, 'images/cat-on-white.png')));
    const { channels } = await sharp(file).metadata();
    assert.equal(channels, 4);
    await studio.main.getByRole('button', { name: 'Image of "A black cat"', exact: true }).nth(2).waitFor();
  });

  part('is cut out of another file by edits, once it is said what they make', async () => {
    const { workbench, workspace, service } = all;
    // A part of the scene that it shows.
    const scene = { left: 460, top: 140, width: 400, height: 400 };
    await sharp(join(projectFolder, 'media/screenshots/generate.jpg'))
      .extract(scene)
      .toFile(join(workspace, 'busy.jpg'));
    await workbench.openFile('busy.jpg');
    await workbench.previewedImage.waitFor();
    await workbench.runCommand('Limner: Remove Background…');
    await workbench.dialog('smoke (2 images · may be billed').waitFor();
    await workbench.screenshot(join(pictures, 'remove-background.jpg'));
    await workbench.pressInDialog('busy.jpg was not changed.', 'Edit on White and Black');
    const file = join(workspace, 'busy-cutout.png');
    await passTime(service, 'the subject alone', async () => existsSync(file));
    const { data } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([data[3], data.at(-1)], [0, 0]);
    assert.ok(existsSync(join(workspace, 'busy-cutout-on-white.png')));
  });

  part('is trimmed to its subject with a margin, to a size or without one, at no cost', async () => {
    const { workbench, workspace, service } = all;
    const paid = await submissionsTo(service);
    const { quickInput } = workbench;
    await workbench.openFile('busy-cutout.png');
    await workbench.previewedImage.waitFor();
    await workbench.runCommand('Limner: Fit Image…');
    await quickInput.answer('Size in pixels', '200x100');
    await quickInput.option('Trim and Pad with Transparency…').waitFor();
    await workbench.screenshot(join(pictures, 'fit.jpg'));
    await quickInput.pick('Trim and Pad with Transparency…');
    await quickInput.answer('Margin around the subject', '10%');
    await workbench.notifications.dismiss('Saved busy-cutout-200x100.png.');
    const fitted = await subjectIn(join(workspace, 'busy-cutout-200x100.png'));
    assert.deepEqual([fitted.width, fitted.height, fitted.top, fitted.bottom], [200, 100, 10, 89]);

    await workbench.openFile('busy-cutout.png');
    await workbench.runCommand('Limner: Fit Image…');
    await quickInput.answer('Size in pixels', '');
    await quickInput.pick('Trim…');
    await quickInput.answer('Margin around the subject', '0px');
    await workbench.notifications.dismiss('Saved busy-cutout-2.png.');
    const trimmed = await subjectIn(join(workspace, 'busy-cutout-2.png'));
    assert.deepEqual([trimmed.top, trimmed.bottom], [0, trimmed.height - 1]);
    await workbench.openFile('busy-cutout-2.png');
    await workbench.previewedImage.waitFor();
    // Else the name of a tab that the pointer is on may cover a part.
    await workbench.page.mouse.move(700, 650);
    await workbench.page.locator('.workbench-hover').waitFor({ state: 'hidden' });
    await workbench.screenshot(join(pictures, 'trim.jpg'));
    assert.equal(await submissionsTo(service), paid);
  });

  part('is cropped to a part, padded with a color, and rounded up for textures', async () => {
    const { workbench, workspace } = all;
    const { quickInput } = workbench;
    const fit = async (size: string): Promise<void> => {
      await workbench.openFile('busy.jpg');
      await workbench.runCommand('Limner: Fit Image…');
      await quickInput.answer('Size in pixels', size);
    };
    const shown = async (name: string, left: number, top: number): Promise<[string, number[]]> => {
      await workbench.notifications.dismiss(`Saved ${name}.`);
      const picture = sharp(await readFile(join(workspace, name))).removeAlpha();
      const { info } = await picture.clone().toBuffer({ resolveWithObject: true });
      const { data } = await picture
        .extract({ left, top, width: 1, height: 1 })
        .raw()
        .toBuffer({ resolveWithObject: true });
      return [`${info.width}x${info.height}`, [...data]];
    };

    await fit('400x100');
    await quickInput.pick('Crop to a Part…');
    await quickInput.pick('Bottom');
    const [croppedSize, bottom] = await shown('busy-400x100.jpg', 200, 98);
    const { data: original } = await sharp(join(workspace, 'busy.jpg'))
      .extract({ left: 200, top: 398, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.equal(croppedSize, '400x100');
    assert.ok(isNear(bottom, [...original]), 'the bottom is kept');

    await fit('500x400');
    await quickInput.pick('Pad with a Color…');
    await quickInput.answer('Color around the image', '#ff8800');
    const [paddedSize, edge] = await shown('busy-500x400.jpg', 5, 200);
    assert.equal(paddedSize, '500x400');
    assert.ok(isNear(edge, [255, 136, 0]), 'the color is around it');

    await fit('');
    await quickInput.pick('Round Up to Powers of 2…');
    await quickInput.pick('Stretch');
    const [roundedSize] = await shown('busy-512x512.jpg', 0, 0);
    assert.equal(roundedSize, '512x512');
  });

  part('is converted to another format at no cost', async () => {
    const { workbench, workspace, service } = all;
    const paid = await submissionsTo(service);
    await workbench.openFile('busy-cutout.png');
    await workbench.previewedImage.waitFor();
    await workbench.runCommand('Limner: Convert Image…');
    await workbench.quickInput.option('WebP, Lossless').waitFor();
    await workbench.screenshot(join(pictures, 'convert.jpg'));
    await workbench.quickInput.pick('WebP, Lossless');
    await workbench.notifications.dismiss('Saved busy-cutout.webp.');
    const [before, after] = await Promise.all(
      ['busy-cutout.png', 'busy-cutout.webp'].map(async (name) =>
        sharp(join(workspace, name)).ensureAlpha().raw().toBuffer(),
      ),
    );
    assert.ok(before && after?.equals(before));
    assert.equal(await submissionsTo(service), paid);
  });

  part(
    'tells its prompt where the list has it, where only the file says it, and where nothing does',
    async () => {
      const { workbench, workspace } = all;
      const ask = async (name: string): Promise<void> => {
        await workbench.openFile(name);
        await workbench.previewedImage.waitFor();
        await workbench.runCommand('Limner: What Is This Image?');
      };
      const find = async (fact: string): Promise<void> => {
        await workbench.quickInput.fill(fact);
        await workbench.quickInput.option(fact).waitFor();
      };

      await ask('fox.webp');
      await find('A red fox');
      await find('Received size: 1024 × 1024');
      await workbench.page.keyboard.press('Escape');

      // A plain copy would be known by its contents.
      const found = Buffer.concat([await readFile(join(workspace, 'images/fox.webp')), Buffer.alloc(1)]);
      await writeFile(join(workspace, 'found.webp'), found);
      await ask('found.webp');
      await workbench.quickInput.option('A red fox').waitFor();
      await workbench.screenshot(join(pictures, 'prompt.jpg'));
      await find('Read from the file itself. Not verified.');
      await workbench.quickInput.fill('');
      await workbench.quickInput.pick('Generate with This Prompt…');
      await eventually(
        'the prompt of the new image',
        async () => workbench.quickInput.box.getByRole('textbox').inputValue(),
        (prompt) => prompt === 'A red fox',
      );
      await workbench.page.keyboard.press('Escape');

      await ask('busy.jpg');
      await find('Unknown: it is not in the task list, and the file has no prompt.');
      await workbench.page.keyboard.press('Escape');
    },
  );
});

/** Returns the size of a picture, and its first and last rows that are not wholly transparent. */
async function subjectIn(
  file: string,
): Promise<{ width: number; height: number; top: number; bottom: number }> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const isSeen = (y: number): boolean =>
    data.subarray(y * width * 4, (y + 1) * width * 4).some((value, at) => at % 4 === 3 && value > 0);
  const rows = Array.from({ length: height }, (_, y) => y).filter(isSeen);
  return { width, height, top: rows[0] ?? -1, bottom: rows.at(-1) ?? -1 };
}

/** Whether two colors differ by no more than lossy compression makes of one. */
function isNear(one: readonly number[], other: readonly number[]): boolean {
  return one.every((level, channel) => Math.abs(level - (other[channel] ?? 0)) < 12);
}
