import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { EditorSession } from '../host/editor/editorSession.ts';
import { accessibilityProblems } from '../host/window/axe.ts';
import type { Workbench } from '../host/window/workbench.ts';
import { projectFolder } from '../support/folders.ts';
import { story } from '../support/story.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

const plain = sharp({ create: { width: 60, height: 40, channels: 3, background: '#205080' } });

story('a picture of the repository', (part) => {
  const workspace = temporaryFolder('workspace');
  const pathOf = (name: string): string => join(workspace.path, name);
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Fox', '-c', 'user.email=fox@example.com', ...words], {
      cwd: workspace.path,
      encoding: 'utf8',
    });
  let session: EditorSession;
  let workbench: Workbench;

  before(async () => {
    git('init', '-q');
    const original = await plain.clone().png().toBuffer();
    await writeFile(pathOf('hill.png'), original);
    await writeFile(pathOf('same.png'), original);
    const icon = plain.clone().resize(16, 16, { fit: 'cover' });
    await writeFile(pathOf('icon.png'), await icon.clone().png().toBuffer());
    git('add', '.');
    git('commit', '-qm', 'Draw a hill');
    const patch = await sharp({ create: { width: 10, height: 5, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer();
    await writeFile(
      pathOf('hill.png'),
      await plain
        .clone()
        .composite([{ input: patch, left: 20, top: 30 }])
        .png()
        .toBuffer(),
    );
    await writeFile(
      pathOf('same.png'),
      await sharp(original)
        .withExif({ IFD0: { Copyright: 'Fox' } })
        .png()
        .toBuffer(),
    );
    await writeFile(pathOf('icon.png'), await icon.negate().png().toBuffer());
    session = await EditorSession.start({
      version: 'newest',
      extension: { folder: projectFolder },
      builtIn: 'git',
    });
    workbench = await session.open(workspace.path);
  });
  after(async () => {
    await session.dispose();
    workspace.remove();
  });
  screenshotFailures(() => workbench);

  const main = (): Locator => workbench.webview.locator('main.compare-page');
  const button = (name: string): Locator => main().getByRole('button', { name, exact: true });
  const told = async (words: RegExp): Promise<void> =>
    main().getByRole('status').filter({ hasText: words }).waitFor();

  async function compareWithHead(name: string): Promise<void> {
    await workbench.openFile(name);
    await workbench.runCommand('Limner: Compare Image with HEAD');
    await main().getByRole('heading', { name }).waitFor();
  }

  part('is compared with the last commit, in every way', async () => {
    await compareWithHead('hill.png');
    await main().getByRole('slider', { name: 'Divider' }).waitFor();
    await button('Difference').press('Enter');
    await told(/^Changed: 2\.1% of the pixels\. Pixels: 50, within 10 × 5 at 20, 30\.$/);
    await main().getByRole('slider', { name: 'Threshold' }).press('End');
    await told(/^Changed: 2\.1% of the pixels\./);
  });

  part('has no problem of accessibility in any theme', async () => {
    for (const theme of ['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast']) {
      await workbench.setColorTheme(theme);
      const body = workbench.webview.locator(`body[data-vscode-theme-name="${theme}"]`);
      await body.waitFor();
      for (const way of ['Slider', 'Side by Side', 'Flicker', 'Difference']) {
        await button(way).press('Enter');
        assert.deepEqual(await accessibilityProblems(body), [], `${theme}: ${way}`);
      }
    }
  });

  part('is seen as it is now, and as it was left after a reload', async () => {
    await workbench.reload();
    await told(/^Changed: 2\.1% of the pixels\./);
    await writeFile(pathOf('hill.png'), await plain.clone().png().toBuffer());
    await told(/^The images are identical\.$/);
  });

  part('is compared where it is as small as an icon', async () => {
    await compareWithHead('icon.png');
    await button('Difference').press('Enter');
    await told(/^Changed: 100% of the pixels\. Pixels: 256, within 16 × 16 at 0, 0\.$/);
  });

  part('is told apart from one with other metadata only', async () => {
    await compareWithHead('same.png');
    await button('Difference').press('Enter');
    await told(
      /^No visible pixel differs: only metadata, the encoding, or further frames of the files do\.$/,
    );
    assert.ok((await readFile(pathOf('same.png'))).includes('Fox'));
  });

  part('is one of all that changed, which keys step through', async () => {
    git('checkout', '-q', 'icon.png');
    await plain.clone().negate().png().toFile(pathOf('new.png'));
    await workbench.runCommand('Limner: Compare All Changed Images…');
    await workbench.page.getByRole('option', { name: /^Working Tree/ }).click();
    const row = workbench.page.getByRole('option', { name: /^new\.png/ });
    await row.filter({ hasText: 'added' }).waitFor();
    await workbench.page.getByRole('option', { name: /^same\.png.*0% of the pixels/ }).waitFor();
    await row.click();
    await main().getByRole('heading', { name: 'new.png' }).waitFor();
    await main()
      .getByRole('alert')
      .filter({ hasText: 'new.png was added: there is no earlier version to compare with.' })
      .waitFor();
    await workbench.page.keyboard.press('PageDown');
    await main().getByRole('heading', { name: 'same.png' }).waitFor();
    await workbench.reload();
    await main().getByRole('heading', { name: 'same.png' }).waitFor();
    await button('Slider').press('PageUp');
    await main().getByRole('heading', { name: 'new.png' }).waitFor();
    // What had the focus is gone with the image before.
    await workbench.page.keyboard.press('PageDown');
    await main().getByRole('heading', { name: 'same.png' }).waitFor();
    await button('Next Image (Page Down)').press('Enter');
    await main().getByRole('heading', { name: 'new.png' }).waitFor();
    assert.deepEqual(await accessibilityProblems(main()), []);
  });

  part('is taken from one side of a conflict', async () => {
    const versionOf = async (color: string): Promise<void> => {
      await sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
        .png()
        .toFile(pathOf('sun.png'));
      git('add', '-A');
      git('commit', '-qm', `Draw a ${color} sun`);
    };
    await versionOf('yellow');
    git('checkout', '-qb', 'theirs');
    await versionOf('orange');
    const theirs = await readFile(pathOf('sun.png'));
    git('checkout', '-q', '-');
    await versionOf('gold');
    assert.throws(() => git('merge', '-q', 'theirs'));
    await compareWithHead('sun.png');
    await button('Take Theirs').waitFor();
    await main().getByLabel('First Image').selectOption('Theirs');
    await workbench.editorTab('sun.png (Theirs ↔ Ours)').waitFor();
    await main().getByLabel('First Image').selectOption('Base');
    await main().locator('.compare-label', { hasText: 'Base' }).waitFor();
    assert.deepEqual(await accessibilityProblems(main()), []);
    await button('Take Theirs').press('Enter');
    await main().locator('.compare-label', { hasText: 'Staged' }).waitFor();
    assert.deepEqual(await readFile(pathOf('sun.png')), theirs);
    assert.equal(git('diff', '--name-only', '--diff-filter=U'), '');
  });
});
