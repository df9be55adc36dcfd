import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { story } from '../../support/story.ts';
import { startDemoServiceSession, type DemoServiceSession } from '../demoServiceSession.ts';
import { screenshotFailures } from '../failureScreenshot.ts';
import { fillStore } from '../filledStore.ts';
import { pixel, savedResults, seededTask } from '../seededTask.ts';

const pictured = '.custom-view-tree-node-item-icon[style*="thumbnails"]';

/** Returns the contents of an image, which are its own. */
function imageOf(name: string): Buffer {
  return Buffer.concat([pixel, Buffer.from(name)]);
}

story('an image that gets another name', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({
      builtIn: 'all',
      async prepare({ userData, workspace, service }) {
        const images = join(workspace, 'images');
        await mkdir(images);
        await writeFile(join(workspace, 'page.md'), '# Page\n\n');
        const names = ['a-red-fox.png', 'a-red-fox-edited.png'];
        for (const name of names) {
          await writeFile(join(images, name), imageOf(name));
        }
        const git = (...given: string[]): unknown =>
          execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@example.com', ...given], {
            cwd: workspace,
          });
        git('init', '-q', '-b', 'main');
        git('add', '.');
        git('commit', '-qm', 'images');
        const place = { service, workspace, images };
        const [fox, edited] = names.map((name) => {
          const bytes = imageOf(name);
          const sha256 = createHash('sha256').update(bytes).digest('hex');
          const uri = pathToFileURL(join(images, name)).href;
          const input = { uri, path: join(images, name), name, mediaType: 'image/png' };
          return {
            input: { ...input, size: bytes.length, sha256 },
            results: [
              Object.assign(savedResults(place, name)[0] ?? assert.fail(), { size: bytes.length, sha256 }),
            ],
          };
        });
        assert.ok(fox && edited);
        await fillStore(userData, [
          seededTask(place, 'a red fox', { results: fox.results }),
          seededTask(
            place,
            'make it calm',
            { results: edited.results },
            { kind: 'edit', images: [fox.input] },
          ),
        ]);
      },
    });
    await all.limner.show();
    await all.limner.tasks.row('make it calm').locator(pictured).waitFor();
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  part('has its row and picture also where its edit replaced it', async () => {
    const { limner, workbench, workspace } = all;
    const icon = limner.tasks.row('a red fox').locator(pictured);
    const before = await icon.getAttribute('style');
    await limner.tasks.chooseFromMenu('make it calm', 'Replace Original');
    await workbench.notifications.dismiss('Replaced a-red-fox.png');
    await eventually(
      'the picture of the edit',
      async () => icon.getAttribute('style'),
      (style) => style !== before,
    );
    await workbench.openFile('page.md');
    await limner.tasks.chooseFromMenu('a red fox', 'Insert into Editor');
    await workbench.page.locator('.view-lines').filter({ hasText: 'images/a-red-fox.png' }).waitFor();
    await limner.tasks.chooseFromMenu('a red fox', 'Open Image');
    await workbench.editorTab('a-red-fox.png').waitFor();
    await limner.tasks.chooseFromMenu('make it calm', 'Restore Original');
    await workbench.notifications.dismiss('Restored a-red-fox.png');
    assert.deepEqual(await readFile(join(workspace, 'images/a-red-fox.png')), imageOf('a-red-fox.png'));
  });

  part('is renamed with a key in the list, and with its folder in the Explorer', async () => {
    const { limner, workbench, workspace } = all;
    const { page, quickInput, explorer } = workbench;
    await limner.tasks.toggle('a red fox');
    await limner.tasks.row('a-red-fox.png').locator(pictured).waitFor();
    await limner.tasks.click('a-red-fox.png');
    await page.keyboard.press('F2');
    await quickInput.box.waitFor();
    await page.keyboard.type('fox');
    await page.keyboard.press('Enter');
    await limner.tasks.row('fox.png').locator(pictured).waitFor();
    await access(join(workspace, 'images', 'fox.png'));
    await limner.tasks.whenSays('make it calm', /^fox\.png · /);

    await explorer.show();
    await explorer.chooseFromMenu('images', 'Rename...');
    const name = page.locator('.explorer-item-edited input');
    await name.fill('assets');
    await name.press('Enter');
    await explorer.row('assets').waitFor();
    await limner.show();
    await limner.tasks.row('fox.png').locator(pictured).waitFor();
    await limner.tasks.chooseFromMenu('make it calm', 'Compare with Original');
    await workbench.editorTab('fox.png ↔ a-red-fox-edited.png').waitFor();
    await workbench.openFile('page.md');
    await limner.tasks.chooseFromMenu('fox.png', 'Insert into Editor');
    await page.locator('.view-lines').filter({ hasText: 'assets/fox.png' }).waitFor();
  });

  part('is found by its contents where another program or a branch has another name for it', async () => {
    const { limner, workbench, workspace } = all;
    await rename(join(workspace, 'assets/fox.png'), join(workspace, 'logo.png'));
    await limner.tasks.row('logo.png').locator(pictured).waitFor();
    await workbench.explorer.show();
    await workbench.explorer.chooseFromMenu('logo.png', 'What Is This Image?');
    await workbench.quickInput.fill('a red fox');
    await workbench.quickInput.option('a red fox').waitFor();
    await workbench.page.keyboard.press('Escape');
    await limner.show();
    // On the branch, both images have the names of the beginning.
    execFileSync('git', ['checkout', '-qf', '.'], { cwd: workspace });
    await rename(join(workspace, 'logo.png'), join(workspace, '..', 'logo.png'));
    await limner.tasks.row('a-red-fox.png').locator(pictured).waitFor();
  });

  part('can be located by the user where nothing else helps', async () => {
    const { limner, workspace } = all;
    await rename(join(workspace, 'images/a-red-fox.png'), join(workspace, '..', 'hidden.png'));
    await limner.tasks.row('a-red-fox.png').filter({ hasText: 'missing' }).waitFor();
    await limner.tasks.openMenu('a-red-fox.png', 'Locate File…');
  });
});
