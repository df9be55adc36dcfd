import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import sharp from 'sharp';
import { eventually } from '../../support/eventually.ts';
import { story } from '../../support/story.ts';
import {
  injectFault,
  passTime,
  startDemoServiceSession,
  submissionsTo,
  type DemoServiceSession,
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';
import { pictures } from '../../ui/pictures.ts';

const page = `<h1>Bakery</h1>
<img src="https://placehold.co/120x80?text=Rye+bread" alt="">
<figure><img src="https://picsum.photos/id/12/60/90"><figcaption>The oven</figcaption></figure>
<figure><img src="https://picsum.photos/id/12/60/90"><figcaption>The oven</figcaption></figure>
`;

story('placeholders of a page', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    all = await startDemoServiceSession({
      async prepare({ workspace }) {
        await mkdir(join(workspace, 'public'));
        await writeFile(join(workspace, 'index.html'), page);
        const about = '<img src="https://loremflickr.com/64/64/baker" alt="A baker">\n';
        await writeFile(join(workspace, 'about.html'), about);
        const menu = '<img src="https://placehold.co/64x64" alt="A pie">\n';
        await writeFile(join(workspace, 'menu.html'), menu);
        const gone = '<img src="https://dummyimage.com/64x64" alt="A cake">\n';
        await writeFile(join(workspace, 'gone.html'), gone);
      },
    });
    await all.workbench.openFile('index.html');
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const source = async (): Promise<string> => readFile(join(all.workspace, 'index.html'), 'utf8');

  part('give way to images in the size and with the words of their addresses', async () => {
    const { workbench, service, limner } = all;
    const { quickInput } = workbench;
    const hints = workbench.page.locator('.squiggly-hint');
    await hints.nth(2).waitFor();
    await workbench.runCommand('Limner: Replace Placeholders in This File…');
    await quickInput.box.getByPlaceholder('2 images · ').waitFor();
    await workbench.screenshot(join(pictures, 'placeholders.png'));
    await quickInput.acceptImages('2 images · ');
    await passTime(service, 'both', async () => limner.tasks.says('Placeholders in index.html', '2 of 2'));
    const written = page
      .replace('https://placehold.co/120x80?text=Rye+bread', '/images/rye-bread.png')
      .replaceAll('https://picsum.photos/id/12/60/90', '/images/the-oven.png');
    await eventually('the page', source, (seen) => seen === written);
    for (const [file, size] of [
      ['rye-bread.png', [120, 80]],
      ['the-oven.png', [60, 90]],
    ] as const) {
      const { width, height } = await sharp(join(all.workspace, 'public/images', file)).metadata();
      assert.deepEqual([width, height], size);
    }
    assert.equal(await submissionsTo(service), 2);
    await limner.tasks
      .row('Placeholders in index.html')
      .locator('.custom-view-tree-node-item-icon[style*="thumbnails"]')
      .waitFor();
    await workbench.notifications.press('Saved 2 images for placeholders in index.html.', 'Open');
    await hints.first().waitFor({ state: 'detached' });
  });

  part('are not asked for twice, and give way also where the window was closed meanwhile', async () => {
    const { workbench, service } = all;
    const { quickInput } = workbench;
    const sent = await submissionsTo(service);
    await workbench.openFile('about.html');
    await workbench.runCommand('Limner: Replace Placeholders in This File…');
    await quickInput.acceptImages('1 image · ');
    await eventually(
      'the request',
      async () => submissionsTo(service),
      (count) => count === sent + 1,
    );
    await workbench.runCommand('Limner: Replace Placeholders in This File…');
    await workbench.notifications.dismiss('These images are already being generated');
    await workbench.reload();
    const about = async (): Promise<string> => readFile(join(all.workspace, 'about.html'), 'utf8');
    await passTime(
      service,
      'the page',
      async () => (await about()) === '<img src="/images/a-baker.png" alt="A baker">\n',
    );
    assert.equal(await submissionsTo(service), sent + 1);
  });

  part('are asked for in other words where the service refused them, and give way then', async () => {
    const { workbench, service, limner } = all;
    const { quickInput } = workbench;
    await workbench.openFile('menu.html');
    await injectFault(service, { kind: 'status', on: 'generations', status: 400 });
    await workbench.runCommand('Limner: Replace Placeholders in This File…');
    await quickInput.acceptImages('1 image · ');
    const batch = 'Placeholders in menu.html';
    await workbench.notifications.dismiss('saved 0 of 1 images');
    await limner.tasks.whenSays(batch, '1 not generated');
    await eventually(
      'the row as it is by now, alone',
      async () => limner.tasks.row(batch).count(),
      (count) => count === 1,
    );
    await limner.tasks.toggle(batch);
    await limner.tasks.chooseFromMenu('A pie', 'Run Again with Changes…');
    await quickInput.box.filter({ hasText: 'Describe the image' }).waitFor();
    assert.deepEqual(await quickInput.buttons(), ['Change Model…']);
    await quickInput.answer('Describe the image', 'A plum pie');
    const menu = async (): Promise<string> => readFile(join(all.workspace, 'menu.html'), 'utf8');
    await passTime(
      service,
      'the page',
      async () => (await menu()) === '<img src="/images/a-plum-pie.png" alt="A pie">\n',
    );
    await limner.tasks.whenSays(batch, '1 of 1 saved');
  });

  part('leave the document as it is, which is said, where they are gone by then', async () => {
    const { workbench, service } = all;
    const { quickInput } = workbench;
    await workbench.openFile('gone.html');
    await workbench.runCommand('Limner: Replace Placeholders in This File…');
    await quickInput.acceptImages('1 image · ');
    const gone = join(all.workspace, 'gone.html');
    await writeFile(gone, '<p>No image</p>\n');
    await workbench.page.locator('.view-line').filter({ hasText: 'No image' }).waitFor();
    const image = join(all.workspace, 'public/images/a-cake.png');
    await passTime(service, 'the image', async () => existsSync(image));
    await workbench.notifications.dismiss("Saved a-cake.png, but couldn't insert it: its place in gone.html");
    assert.equal(await readFile(gone, 'utf8'), '<p>No image</p>\n');
  });

  part(
    'are found in the whole workspace, and those that were stopped are resumed and not paid for again',
    async () => {
      const { workbench, service, limner } = all;
      const { quickInput } = workbench;
      const sent = await submissionsTo(service);
      const parts = join(all.workspace, 'parts');
      await mkdir(join(parts, 'node_modules'), { recursive: true });
      const text = '<img src="https://placehold.co/64x48" alt="A roll">\n';
      await writeFile(join(parts, 'list.html'), text);
      await writeFile(join(parts, 'node_modules', 'list.html'), text);
      await symlink('.', join(parts, 'again'));
      const choose = async (): Promise<void> => {
        await workbench.runCommand('Limner: Replace Placeholders in the Workspace…');
        await quickInput.acceptImages('1 image · ');
      };
      await choose();
      await eventually(
        'the request',
        async () => submissionsTo(service),
        (count) => count === sent + 1,
      );
      await limner.tasks.toggle('Placeholders in the workspace');
      await limner.whenProgress('A roll', 10);
      await limner.tasks.press('Placeholders in the workspace', 'Stop All');
      await limner.tasks.whenSays('Placeholders in the workspace', '1 not fetched yet');
      await choose();
      await workbench.pressInDialog(
        '1 of these images may still come from an earlier task. Resume it?',
        'Resume',
      );
      const list = async (): Promise<string> => readFile(join(parts, 'list.html'), 'utf8');
      await passTime(
        service,
        'the page',
        async () => (await list()) === '<img src="/images/a-roll.png" alt="A roll">\n',
      );
      assert.equal(await submissionsTo(service), sent + 1);
      await workbench.runCommand('Limner: Replace Placeholders in the Workspace…');
      await workbench.notifications.dismiss('The documents of this workspace have no placeholders.');
    },
  );
});
