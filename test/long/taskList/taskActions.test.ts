import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { withProfile } from '../../../src/images/codecs/colorProfile.ts';
import type { TaskInput } from '../../../src/engine/task/task.ts';
import { eventually } from '../../support/eventually.ts';
import { story } from '../../support/story.ts';
import { menuFocus } from '../../host/window/contextMenu.ts';
import { profileOfLength } from '../../readers/metadata.ts';
import { exifBlock, withExif } from '../../support/images/exifFiles.ts';
import {
  passTime,
  startDemoServiceSession,
  submissionsTo,
  taskDuration,
  type DemoServiceSession,
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';
import { fillStore, storageFolder } from '../../ui/filledStore.ts';
import { pixel, savedResults, seededTask } from '../../ui/seededTask.ts';

/** PNG images: the bytes differ after their end. */
const originalBytes = Buffer.concat([pixel, Buffer.from('original')]);
const editedBytes = Buffer.concat([pixel, Buffer.from('edited')]);
/** The same after a user has worked on it. */
const drawnBytes = Buffer.concat([pixel, Buffer.from('drawn')]);

/** As long as names can be, in bytes. */
const longName = `${'photograph-'.repeat(23).slice(0, 251)}.jpg`;
/** A photograph, and the result of another program. */
const [photograph, newerPhotograph] = [await flatJpeg('red'), await flatJpeg('blue')];

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

story('what can be done with a row of the task list', (part) => {
  let all: DemoServiceSession;
  let images: string;

  before(async () => {
    all = await startDemoServiceSession({
      settings: { 'limner.confirmAbove': 1 },
      async prepare({ userData, workspace, service }) {
        images = join(workspace, 'images');
        await mkdir(images);
        await writeFile(join(workspace, 'page.md'), '# Page\n\n');
        await writeFile(join(images, 'cat.png'), originalBytes);
        await writeFile(join(images, 'cat-edited.png'), editedBytes);
        await writeFile(join(images, longName), photograph);
        await writeFile(join(images, 'scarf.png'), await turnedPng());
        await writeFile(join(images, 'old tree.png'), pixel);
        const replaced = join(storageFolder(userData), 'replaced');
        await mkdir(replaced, { recursive: true });
        for (const days of [29, 31]) {
          const file = join(replaced, `${days} days old.png`);
          const written = new Date(Date.now() - days * 24 * 3_600_000);
          await writeFile(file, pixel);
          await utimes(file, written, written);
        }
        const place = { service, workspace, images };
        const inputOf = (name: string, bytes: Uint8Array): TaskInput => ({
          uri: pathToFileURL(join(images, name)).href,
          name,
          size: bytes.length,
          mediaType: name.endsWith('.jpg') ? 'image/jpeg' : 'image/png',
          sha256: sha256(bytes),
          path: join(images, name),
        });
        await fillStore(userData, [
          seededTask(place, 'An old tree', { results: savedResults(place, 'old tree.png') }),
          seededTask(
            place,
            'A hat',
            { results: savedResults(place, 'cat-edited.png') },
            { kind: 'edit', images: [inputOf('cat.png', originalBytes)] },
          ),
          seededTask(
            place,
            'A scarf',
            { results: savedResults(place, 'scarf.png') },
            { kind: 'edit', images: [inputOf(longName, photograph)] },
          ),
          seededTask(place, 'A clock', {
            status: 'failed',
            error: { code: 'no_async_channel', message: 'No channel.', billing: 'no' },
          }),
          seededTask(place, 'A shell', {
            status: 'failed',
            error: { code: 'image_generation_failed', message: 'No.', billing: 'refunded' },
          }),
          seededTask(
            place,
            'A lamp',
            {},
            { baseUrl: 'https://images.example.com/v1', model: 'elsewhere', n: 2 },
          ),
          seededTask(place, 'A harp', {}, { baseUrl: 'http://127.0.0.1:9', free: true }),
          seededTask(place, 'An attic', { status: 'stopped', remoteId: 'task_1' }),
          seededTask(place, 'A cellar', {
            status: 'failed',
            completedAt: Date.now() - 7 * 3_600_000,
            error: { code: 'result_refused', message: 'No.', billing: 'yes' },
            results: [
              {
                index: 0,
                state: 'failed',
                url: `${service.resultHost}/images/none.png`,
                error: {
                  code: 'result_refused',
                  message: 'No.',
                  billing: 'yes',
                  refusedHost: new URL(service.resultHost).host,
                },
              },
            ],
          }),
        ]);
      },
    });
    await all.workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const whenCopied = async (text: string): Promise<void> => {
    await all.workbench.page.waitForFunction(
      async (wanted) => (await navigator.clipboard.readText()) === wanted,
      text,
    );
  };

  part('opens its image', async () => {
    await all.limner.tasks.press('An old tree', 'Open Image');
    await all.workbench.editorTab('old tree.png').waitFor();
    await all.workbench.previewedImage.waitFor();
  });

  part('copies prompt and path, from the keyboard too', async () => {
    const { limner, workbench } = all;
    await limner.tasks.chooseFromMenu('An old tree', 'Copy Path');
    await whenCopied(join(images, 'old tree.png'));
    await limner.tasks.click('A shell');
    await workbench.page.keyboard.press('Shift+F10');
    await menuFocus(workbench.page).waitFor();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.press('ArrowUp');
    await workbench.page
      .getByRole('menuitem', { name: 'Copy Prompt' })
      .and(workbench.page.locator(':focus'))
      .waitFor();
    await workbench.page.keyboard.press('Enter');
    await whenCopied('A shell');
    await limner.tasks.row('An attic').click();
    await workbench.page.keyboard.press('Control+C');
    await whenCopied('An attic');
  });

  part('reveals its image in the explorer', async () => {
    const { limner, workbench } = all;
    await limner.tasks.chooseFromMenu('An old tree', 'Reveal in Explorer');
    await workbench.explorer.row('old tree.png').waitFor();
    await limner.show();
  });

  part('inserts a reference to its image at the cursor', async () => {
    const { limner, workbench } = all;
    const { keyboard } = workbench.page;
    await workbench.openFile('page.md');
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await keyboard.press('Control+End');
    await limner.tasks.chooseFromMenu('An old tree', 'Insert into Editor');
    await workbench.page
      .locator('.view-line')
      .filter({ hasText: '![An old tree](images/old%20tree.png)' })
      .waitFor();
  });

  part('is not inserted into a log that is in sight', async () => {
    const { limner, workbench } = all;
    // The document of the test before takes the focus, and a palette that is open would close.
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Limner: Show Log');
    await workbench.page.locator('.output-view .view-line').first().waitFor();
    await limner.tasks.chooseFromMenu('An old tree', 'Insert into Editor');
    await workbench.notifications.dismiss('First open the document');
    await workbench.runCommand('View: Hide Panel');
  });

  part('compares an edited image with its original', async () => {
    await all.limner.tasks.press('A hat', 'Compare with Original');
    await all.workbench.editorTab('cat-edited.png').waitFor();
    // Both previews, which take the focus when they load.
    await all.workbench.page.locator('iframe.webview.ready:visible').nth(1).waitFor();
    // They would take it again, and close a menu, when their files change below.
    await all.workbench.runCommand('View: Close All Editors');
    await all.workbench.editorTab('cat-edited.png').waitFor({ state: 'detached' });
  });

  part('replaces the original of an edit, and puts it back once', async () => {
    const { limner, workbench } = all;
    await limner.tasks.chooseFromMenu('A hat', 'Replace Original');
    const { notifications } = workbench;
    await notifications.press('Replaced cat.png', 'Undo', async () =>
      assert.deepEqual(await readFile(join(images, 'cat.png')), editedBytes),
    );
    await notifications.dismiss('Restored cat.png');
    assert.deepEqual(await readFile(join(images, 'cat.png')), originalBytes);
  });

  part(
    'has the original it replaced compared and restored, after a reload too, whoever drew on it',
    async () => {
      const { limner, workbench } = all;
      await limner.tasks.chooseFromMenu('A hat', 'Replace Original');
      await workbench.notifications.dismiss('Replaced cat.png. The old version is kept for 30 days.');
      await workbench.reload();
      await limner.show();
      await limner.tasks.press('A hat', 'Compare with Original');
      await workbench
        .editorTab('cat-edited.png')
        .filter({ hasText: /cat\.png.*cat-edited\.png/u })
        .waitFor();
      const kept = workbench.page.locator('iframe.webview.ready:visible').first().contentFrame();
      await kept
        .frameLocator('#active-frame')
        .locator(`img[src*="${sha256(originalBytes)}"]`)
        .waitFor();
      await workbench.runCommand('View: Close All Editors');
      await workbench.editorTab('cat-edited.png').waitFor({ state: 'detached' });
      await writeFile(join(images, 'cat.png'), drawnBytes);
      await limner.tasks.chooseFromMenu('A hat', 'Restore Original');
      await workbench.pressInDialog('cat.png has changed since then. Restore it anyway?', 'Restore');
      await workbench.notifications.dismiss('Restored cat.png');
      assert.deepEqual(await readFile(join(images, 'cat.png')), originalBytes);
      // Replacing is offered again.
      await limner.tasks.openMenu('A hat', 'Replace Original');
      await workbench.page.keyboard.press('Escape');
    },
  );

  part('says when the original is missing', async () => {
    const { limner, workbench } = all;
    // In the workspace, it would be found by its contents.
    const elsewhere = join(images, '..', '..', 'moved.png');
    await rename(join(images, 'cat.png'), elsewhere);
    await limner.tasks.chooseFromMenu('A hat', 'Replace Original');
    await workbench.notifications.dismiss("cat.png wasn't found. It may have been moved or deleted.");
    await rename(elsewhere, join(images, 'cat.png'));
  });

  part(
    'replaces what the original holds at the last moment by what is seen, once that is confirmed',
    async () => {
      const { limner, workbench } = all;
      await limner.tasks.chooseFromMenu('A scarf', 'Replace Original');
      const question = 'is a JPEG of 6 × 4, the new image is a PNG of 4 × 6.';
      await workbench.dialog(question).waitFor();
      await writeFile(join(images, longName), newerPhotograph);
      await workbench.pressInDialog(question, 'Replace Anyway');
      await workbench.pressInDialog('has changed since', 'Replace');
      await workbench.notifications.dismiss('Replaced photograph-');
      const { format, width, height, orientation, icc } = await sharp(join(images, longName)).metadata();
      assert.deepEqual(
        { format, width, height, orientation },
        { format: 'jpeg', width: 4, height: 6, orientation: undefined },
      );
      assert.deepEqual(icc, await profileOfLength(500));
    },
  );

  part('keeps what it replaced for a month, whatever it was', async () => {
    const folder = join(storageFolder(all.session.userDataFolder), 'replaced');
    const kept = await readdir(folder, { recursive: true, withFileTypes: true });
    const replaced = [
      [originalBytes, 'cat.png'],
      // Until it was put back.
      [editedBytes, 'cat.png'],
      [drawnBytes, 'cat.png'],
      [photograph, `${longName.slice(0, 60)}.jpg`],
      [newerPhotograph, `${longName.slice(0, 60)}.jpg`],
    ] as const;
    assert.deepEqual(
      kept
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .toSorted(),
      [
        join(folder, '29 days old.png'),
        ...replaced.map(([bytes, name]) => join(folder, sha256(bytes), name)),
      ].toSorted(),
    );
  });

  async function whenMade(prompt: string, images: string): Promise<void> {
    const made = all.limner.tasks.description(prompt).filter({ hasText: images }).first();
    await passTime(all.service, `${prompt}: ${images}`, async () => made.isVisible());
  }

  part('runs what failed again, or synchronously where the service asks for that', async () => {
    const { limner } = all;
    await limner.tasks.press('A shell', 'Run Again');
    await whenMade('A shell', '1 image');

    await limner.tasks.press('A clock', 'Run Synchronously');
    await whenMade('A clock', '1 image');
  });

  part('stops watching and goes on', async () => {
    const { limner, service } = all;
    await limner.generate('A glass whale');
    await limner.whenProgress('A glass whale', 10);
    await limner.tasks.press('A glass whale', 'Stop Waiting');
    await limner.tasks.whenSays('A glass whale', 'stopped');
    await limner.tasks.press('A glass whale', 'Resume');
    await limner.tasks.whenSays('A glass whale', /\d% ·/);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('A glass whale');
  });

  part('saves again in another folder when the first one cannot be written', async () => {
    const { limner, service, workbench, workspace } = all;
    const away = join(workspace, 'elsewhere');
    await mkdir(join(away, 'inner'), { recursive: true });
    await limner.generate('A brass key');
    await limner.whenProgress('A brass key', 10);
    await rm(images, { recursive: true });
    await writeFile(images, 'in the way');
    await service.advance(2 * taskDuration);
    await limner.tasks.whenSays('A brass key', "couldn't be saved");
    const message = "Couldn't save the image: A file with the name of the folder exists.";
    await workbench.notifications.dismiss(message);
    await limner.tasks.press('A brass key', 'Save Again…');
    await workbench.notifications.press(message, 'Save Elsewhere…');
    // It fills its box itself once it has listed the workspace.
    await workbench.quickInput.options.filter({ hasText: 'elsewhere' }).waitFor();
    await workbench.quickInput.fill(`${away}/`);
    await workbench.quickInput.options.filter({ hasText: 'inner' }).waitFor();
    await workbench.quickInput.box.getByRole('button', { name: 'Save Here' }).click();
    await limner.whenSaved('A brass key');
    await workbench.editorTab('a-brass-key.png').waitFor();
    await access(join(away, 'a-brass-key.png'));
    await rm(images);
  });

  part('fetches from a host that was refused once the person allows it', async () => {
    const { limner, service, workbench, session } = all;
    await limner.tasks.chooseFromMenu('A cellar', 'Fetch Again');
    await workbench.pressInDialog('Fetch images from', 'Allow This Host and Fetch');
    await limner.tasks.whenSays('A cellar', 'expired');
    const settings = await readFile(join(session.userDataFolder, 'User/settings.json'), 'utf8');
    assert.ok(settings.includes(new URL(service.resultHost).host));
  });

  part('asks at which service a task of another one is run again, and sends nothing before', async () => {
    const { limner, service, workbench } = all;
    const before = await submissionsTo(service);
    await limner.tasks.whenSays('A lamp', ' · images.example.com');
    await limner.tasks.chooseFromMenu('A lamp', 'Run Again');
    const question = 'Run this again at images.example.com (as before) or at';
    const { host } = new URL(service.baseUrl);
    await workbench.dialog(question).getByRole('button', { name: host, exact: true }).waitFor();
    await workbench
      .dialog(question)
      .getByRole('button', { name: 'images.example.com', exact: true })
      .waitFor();
    await workbench.pressInDialog(question, 'Cancel');
    assert.equal(await submissionsTo(service), before);
  });

  part('asks nothing more then, however many images it makes', async () => {
    const { limner, service, workbench } = all;
    await limner.tasks.chooseFromMenu('A lamp', 'Run Again');
    await workbench.dialog('2 images · ').waitFor();
    await workbench.pressInDialog('Run this again at', new URL(service.baseUrl).host);
    await whenMade('A lamp', '2 images');
  });

  part('starts the demo service, wherever it is now, to run a task of it again', async () => {
    const { limner, service, workbench } = all;
    const before = await submissionsTo(service);
    await limner.tasks.chooseFromMenu('A harp', 'Run Again');
    await workbench.pressInDialog('Run this again at Demo (as before) or at', 'Demo');
    await limner.tasks.row('A harp').nth(1).waitFor();
    await limner.tasks.whenSays('A harp', '1 image');
    assert.equal(await submissionsTo(service), before);
  });

  part('deletes its image, and restores it', async () => {
    const { limner, workbench, workspace } = all;
    const file = join(workspace, 'elsewhere/a-brass-key.png');
    await limner.tasks.chooseFromMenu('A brass key', 'Delete Image');
    await workbench.notifications.press('Deleted a-brass-key.png', 'Undo', async () => {
      await assert.rejects(access(file));
      await limner.tasks.whenSays('A brass key', 'deleted');
    });
    await eventually('the restored file', async () => existsSync(file), Boolean);
    await limner.tasks.whenSays('A brass key', '1 image');
    await limner.tasks.chooseFromMenu('A brass key', 'Delete Image');
    await workbench.notifications.dismiss('Deleted a-brass-key.png');
    await limner.tasks.whenSays('A brass key', 'deleted');
    await limner.tasks.chooseFromMenu('A brass key', 'Restore Deleted Images');
    await limner.tasks.whenSays('A brass key', '1 image');
    assert.ok(existsSync(file));
    await limner.tasks.toggle('A brass key');
    await limner.tasks.row('a-brass-key.png').click();
    await workbench.page.keyboard.press('Delete');
    await workbench.notifications.press('Deleted a-brass-key.png', 'Undo', async () => {
      await assert.rejects(access(file), 'the key does to an image what the menu does');
    });
    await eventually('the restored file', async () => existsSync(file), Boolean);
    await limner.tasks.row('a-brass-key.png').waitFor();
  });

  part('leaves the list, and all others with it once that is confirmed', async () => {
    const { limner, workbench } = all;
    await limner.tasks.row('An attic').click();
    await workbench.page.keyboard.press('Delete');
    await workbench.dialog('The service may still have an image').waitFor();
    await workbench.pressInDialog('Remove "An attic" from the list?', 'Remove');
    await limner.tasks.row('An attic').waitFor({ state: 'detached' });
    await workbench.runCommand('Limner: Clear Finished');
    await workbench.pressInDialog('Clear the finished tasks of this workspace', 'Clear');
    // Its original can be restored still.
    await limner.tasks.rows.nth(2).waitFor({ state: 'detached' });
    await limner.tasks.chooseFromMenu('A scarf', 'Remove from List');
    await workbench.pressInDialog('can only be restored from its task', 'Remove');
    await workbench.welcomeView.waitFor();
  });
});

async function flatJpeg(background: string): Promise<Buffer> {
  return sharp({ create: { width: 6, height: 4, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** Returns an image of 6 by 4 pixels with a color profile and an orientation of a quarter turn. */
async function turnedPng(): Promise<Buffer> {
  const png = await sharp(await flatJpeg('green'))
    .png()
    .toBuffer();
  return withExif(withProfile(png, await profileOfLength(500)), exifBlock(6));
}
