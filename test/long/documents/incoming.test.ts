import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { drag } from '../../host/window/pointer.ts';
import { eventually } from '../../support/eventually.ts';
import { story } from '../../support/story.ts';
import {
  passTime,
  startDemoServiceSession,
  submissionsTo,
  type DemoServiceSession,
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';
import { pictures } from '../../ui/pictures.ts';
import { blankPng } from '../../ui/blankPng.ts';

const picture = blankPng(64, 48);
const walk = `# A walk to the sea

The path begins behind the church. Old boats lie on the sand.

Take the bus back.
`;

story('images that come into documents', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    all = await startDemoServiceSession({
      async prepare({ workspace }) {
        await mkdir(join(workspace, 'images'));
        await writeFile(join(workspace, 'images/old-pier.png'), picture);
        await writeFile(join(workspace, 'page.html'), '<h1>Piers</h1>\n\n');
        await writeFile(join(workspace, 'guide.adoc'), '= Piers\n\n');
        await writeFile(join(workspace, 'walk.md'), walk);
      },
    });
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const line = (text: string) => all.workbench.page.locator('.view-line').filter({ hasText: text });

  /** Puts the cursor at the end of a document. */
  const openAtEnd = async (name: string, text: string): Promise<void> => {
    const { workbench } = all;
    await workbench.openFile(name);
    await line(text).first().click();
    await workbench.page.keyboard.press('Control+End');
  };

  /** Pastes a picture, as from a screenshot: the clipboard has no name for it. */
  const pastePicture = async (): Promise<void> => {
    await all.workbench.page.evaluate(
      (bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], 'image.png', { type: 'image/png' }));
        const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
        document.activeElement?.dispatchEvent(paste);
      },
      [...picture],
    );
  };

  part('are shown by what a page has for them when they are dragged from the explorer', async () => {
    const { workbench } = all;
    await workbench.openFile('page.html');
    const { explorer, page } = workbench;
    await explorer.show();
    await explorer.expand('images');
    await drag(
      page,
      explorer.row('old-pier.png').locator('.label-name'),
      { of: line('Piers').first() },
      { keys: ['Shift'], ready: page.locator('.monaco-editor .dnd-target') },
    );
    await line('<img src="images/old-pier.png" alt="old pier" width="64" height="48">').waitFor();
    await page.keyboard.press('Control+Z');
    await line('<img src="images/old-pier.png"').waitFor({ state: 'detached' });
  });

  part('are saved and shown when they are pasted', async () => {
    await openAtEnd('guide.adoc', '= Piers');
    await pastePicture();
    await line('image::images/pasted-image.png[""]').waitFor();
    assert.deepEqual(await readFile(join(all.workspace, 'images/pasted-image.png')), picture);
  });

  part('are edited if that is what a person chooses, and the new one takes their place', async () => {
    const { workbench, service, workspace } = all;
    const { page, quickInput } = workbench;
    await openAtEnd('page.html', 'Piers');
    const sent = await submissionsTo(service);
    await pastePicture();
    await line('<img src="images/pasted-image-2.png" alt="">').waitFor();
    await page.locator('.post-edit-widget').click();
    const edit = page.getByText('Save and Edit with Limner…');
    await edit.waitFor();
    await workbench.screenshot(join(pictures, 'paste.png'));
    await edit.click();
    await quickInput.box.filter({ hasText: 'Edit pasted-image-2.png' }).waitFor();
    await line('<img src="images/pasted-image-2.png" alt="">').waitFor();
    assert.deepEqual(await quickInput.buttons(), ['Change Model…']);
    await page.keyboard.type('At night');
    await page.keyboard.press('Enter');
    const saved = line('<img src="images/pasted-image-2-edited.png" alt="">');
    await passTime(service, 'the edited image in the page', async () => saved.isVisible());
    assert.equal(await submissionsTo(service), sent + 1);
    await eventually(
      'the page on disk, saved or not',
      async () => readFile(join(workspace, 'page.html'), 'utf8'),
      (text) => !text.includes('pasted-image-2.png'),
    );
  });

  part('are made of the sentence at the cursor, and shown below its paragraph', async () => {
    const { workbench, service, workspace } = all;
    const { quickInput } = workbench;
    await workbench.openFile('walk.md');
    await line('Old boats').click();
    await workbench.runCommand('Limner: Insert Image Below Selection…');
    await quickInput.box.filter({ hasText: 'Generate Image' }).waitFor();
    await quickInput.acceptPrompt();
    const image = line('![Old boats');
    await passTime(service, 'the image in the document', async () => image.isVisible());
    await workbench.openFile('walk.md');
    await image.waitFor();
    await workbench.screenshot(join(pictures, 'below.png'));
    assert.ok(existsSync(join(workspace, 'images/old-boats-lie-on-the-sand.png')));
  });
});
