import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import { accessibilityProblems } from '../../host/window/axe.ts';
import { StudioView } from '../../host/window/studioView.ts';
import { readByPngjs } from '../../readers/images.ts';
import { readFrontMatter, readHead } from '../../readers/pages.ts';
import { eventually } from '../../support/eventually.ts';
import { story } from '../../support/story.ts';
import {
  type DemoServiceSession,
  passTime,
  startDemoServiceSession,
  submissionsTo,
} from '../demoServiceSession.ts';
import { screenshotFailures } from '../failureScreenshot.ts';
import { pictures } from '../pictures.ts';

const bread = `---
title: "Rye bread in five steps"
description: What to do on which day
tags: [bread]
---

# Rye bread

Text.
`;
const home = `<!doctype html>
<html>
  <head>
    <title>Bakery</title>
    <link rel="canonical" href="https://bakery.example/">
  </head>
  <body><h1>Fresh every morning</h1></body>
</html>
`;
/** Color themes by what the names of their pictures end with; the last one stays. */
const themes = { '-dark': 'Dark Modern', '-high-contrast': 'Dark High Contrast', '': 'Light Modern' };

story('the social card of a page', (part) => {
  let all: DemoServiceSession;
  let studio: StudioView;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    all = await startDemoServiceSession({
      async prepare({ workspace }) {
        await mkdir(join(workspace, 'public'));
        await writeFile(join(workspace, 'bread.md'), bread);
        await writeFile(join(workspace, 'index.html'), home);
      },
    });
    await all.workbench.page.setViewportSize({ width: 1100, height: 860 });
    studio = new StudioView(all.workbench);
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const view = (): Locator => studio.main.locator('.social-card');
  const field = (name: string): Locator => view().getByLabel(name, { exact: true });
  const fileOf = (name: string): string => join(all.workspace, 'public/images', name);
  const cards = async (): Promise<string[]> =>
    (await readdir(join(all.workspace, 'public/images'))).filter((name) => name.includes('-card'));
  const source = async (name: string): Promise<string> => readFile(join(all.workspace, name), 'utf8');
  /** Asks for the card of a page and accepts the prompt that is proposed. */
  const begin = async (page: string): Promise<void> => {
    const { workbench } = all;
    await workbench.openFile(page);
    await workbench.runCommand('Limner: Generate Social Card…');
    await workbench.quickInput.box
      .filter({ hasText: `Background of the Social Card of ${page}` })
      .filter({ hasText: 'This makes 1 image, which may be billed' })
      .waitFor();
  };
  const whenDrawn = async (): Promise<void> => {
    await view()
      .getByText(/^Contrast \d/u)
      .waitFor();
  };
  const save = async (): Promise<void> => view().getByRole('button', { name: 'Save Card' }).click();
  const preview = (): Locator => all.workbench.page.locator('.bulk-edit-panel');
  const press = async (button: 'Apply' | 'Discard'): Promise<void> => {
    await preview().getByRole('button', { name: button }).click();
    await preview().getByRole('button', { name: button }).waitFor({ state: 'hidden' });
  };

  part('begins with its background, for which a prompt is proposed', async () => {
    const { workbench, service } = all;
    await begin('bread.md');
    const prompt = await workbench.quickInput.input.inputValue();
    assert.match(prompt, /Rye bread in five steps: What to do on which day.*no text, no letters/u);
    await workbench.page.keyboard.press('Enter');
    await studio.whenShown();
    await passTime(service, 'the background', async () => view().isVisible());
    assert.equal(await submissionsTo(service), 1);
  });

  part(
    'shows title and site name on it, with enough contrast, wherever they are and in any color',
    async () => {
      await whenDrawn();
      assert.equal(await field('Title').inputValue(), 'Rye bread in five steps');
      await field('Site Name').fill('The Bakery');
      for (const place of ['top, left', 'middle, center', 'bottom, right', 'bottom, left']) {
        await view().getByRole('radio', { name: place }).check();
        const words = await view()
          .getByText(/^Contrast \d/u)
          .textContent();
        assert.ok(Number(/[\d.]+/u.exec(words ?? '')?.[0]) >= 4.5, words ?? '');
      }
      await field('Shade').fill('#ffffff');
      await view().getByText("can't be read on this shade").waitFor();
      await field('Shade').fill('#102040');
      await view().getByText("can't be read on this shade").waitFor({ state: 'detached' });
      await field('Font').selectOption('Serif');
      assert.deepEqual(await accessibilityProblems(view()), []);
      for (const [name, theme] of Object.entries(themes)) {
        await all.workbench.setColorTheme(theme);
        await studio.frame.locator(`body[data-vscode-theme-name="${theme}"]`).waitFor();
        await all.workbench.screenshot(join(pictures, `social-card${name}.jpg`));
      }
    },
  );

  part('keeps its words and its style over a reload', async () => {
    await all.workbench.reload();
    await studio.whenShown();
    await whenDrawn();
    assert.equal(await field('Site Name').inputValue(), 'The Bakery');
    assert.equal(await field('Font').inputValue(), 'serif');
  });

  part(
    'is saved as a file of 1200 × 630, and the page is left as it is when its change is declined',
    async () => {
      const { workbench } = all;
      await save();
      await preview().getByRole('button', { name: 'Discard' }).waitFor();
      const { width, height, rgba } = readByPngjs(await readFile(fileOf('bread-card.png')));
      assert.deepEqual([width, height], [1200, 630]);
      assert.ok(rgba.every((value, index) => index % 4 !== 3 || value === 255));
      assert.equal(await source('bread.md'), bread);
      await workbench.screenshot(join(pictures, 'social-card-change.jpg'));
      await press('Discard');
      await workbench.notifications.dismiss('bread.md was left as it is');
      assert.equal(await source('bread.md'), bread);
    },
  );

  part('is named by its page once that is accepted, without another file of the same card', async () => {
    const { workbench } = all;
    await save();
    await preview().getByRole('button', { name: 'Apply' }).waitFor();
    await press('Apply');
    await workbench.notifications.dismiss('Saved bread-card.png, and bread.md names it.');
    const page = await source('bread.md');
    assert.equal(page, bread.replace('tags: [bread]\n', 'tags: [bread]\nimage: /images/bread-card.png\n'));
    assert.deepEqual(readFrontMatter(page), {
      title: 'Rye bread in five steps',
      description: 'What to do on which day',
      tags: ['bread'],
      image: '/images/bread-card.png',
    });
    assert.deepEqual(await cards(), ['bread-card.png']);
  });

  part('has other words at no cost, as another file', async () => {
    const { workbench, service } = all;
    const sent = await submissionsTo(service);
    await workbench.openFile('bread.md');
    await workbench.runCommand('Limner: Generate Social Card…');
    await workbench.quickInput.pick('Open Its Card');
    await studio.whenShown();
    await field('Title').fill('خبز الجاودار في خمس خطوات');
    await whenDrawn();
    await save();
    await preview().getByRole('button', { name: 'Apply' }).waitFor();
    await workbench.screenshot(join(pictures, 'social-card-arabic.jpg'));
    await press('Apply');
    await eventually(
      'the page',
      async () => source('bread.md'),
      (page) => page.includes('/bread-card-2.png'),
    );
    assert.equal(await submissionsTo(service), sent);
    await workbench.notifications.dismiss('bread.md names it');
  });

  part('is made for an HTML page, also when the window was closed meanwhile', async () => {
    const { workbench, service, limner } = all;
    await begin('index.html');
    await workbench.page.keyboard.press('Enter');
    await studio.whenShown();
    await eventually(
      'the request',
      async () => submissionsTo(service),
      (count) => count === 2,
    );
    await workbench.reload();
    await passTime(service, 'the background', async () => view().isVisible());
    await whenDrawn();
    assert.equal(await field('Title').inputValue(), 'Bakery');
    await save();
    await preview().getByRole('button', { name: 'Apply' }).waitFor();
    await press('Apply');
    await workbench.notifications.dismiss('index.html names it');
    const page = await source('index.html');
    const address = 'https://bakery.example/images/index-card.png';
    assert.deepEqual(readHead(page), {
      'og:image': [address],
      'og:image:width': ['1200'],
      'og:image:height': ['630'],
      'og:image:alt': ['Bakery · bakery.example'],
      'twitter:card': ['summary_large_image'],
      'twitter:image': [address],
    });
    assert.ok(existsSync(fileOf('index-card.png')));
    await limner.show();
    assert.equal(await submissionsTo(service), 2);
  });

  part('is opened again from the row of its background', async () => {
    const { limner } = all;
    await studio.main.getByRole('button', { name: 'Back to All Results' }).click();
    await limner.tasks.press('A calm, wide illustration about "Rye bread', 'Open in Studio');
    await whenDrawn();
    assert.equal(await field('Title').inputValue(), 'خبز الجاودار في خمس خطوات');
    await view().getByRole('button', { name: 'Show Background Alone' }).click();
    await studio.main.getByRole('button', { name: 'Show Social Card' }).click();
    await whenDrawn();
  });

  part('is saved also when its page changed while the change was shown, or is gone', async () => {
    const { workbench } = all;
    const path = join(all.workspace, 'bread.md');
    await field('Title').fill('Rye');
    await whenDrawn();
    await save();
    await preview().getByRole('button', { name: 'Apply' }).waitFor();
    const changed = (await source('bread.md')).replace('Text.', 'More text.');
    await writeFile(path, changed);
    await workbench.openFile('bread.md');
    await workbench.page.locator('.view-line').filter({ hasText: 'More text.' }).first().waitFor();
    await press('Apply');
    await workbench.notifications.dismiss('bread.md changed meanwhile and was left as it is');
    assert.equal(await source('bread.md'), changed);
  });
});
