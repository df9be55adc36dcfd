import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { StudioView } from '../host/window/studioView.ts';
import { drag } from '../host/window/pointer.ts';
import { story } from '../support/story.ts';
import { startDemoServiceSession, type DemoServiceSession } from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { fillStore } from '../ui/filledStore.ts';
import { pixel, savedResults, seededTask } from '../ui/seededTask.ts';

story('a result of the studio', (part) => {
  let all: DemoServiceSession;
  let studio: StudioView;
  const image = (): Locator => studio.main.getByRole('button', { name: 'Image of "A pier"', exact: true });
  const choose = async (action: string): Promise<void> => {
    await image().click({ button: 'right' });
    await studio.main.getByRole('menuitem', { name: action, exact: true }).press('Enter');
  };

  before(async () => {
    all = await startDemoServiceSession({
      builtIn: 'all',
      async prepare({ userData, workspace, service }) {
        const images = join(workspace, 'images');
        await mkdir(images);
        await mkdir(join(workspace, 'assets'));
        await writeFile(join(workspace, 'assets/page.md'), '# Page\n\n');
        await writeFile(join(images, 'pier.png'), pixel);
        await writeFile(join(images, 'old pier.png'), pixel);
        const place = { service, workspace, images };
        const original = join(images, 'old pier.png');
        await fillStore(userData, [
          seededTask(
            place,
            'A pier',
            { results: savedResults(place, 'pier.png') },
            {
              kind: 'edit',
              images: [
                {
                  uri: pathToFileURL(original).href,
                  name: 'old pier.png',
                  size: pixel.length,
                  mediaType: 'image/png',
                  sha256: '',
                  path: original,
                },
              ],
            },
          ),
        ]);
      },
    });
    await all.workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    studio = new StudioView(all.workbench);
    await studio.open();
    await studio.main.getByRole('tab', { name: 'History' }).click();
    await studio.main.getByRole('option', { name: 'A pier' }).click();
    await all.workbench.page.keyboard.press('Enter');
    await studio.main.getByRole('button', { name: 'Back to All Results' }).click();
    await image().waitFor();
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const whenCopied = async (text: string): Promise<void> => {
    await all.workbench.page.waitForFunction(
      async (wanted) => (await navigator.clipboard.readText()) === wanted,
      text,
    );
  };

  part('is copied as a path, and as what shows it', async () => {
    await choose('Copy Path');
    await whenCopied(join(all.workspace, 'images/pier.png'));
    for (const [form, text] of [
      ['Relative Path', 'images/pier.png'],
      ['Markdown', '![old pier](images/pier.png)'],
      ['HTML', '<img src="images/pier.png" alt="old pier" width="1" height="1">'],
      ['CSS', 'url("images/pier.png")'],
    ] as const) {
      await choose('Copy As…');
      await all.workbench.quickInput.pick(form);
      await whenCopied(text);
    }
  });

  part('is shown in the explorer, and beside its original', async () => {
    const { workbench, limner } = all;
    await choose('Reveal in Explorer');
    await workbench.explorer.row('pier.png').first().waitFor();
    await limner.show();
    await choose('Compare with Original');
    await workbench.editorTab('pier.png').waitFor();
  });

  part('is there again when the studio was hidden for an instant', async () => {
    await studio.tab.click();
    await image().waitFor();
    await all.workbench.runCommand('View: Close Other Editors in Group');
    await image().waitFor();
  });

  part('is inserted into the document beside the studio, or behind it', async () => {
    const { workbench } = all;
    await choose('Insert into Editor');
    await workbench.notifications.dismiss('First open the document');
    await workbench.openFile('page.md');
    await studio.open();
    await choose('Insert into Editor');
    await workbench.page.locator('.view-line').filter({ hasText: '](../images/pier.png)' }).waitFor();
    await workbench.page.keyboard.press('Control+Z');
    // The editor takes the focus once more after the text is there: what is typed then goes into it.
    await workbench.page.locator('.sidebar').getByRole('button', { name: 'Open Studio' }).click();
    await image().waitFor();
  });

  part('is shown with its prompt by a document that it is dropped on', async () => {
    const { workbench } = all;
    await workbench.openFile('page.md');
    await workbench.runCommand('View: Move Editor into Right Group');
    await studio.open();
    const line = workbench.page.locator('.monaco-editor .view-line').first();
    await drag(
      workbench.page,
      image(),
      { of: line },
      {
        keys: ['Shift'],
        ready: workbench.page.locator('.monaco-editor .dnd-target'),
      },
    );
    // The pane is narrow, so the line is wrapped.
    await workbench.page.locator('.view-line').filter({ hasText: 'pier](../images/pier' }).waitFor();
    assert.ok(await image().isVisible());
  });
});
