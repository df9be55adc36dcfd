import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { draw, type Place } from '../../host/window/pointer.ts';
import { StudioComposer } from '../../host/window/studioComposer.ts';
import { StudioView } from '../../host/window/studioView.ts';
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

story('transparency that is repaired in the studio', (part) => {
  let all: DemoServiceSession;
  let studio: StudioView;
  let original: Buffer;
  let sent: number;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    all = await startDemoServiceSession();
    await all.workbench.page.setViewportSize({ width: 1000, height: 700 });
    studio = new StudioView(all.workbench);
    const composer = new StudioComposer(studio);
    await studio.open();
    await composer.prompt.fill('A black cat');
    await composer.region.getByRole('checkbox', { name: 'Transparent Background' }).check();
    await composer.region.getByLabel('File Name').fill('cat');
    await composer.button('Generate Image').click();
    const cat = studio.main.getByRole('button', { name: 'Image of "A black cat"', exact: true });
    await passTime(all.service, 'the cat', async () => cat.isVisible());
    original = await read();
    sent = await submissionsTo(all.service);
    await cat.click();
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const file = (name = 'cat.png'): string => join(all.workspace, 'images', name);
  const read = async (name?: string): Promise<Buffer> => readFile(file(name));
  const button = (name: string): Locator => studio.main.getByRole('button', { name, exact: true });
  const surface = (): Locator => studio.main.getByRole('application', { name: 'Repair of cat.png' });
  const at = (x: number, y: number): Place => ({ of: surface().locator('canvas'), part: { x, y } });
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await all.workbench.page.keyboard.press(key);
    }
  };
  /** Waits until the canvas shows a pixel of this opacity. */
  const whenSeen = async (x: number, y: number, isIt: (alpha: number) => boolean): Promise<void> => {
    const alpha = async (): Promise<number> =>
      surface()
        .locator('canvas')
        .evaluate(
          (canvas, [x, y]) => {
            if (!(canvas instanceof HTMLCanvasElement)) {
              throw new Error('The canvas is gone.');
            }
            const pixel = canvas.getContext('2d')?.getImageData(canvas.width * x, canvas.height * y, 1, 1);
            return pixel?.data[3] ?? -1;
          },
          [x, y] as const,
        );
    await eventually(`opacity at ${x}, ${y}`, alpha, isIt);
  };

  part('begins at the large image, and removes what the brush paints', async () => {
    await studio.main.locator('.zoom-pane').click({ button: 'right' });
    await studio.main.getByRole('menuitem', { name: 'Repair Transparency…' }).click();
    await surface().waitFor();
    await studio.main.getByRole('tab', { name: 'Repair', selected: true }).waitFor();
    await whenSeen(0.5, 0.6, (alpha) => alpha === 255);
    await surface().and(studio.frame.locator(':focus')).waitFor();
    await press('e');
    await draw(all.workbench.page, at(0.45, 0.6), at(0.55, 0.6));
    // What was removed shows faintly.
    await whenSeen(0.5, 0.6, (alpha) => alpha > 30 && alpha < 100);
    await press('g');
    await whenSeen(0.5, 0.6, (alpha) => alpha === 0);
    await press('g');
  });

  part('brings back what was cut out, undoes it and does it again with the keys of the mask', async () => {
    await press('r');
    await draw(all.workbench.page, at(0.01, 0.01), at(0.1, 0.1));
    await whenSeen(0.05, 0.05, (alpha) => alpha === 255);
    await press('ControlOrMeta+z');
    await whenSeen(0.05, 0.05, (alpha) => alpha < 100);
    await press('ControlOrMeta+Shift+z');
    await whenSeen(0.05, 0.05, (alpha) => alpha === 255);
  });

  part('is readable in every theme, at 400 pixels, and on any backdrop', async () => {
    for (const [name, theme] of Object.entries(themes)) {
      await all.workbench.setColorTheme(theme);
      const body = studio.frame.locator(`body[data-vscode-theme-name="${theme}"]`);
      await body.waitFor();
      assert.deepEqual(await accessibilityProblems(body), [], theme);
      await all.workbench.screenshot(join(pictures, `repair${name}.jpg`));
    }
    await button('Backdrop: Checkerboard').click();
    await studio.main.getByRole('menuitem', { name: 'Black' }).click();
    await button('Backdrop: Black').focus();
    await press('Enter', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    await studio.main.getByRole('menuitem', { name: 'Other Color…' }).waitFor();
    assert.deepEqual(await accessibilityProblems(studio.main), []);
    await press('Escape');
    await studio.main.getByLabel('Color of the Backdrop').fill('#ff8800');
    await button('Backdrop: #ff8800').waitFor();
    await all.workbench.screenshot(join(pictures, 'repair-backdrop.jpg'));
    await all.workbench.page.setViewportSize({ width: 400, height: 700 });
    await surface().scrollIntoViewIfNeeded();
    assert.deepEqual(await accessibilityProblems(studio.main), []);
    await all.workbench.screenshot(join(pictures, 'repair-narrow.jpg'));
    await all.workbench.page.setViewportSize({ width: 1000, height: 700 });
  });

  part('is kept while another tab is shown', async () => {
    await all.workbench.runCommand('File: New Untitled Text File');
    await studio.open();
    await surface().waitFor();
    await whenSeen(0.05, 0.05, (alpha) => alpha === 255);
    await whenSeen(0.5, 0.6, (alpha) => alpha < 100);
  });

  part('takes the place of the file at no cost, which can be undone', async () => {
    await button('Save').click();
    const undo = studio.main.locator('.undo-bar').getByRole('button', { name: 'Undo', exact: true });
    await undo.waitFor();
    const repaired = await read();
    assert.deepEqual((await pixelAt(repaired, 0.5, 0.6))[3], 0);
    assert.equal((await pixelAt(original, 0.05, 0.05))[3], 0);
    assert.equal((await pixelAt(repaired, 0.05, 0.05))[3], 255);
    assert.deepEqual(await pixelAt(repaired, 0.4, 0.75), await pixelAt(original, 0.4, 0.75));
    const shown = studio.main.locator('.zoom-pane img');
    const url = await shown.getAttribute('src');
    await button('Show Image as Received').click();
    assert.notEqual(await shown.getAttribute('src'), url);
    await undo.click();
    await eventually('the file as before', read, (bytes) => bytes.equals(original));
    assert.equal(await submissionsTo(all.service), sent);
  });

  part('is done with the keyboard alone, from the tab of the image, into a new file', async () => {
    await all.workbench.openFile('cat.png');
    await all.workbench.runCommand('Limner: Repair Transparency…');
    await surface().and(studio.frame.locator(':focus')).waitFor();
    await press('0', 'f');
    await whenSeen(0.05, 0.05, (alpha) => alpha === 255);
    await press(',', 'ControlOrMeta+z', 'Delete');
    await whenSeen(0.5, 0.6, (alpha) => alpha < 100);
    await press('e', 'b', 'Enter', 'ArrowRight', 'ArrowRight', 'Enter');
    await whenSeen(0.5, 0.5, (alpha) => alpha === 255);
    await button('Save as New File').focus();
    await press('Enter');
    await eventually(
      'the new file',
      async () => read('cat-repaired.png').catch(() => undefined),
      (bytes) => bytes !== undefined,
    );
    assert.deepEqual(await read(), original);
  });
});

/** Returns the pixel of a file at a place, in shares of its sides. */
async function pixelAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = 4 * (Math.floor(y * info.height) * info.width + Math.floor(x * info.width));
  return [...data.subarray(at, at + 4)];
}
