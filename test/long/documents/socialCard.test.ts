import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import { accessibilityProblems } from '../../host/window/axe.ts';
import { StudioComposer } from '../../host/window/studioComposer.ts';
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
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';
import { pictures } from '../../ui/pictures.ts';

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
  const cards = async (): Promise<string[]> =>
    (await readdir(join(all.workspace, 'public/images'))).filter((name) => name.includes('-card'));
  const source = async (name: string): Promise<string> => readFile(join(all.workspace, name), 'utf8');
  /** Asks for the card of a page. @returns the prompt that is proposed */
  const begin = async (page: string): Promise<string> => {
    const { quickInput } = all.workbench;
    await all.workbench.openFile(page);
    await all.workbench.runCommand('Limner: Generate Social Card…');
    await quickInput.box
      .filter({ hasText: `Background of the Social Card of ${page}` })
      .filter({ hasText: '1 image · ' })
      .waitFor();
    return quickInput.input.inputValue();
  };
  const whenDrawn = async (): Promise<void> => {
    await view()
      .getByText(/^Lowest contrast: \d/u)
      .waitFor();
  };
  const save = async (): Promise<void> => view().getByRole('button', { name: 'Save Card' }).click();
  /** Waits until the change of a page is shown: one line as it is, or would be. */
  const whenShown = async (page: string, line: string): Promise<void> => {
    const { workbench } = all;
    await workbench.quickInput.box.filter({ hasText: `Social Card of ${page}` }).waitFor();
    await workbench.editorTab(`${page} (with Its Social Card)`).waitFor();
    await workbench.page
      .locator('.monaco-diff-editor .view-line')
      .filter({ hasText: line })
      .first()
      .waitFor();
  };
  const answer = async (choice: string): Promise<void> => {
    const { quickInput } = all.workbench;
    await quickInput.pick(choice);
    await quickInput.box.waitFor({ state: 'hidden' });
  };
  const accept = async (): Promise<void> => answer('Apply Change');

  part('begins with its background, for which a prompt is proposed', async () => {
    const { workbench, service } = all;
    const proposed = await begin('bread.md');
    assert.match(proposed, /Rye bread in five steps: What to do on which day.*no text, no letters/u);
    await workbench.quickInput.answer('Describe the background', 'Rye fields');
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
          .getByText(/^Lowest contrast: \d/u)
          .textContent();
        assert.ok(Number(/[\d.]+/u.exec(words ?? '')?.[0]) >= 4.5, words ?? '');
      }
      await field('Shade').fill('#ffffff');
      const isOtherShade = view().getByText("can't be read on this shade");
      await isOtherShade.waitFor();
      await field('Shade').fill('#102040');
      await isOtherShade.waitFor({ state: 'detached' });
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
    'is saved as a file of 1200 × 630, and its page is left as it is until its change is accepted',
    async () => {
      const { workbench, workspace } = all;
      await save();
      await whenShown('bread.md', 'image: /images/bread-card.png');
      const { width, height, rgba } = readByPngjs(
        await readFile(join(workspace, 'public/images/bread-card.png')),
      );
      assert.deepEqual([width, height], [1200, 630]);
      assert.ok(rgba.every((value, index) => index % 4 !== 3 || value === 255));
      await workbench.screenshot(join(pictures, 'social-card-change.jpg'));
      await answer('Leave bread.md Unchanged');
      const change = workbench.editorTab('bread.md (with Its Social Card)');
      await change.waitFor({ state: 'detached' });
      await workbench.notifications.dismiss('bread.md was not changed');
      await save();
      await whenShown('bread.md', 'image: /images/bread-card.png');
      // The question covers the tab.
      await change.dispatchEvent('auxclick', { button: 1 });
      await workbench.quickInput.box.waitFor({ state: 'hidden' });
      await workbench.notifications.dismiss('bread.md was not changed');
      assert.equal(await source('bread.md'), bread);
    },
  );

  part('is named by its page then, without another file of the same card', async () => {
    const { workbench } = all;
    await whenDrawn();
    await save();
    await whenShown('bread.md', 'image: /images/bread-card.png');
    await accept();
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

  part('has other words at no cost, in place of the last one or as another file', async () => {
    const { workbench, service } = all;
    const sent = await submissionsTo(service);
    await workbench.openFile('bread.md');
    await workbench.runCommand('Limner: Generate Social Card…');
    await workbench.quickInput.pick('Open Its Card');
    await studio.whenShown();
    await field('Title').fill('خبز الجاودار في خمس خطوات');
    await whenDrawn();
    const file = join(all.workspace, 'public/images/bread-card.png');
    const before = await readFile(file);
    await save();
    await workbench.pressInDialog('Replace the last card of this page?', 'Replace bread-card.png');
    await workbench.notifications.press(
      'Saved bread-card.png. bread.md already names it.',
      'Undo',
      async () => {
        assert.notDeepEqual(await readFile(file), before);
        assert.deepEqual(await cards(), ['bread-card.png']);
      },
    );
    await workbench.notifications.dismiss('Restored bread-card.png.');
    assert.deepEqual(await readFile(file), before);
    await save();
    await workbench.pressInDialog('Replace the last card of this page?', 'Save as Another File');
    await whenShown('bread.md', 'image: /images/bread-card-2.png');
    await accept();
    await workbench.notifications.dismiss('bread.md names it');
    assert.ok((await source('bread.md')).includes('image: /images/bread-card-2.png\n'));
    assert.equal(await submissionsTo(service), sent);
  });

  part('is made for an HTML page, also when the window was closed meanwhile', async () => {
    const { workbench, service } = all;
    await begin('index.html');
    await workbench.quickInput.answer('Describe the background', 'A warm oven');
    await studio.whenShown();
    await studio.main.locator('.task-card').filter({ hasText: 'A warm oven' }).waitFor();
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
    await whenShown('index.html', 'og:image');
    await accept();
    await workbench.notifications.dismiss('index.html names it');
    const address = 'https://bakery.example/images/index-card.png';
    assert.deepEqual(readHead(await source('index.html')), {
      'og:image': [address],
      'og:image:width': ['1200'],
      'og:image:height': ['630'],
      'og:image:alt': ['Bakery · bakery.example'],
      'twitter:card': ['summary_large_image'],
      'twitter:image': [address],
    });
    assert.ok((await cards()).includes('index-card.png'));
    assert.equal(await submissionsTo(service), 2);
  });

  part('is opened again from the row of its background', async () => {
    const { limner } = all;
    await limner.show();
    await limner.tasks.chooseFromMenu('Social card: bread.md', 'Open in Studio');
    await view().getByText('Social card of bread.md').waitFor();
    await whenDrawn();
    assert.equal(await field('Title').inputValue(), 'خبز الجاودار في خمس خطوات');
    await view().getByRole('button', { name: 'Show Background Alone' }).click();
    await studio.main.getByRole('button', { name: 'Show Social Card' }).click();
    await whenDrawn();
  });

  part('is saved also when its page changes while the change is shown', async () => {
    const { workbench, workspace } = all;
    await field('Title').fill('Rye');
    await save();
    await workbench.pressInDialog('Replace the last card of this page?', 'Save as Another File');
    await whenShown('bread.md', 'image: /images/bread-card-3.png');
    const changed = (await source('bread.md')).replace('Text.', 'More text.');
    await writeFile(join(workspace, 'bread.md'), changed);
    await whenShown('bread.md', 'More text.');
    await accept();
    await workbench.notifications.dismiss('bread.md was not changed: it was edited meanwhile');
    assert.equal(await source('bread.md'), changed);
  });

  part('is saved also when its page is gone', async () => {
    const { workbench, limner } = all;
    await workbench.runCommand('View: Close All Editors');
    await rm(join(all.workspace, 'bread.md'));
    await limner.tasks.chooseFromMenu('Social card: bread.md', 'Open in Studio');
    await field('Title').fill('Wheat');
    await whenDrawn();
    await save();
    await workbench.notifications.dismiss("bread.md is no longer there or can't be read");
    assert.equal((await readdir(join(all.workspace, 'images'))).length, 3);
  });

  part('gets another background from the composer, with the words that it has by then', async () => {
    const { service } = all;
    const composer = new StudioComposer(studio);
    await composer.button('Change Background…').click();
    await composer.prompt.fill('Wheat fields');
    await composer.button('Generate Image').click();
    const image = studio.main.getByRole('button', { name: 'Image of "Wheat fields"', exact: true });
    await passTime(service, 'the background', async () => image.isVisible());
    await image.click();
    await whenDrawn();
    assert.equal(await field('Title').inputValue(), 'Wheat');
    assert.equal(await field('Font').inputValue(), 'serif');
  });
});
