import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { StudioView } from '../../host/studioView.ts';
import { startDemoServiceSession, taskDuration } from '../demoServiceSession.ts';
import type { DemoServiceSession } from '../demoServiceSession.ts';
import { screenshotFailures } from '../failureScreenshot.ts';

const fox = 'A red fox';

void describe('results in the studio', () => {
  let all: DemoServiceSession;
  let studio: StudioView;
  const button = (name: string | RegExp): Locator => studio.main.getByRole('button', { name, exact: true });
  /** The picture that is shown large. */
  const pane = (): Locator => studio.main.locator('.zoom-pane').first();
  const press = (key: string): Promise<void> => all.workbench.page.keyboard.press(key);
  /** A text in the panel, once it is there. */
  const said = (text: string | RegExp): Promise<void> => studio.main.getByText(text).first().waitFor();

  before(async () => {
    all = await startDemoServiceSession();
    studio = new StudioView(all.workbench);
    await studio.open();
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  void it('are awaited before there are any', async () => {
    await said('No images yet');
  });

  void it('come as they are made, below the progress of their task', async () => {
    const { service } = all;
    await studio.main.getByLabel('Prompt', { exact: true }).fill(fox);
    await button('More').click();
    await button('Generate 2 Images').click();
    const progress = studio.main.getByRole('progressbar', { name: fox });
    await progress.waitFor();
    assert.equal(await studio.main.getByRole('img', { name: 'An image is on its way' }).count(), 2);
    await studio.main.locator('[role=progressbar][aria-valuenow]').waitFor();
    await service.advance(2 * taskDuration);
    await button(`Image 2 of “${fox}”`).waitFor();
    await progress.waitFor({ state: 'detached' });
    assert.equal(await studio.main.getByRole('img', { name: 'An image is on its way' }).count(), 0);
  });

  void it('are gone through and zoomed by keys', async () => {
    await button(`Image 1 of “${fox}”`).focus();
    await press('ArrowRight');
    await press('Enter');
    await said('2 of 2');
    await press('PageUp');
    await said('1 of 2');
    await press('1');
    await said('100 %');
    const before = await layerOf(pane());
    await press('ArrowDown');
    await press('+');
    await said('125 %');
    const after = await layerOf(pane());
    assert.ok(after.width > before.width && after.y < before.y);
    await press('0');
    await press('ArrowRight');
    await said('2 of 2');
  });

  void it('are compared by a divider', async () => {
    await button('Compare').click();
    const divider = studio.main.getByRole('slider', { name: 'Divider' });
    const frame = await pane().boundingBox();
    assert.ok(frame);
    await divider.focus();
    await press('Home');
    await press('ArrowRight');
    await press('Shift+ArrowRight');
    assert.equal(await divider.getAttribute('aria-valuenow'), '12');
    const { mouse } = all.workbench.page;
    const grip = await divider.boundingBox();
    assert.ok(grip);
    await mouse.move(grip.x + grip.width / 2, grip.y + 20);
    await mouse.down();
    await mouse.move(frame.x + 0.75 * frame.width, grip.y + 60, { steps: 4 });
    await mouse.up();
    assert.equal(await divider.getAttribute('aria-valuenow'), '75');
    const clipped = await studio.main
      .locator('.slider-after')
      .evaluate((element) => getComputedStyle(element).clipPath);
    assert.match(clipped, /75(?:\.\d+)?%\)$/);
  });

  void it('are compared side by side, with one zoom for both', async () => {
    await button('Side by Side').press('Enter');
    await pane().focus();
    await press('1');
    await press('ArrowRight');
    await said('100 %');
    const [first, second] = await studio.main
      .locator('.zoom-pane .layer')
      .evaluateAll((layers) => layers.map((layer) => getComputedStyle(layer).transform));
    assert.ok(first);
    assert.equal(first, second);
    await press('0');
  });

  void it('are compared in one place, back and forth', async () => {
    await button('Flicker').press('Enter');
    await studio.main.getByRole('application', { name: `Image 1 of “${fox}”` }).focus();
    await press('Space');
    await studio.main.getByRole('application', { name: `Image 2 of “${fox}”` }).waitFor();
    await button('Show the Other').press('Enter');
    await studio.main.getByRole('application', { name: `Image 1 of “${fox}”` }).waitFor();
  });

  void it('are as they were left once the tab is seen again', async () => {
    const { workbench, workspace } = all;
    await writeFile(join(workspace, 'page.md'), 'Here an image is wanted.');
    await workbench.openFile('page.md');
    await studio.main.waitFor({ state: 'detached' });
    await studio.open();
    await button('Back and Forth').waitFor();
    await said('2 of 2');
    await button('Compare').press('Enter');
    await button('Back and Forth').waitFor({ state: 'detached' });
    await button('Back to All Results').press('Enter');
    await button(`Image 2 of “${fox}”`).waitFor();
  });
});

/** Where the picture in a pane lies on the screen. */
async function layerOf(pane: Locator): Promise<{ width: number; y: number }> {
  const box = await pane.locator('.layer').first().boundingBox();
  assert.ok(box);
  return box;
}
