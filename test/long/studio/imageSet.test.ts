import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { accessibilityProblems } from '../../host/window/axe.ts';
import { StudioView } from '../../host/window/studioView.ts';
import { outFolder } from '../../support/folders.ts';
import { eventually } from '../../support/eventually.ts';
import { story } from '../../support/story.ts';
import {
  type DemoServiceSession,
  injectFault,
  requestsTo,
  startDemoServiceSession,
  taskDuration,
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';

const names = ['home', 'cart', 'user', 'mail', 'star', 'bell', 'lock', 'key'];
const table = ['| name | prompt |', '|---|---|', ...names.map((name) => `| ${name} | icon of a ${name} |`)];
const files = names.map((name) => `${name}.webp`);

story('a set of icons in the studio', (part) => {
  let all: DemoServiceSession;
  let studio: StudioView;
  let actions = 0;
  const button = (name: string): Locator => studio.main.getByRole('button', { name, exact: true });
  const field = (name: string): Locator => studio.main.getByLabel(name, { exact: true });
  const saved = async (): Promise<string[]> =>
    (await readdir(all.workspace).catch(() => [])).filter((name) => name.endsWith('.webp')).toSorted();
  const posts = async (): Promise<number> =>
    (await requestsTo(all.service)).filter(
      ({ method, path }) => method === 'POST' && path.includes('/images/'),
    ).length;
  /** What a user does, counted. */
  const act = async (doing: () => Promise<unknown>): Promise<void> => {
    actions++;
    await doing();
  };

  before(async () => {
    all = await startDemoServiceSession({ settings: { 'limner.folder': '.' } });
    await all.workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    studio = new StudioView(all.workbench);
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  part('takes eight actions', async () => {
    // A file of another format keeps nothing from its name.
    await writeFile(join(all.workspace, 'home.png'), '');
    await all.workbench.page.evaluate(async (text) => navigator.clipboard.writeText(text), table.join('\n'));
    await act(async () => all.workbench.runCommand('Limner: Generate Set…'));
    await studio.whenShown();
    await studio.main.locator('#set-prompt-0:focus').waitFor();
    await act(async () => all.workbench.page.keyboard.press('Control+V'));
    await field('Prompt of Image 8').waitFor();
    await button('Remove Image 8').click();
    await studio.main.locator('#set-prompt-7:focus').waitFor();
    await all.workbench.page.keyboard.press('ControlOrMeta+Z');
    await field('Prompt of Image 8').and(studio.frame.locator(':not(:placeholder-shown)')).waitFor();
    assert.equal(await field('Prompt of Image 8').inputValue(), 'icon of a key');
    await act(async () => field('Width in pixels').fill('64'));
    await act(async () => field('Height in pixels').fill('64'));
    await act(async () => field('Transparent Background').check());
    await act(async () => field('File Name').fill('.webp'));
    await studio.main.getByText('8 images · ').waitFor();
    await studio.main.locator('.target-path', { hasText: 'home.webp' }).waitFor();
    assert.deepEqual(await accessibilityProblems(studio.main), []);
    await all.workbench.screenshot(join(outFolder, 'ui', 'set-table.png'));
    await act(async () => button('Generate 8 Images').click());
    await act(async () => all.workbench.pressInDialog('Generate 8 images in one run?', 'Generate 8 Images'));
    assert.ok(actions <= 8, `${actions} actions`);
  });

  part('is shown side by side, each with its name', async () => {
    await studio.main.getByText('Saved 0 of 8').waitFor();
    await all.service.advance(2 * taskDuration);
    await studio.main.getByText('Saved 8 of 8').waitFor();
    assert.deepEqual(await saved(), files.toSorted());
    assert.deepEqual(await studio.main.locator('.set-card .tile-name').allTextContents(), files);
    const { width, height, hasAlpha } = await sharp(join(all.workspace, 'home.webp')).metadata();
    assert.deepEqual({ width, height, hasAlpha }, { width: 64, height: 64, hasAlpha: true });
    assert.equal(await posts(), 8);
    assert.deepEqual(await accessibilityProblems(studio.main), []);
    await all.workbench.screenshot(join(outFolder, 'ui', 'set-saved.png'));
  });

  part('makes two of them again beside the others', async () => {
    const tiles = studio.main.locator('.set-card .tile-image');
    await tiles.nth(0).click({ modifiers: ['Control'] });
    await tiles.nth(2).click({ modifiers: ['Control'] });
    await button('Make 2 Again').click();
    await all.workbench.pressInDialog('Generate 2 images again?', 'Generate Again');
    await eventually('two more requests', posts, (count) => count === 10);
    await all.service.advance(2 * taskDuration);
    await eventually('two more files', saved, (found) => found.length === 10);
    assert.deepEqual(await saved(), [...files, 'home-2.webp', 'user-2.webp'].toSorted());
    await studio.main.locator('.set-card .tile-name', { hasText: 'user-2.webp' }).waitFor();
    assert.equal(await studio.main.locator('.set-card').count(), 1);
  });

  part('is inserted into the document of another tab, one image below the other', async () => {
    await writeFile(join(all.workspace, 'page.md'), '');
    await all.workbench.openFile('page.md');
    await studio.open();
    await button('Insert All').click();
    await all.workbench
      .editorTab('page.md')
      .and(all.workbench.page.locator('[aria-selected=true]'))
      .waitFor();
    await all.workbench.runCommand('File: Save');
    const lines = await eventually(
      'all references',
      async () => (await readFile(join(all.workspace, 'page.md'), 'utf8')).split('\n'),
      ({ length }) => length === 10,
    );
    assert.deepEqual(
      [lines[0], lines[1], lines[9]],
      ['![icon of a home](home.webp)', '![icon of a home](home-2.webp)', '![icon of a key](key.webp)'],
    );
    await all.workbench.page.keyboard.press('ControlOrMeta+Z');
    await all.workbench.runCommand('File: Save');
    await eventually(
      'the document as before',
      async () => readFile(join(all.workspace, 'page.md'), 'utf8'),
      isEmpty,
    );
  });

  part('tells what was not sent before the window closed, and sends that', async () => {
    await studio.open();
    // As many as are sent at once.
    const stall = { kind: 'stall', when: 'before', on: 'generations', times: 4 };
    await injectFault(all.service, stall);
    await button('Generate 8 Images').click();
    await all.workbench.pressInDialog('You just made 8 of these 8 requests.', 'Send Again');
    await eventually('four requests', posts, (count) => count === 14);
    all.session.killExtensionHost();
    await all.workbench.notifications.dismiss("4 prompts weren't sent before the window closed.");
    await studio.open();
    assert.equal(await studio.tab.count(), 1);
    const card = studio.main.locator('.set-card').first();
    await card.getByText('not sent').nth(3).waitFor();
    assert.equal(await card.locator('.awaited').count(), 0);
    await card.getByRole('button', { name: 'Send 4 Now', exact: true }).click();
    await eventually('four more requests', posts, (count) => count === 18);
    await all.service.advance(2 * taskDuration);
    await card.getByText('Saved 4 of 8').waitFor();
    assert.equal(await posts(), 18);
  });

  part('takes the images of a file', async () => {
    await writeFile(
      join(all.workspace, 'icons.csv'),
      'name,prompt\nrocket,icon of a rocket\nmoon,icon of a moon\n',
    );
    await button('Clear the Set').click();
    await button('Add from a File…').click();
    const { quickInput } = all.workbench;
    await quickInput.box.filter({ hasText: 'Add Images to the Set' }).waitFor();
    await quickInput.pick('icons.csv');
    await studio.main.getByText('2 images · ').waitFor();
    assert.equal(await field('Name of Image 2').inputValue(), 'moon');
    assert.equal(await field('Prompt of Image 1').inputValue(), 'icon of a rocket');
    await all.workbench.screenshot(join(outFolder, 'ui', 'set-file.png'));
  });
});

function isEmpty(text: string): boolean {
  return text === '';
}
