import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { access, chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import * as v from 'valibot';
import { eventually } from '../support/eventually.ts';
import { story } from '../support/story.ts';
import { projectFolder } from '../support/folders.ts';
import { startDemoServiceSession, taskDuration, type DemoServiceSession } from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

const icon = join(projectFolder, 'media/icon.png');

story('a workspace whose files are an extension’s', (part) => {
  let all: DemoServiceSession;
  let onDisk: string;

  before(async () => {
    all = await startDemoServiceSession({
      scheme: 'virtual',
      async prepare({ workspace }) {
        onDisk = join(workspace, '../elsewhere');
        await mkdir(onDisk);
        await mkdir(join(workspace, 'locked'));
        await mkdir(join(workspace, 'drafts/old'), { recursive: true });
        await copyFile(icon, join(workspace, 'hero.png'));
        await copyFile(icon, join(workspace, 'locked/boat.png'));
        await chmod(join(workspace, 'locked'), 0o555);
        await writeFile(join(workspace, 'page.md'), '# Page\n\n');
      },
    });
    await all.workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  /** Lets the service finish a task whose question was just answered. */
  async function finish(prompt: string): Promise<void> {
    const { limner, service } = all;
    await limner.show();
    await limner.whenProgress(prompt, 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved(prompt);
  }

  /** Opens something else in the window, and Limner's view in it. */
  async function goTo(workspace: string): Promise<void> {
    const { limner, session, workbench } = all;
    await workbench.page.goto(session.url(workspace));
    await workbench.whenReady();
    await limner.show();
  }

  /** Answers the dialog that asks for another folder. @param listed What it shows first. */
  async function chooseDrafts(listed: string): Promise<void> {
    const { quickInput } = all.workbench;
    // It fills its box itself once it has listed where it begins.
    await quickInput.options.filter({ hasText: listed }).waitFor();
    await quickInput.fill(`${all.workspace}/drafts/`);
    await quickInput.options.filter({ hasText: 'old' }).waitFor();
    await quickInput.box.getByRole('button', { name: 'Save Here' }).click();
  }

  /** How many requests that may cost something the service has got. */
  async function submissions(): Promise<number> {
    const answer = await fetch(`${all.service.baseUrl}/demo/requests`);
    const { requests } = v.parse(requestsSchema, await answer.json());
    return requests.filter(({ method }) => method === 'POST').length;
  }

  part('takes new images, in a folder that is made for them, and opens them', async () => {
    const { limner, workbench, workspace } = all;
    await limner.generate('A paper boat');
    await finish('A paper boat');
    const bytes = await readFile(join(workspace, 'images/a-paper-boat.png'));
    assert.equal(bytes.subarray(1, 4).toString('latin1'), 'PNG');
    assert.equal(bytes.subarray(-8, -4).toString('latin1'), 'IEND');
    await workbench.editorTab('a-paper-boat.png').waitFor();
    await workbench.previewedImage.waitFor();
  });

  part('never has a file overwritten', async () => {
    const { limner, workspace } = all;
    const images = join(workspace, 'images');
    await writeFile(join(images, 'a-tin-robot.png'), 'mine');
    await limner.generate('A tin robot');
    await finish('A tin robot');
    assert.deepEqual(await readdir(images), ['a-paper-boat.png', 'a-tin-robot-2.png', 'a-tin-robot.png']);
    assert.equal(await readFile(join(images, 'a-tin-robot.png'), 'utf8'), 'mine');
  });

  part('has an edited image beside its original', async () => {
    const { limner, workbench, workspace } = all;
    await workbench.explorer.show();
    await workbench.explorer.chooseFromMenu('hero.png', 'Edit Image with Limner…');
    await limner.answerEdit('make it night');
    await finish('make it night');
    const edited = await readFile(join(workspace, 'hero-edited.png'));
    assert.equal(edited.subarray(1, 4).toString('latin1'), 'PNG');
    assert.deepEqual(await readFile(join(workspace, 'hero.png')), await readFile(icon));
    await workbench.editorTab('hero-edited.png').waitFor();
  });

  part('has its images opened, their paths copied and references to them inserted from the row', async () => {
    const { limner, workbench, workspace } = all;
    await limner.tasks.chooseFromMenu('A paper boat', 'Copy Path');
    await workbench.page.waitForFunction(
      async (wanted) => (await navigator.clipboard.readText()) === wanted,
      `virtual:${workspace}/images/a-paper-boat.png`,
    );
    await limner.tasks.press('A paper boat', 'Open Image');
    await workbench.editorTab('a-paper-boat.png').waitFor();
    await workbench.previewedImage.waitFor();
    await workbench.explorer.show();
    await workbench.explorer.row('page.md').dblclick();
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await workbench.page.keyboard.press('Control+End');
    await limner.show();
    await limner.tasks.chooseFromMenu('A paper boat', 'Insert into Editor');
    await workbench.page
      .locator('.view-line')
      .filter({ hasText: '![A paper boat](images/a-paper-boat.png)' })
      .waitFor();
  });

  part('has an image deleted without a question, and restored', async () => {
    const { limner, workbench, workspace } = all;
    await limner.tasks.chooseFromMenu('A tin robot', 'Delete Image');
    const file = join(workspace, 'images/a-tin-robot-2.png');
    await workbench.notifications.press('Deleted a-tin-robot-2.png', 'Undo', async () => {
      await assert.rejects(access(file));
    });
    await eventually('the restored file', async () => existsSync(file), Boolean);
    await limner.tasks.toggle('A tin robot');
    await limner.tasks.row('a-tin-robot-2.png').waitFor();
  });

  part(
    'asks for another folder before anything is sent where an image cannot go beside its original',
    async () => {
      const { limner, workbench, workspace } = all;
      const before = await submissions();
      await workbench.explorer.show();
      await workbench.explorer.expand('locked');
      await workbench.explorer.chooseFromMenu('boat.png', 'Edit Image with Limner…');
      await limner.answerEdit('make it gold');
      await workbench.notifications.press("locked: it's read-only", 'Save Elsewhere…', async () =>
        assert.equal(await submissions(), before),
      );
      await chooseDrafts('images');
      await finish('make it gold');
      await access(join(workspace, 'drafts/boat-edited.png'));
      assert.deepEqual(await readdir(join(workspace, 'locked')), ['boat.png']);
    },
  );

  part(
    'asks for another folder where the first one cannot be made, also outside of the workspace',
    async () => {
      const { limner, workbench, workspace } = all;
      const before = await submissions();
      await goTo(`virtual:${workspace}/locked`);
      await limner.generate('A glass whale');
      await workbench.notifications.press("locked: it's read-only", 'Save Elsewhere…', async (message) => {
        await message.getByRole('button', { name: 'Open Setting' }).waitFor();
        assert.equal(await submissions(), before);
      });
      await chooseDrafts('..');
      await finish('A glass whale');
      await access(join(workspace, 'drafts/a-glass-whale.png'));
    },
  );

  part('is refused before anything is sent where the file system is read-only', async () => {
    const { limner, workbench, workspace } = all;
    const before = await submissions();
    await goTo(`virtual-readonly:${workspace}`);
    await limner.generate('A clay owl');
    await workbench.notifications.dismiss("it's read-only", async (message) =>
      message.getByRole('button', { name: 'Open Setting' }).waitFor(),
    );
    assert.equal(await submissions(), before);
  });

  part('is refused on disk too, where a file is in the way', async () => {
    const { limner, workbench } = all;
    const before = await submissions();
    await writeFile(join(onDisk, 'images'), 'in the way');
    await goTo(onDisk);
    await limner.generate('A clay owl');
    await workbench.notifications.press("images: it's a file", 'Open Setting');
    await workbench.page.locator('.settings-editor .setting-item-label').getByText('Folder').waitFor();
    assert.equal(await submissions(), before);
  });

  part('gets an image that came while it was open nowhere', async () => {
    const { limner, service, session, workbench, workspace } = all;
    await goTo(`virtual:${workspace}`);
    await limner.generate('A brass snail');
    await limner.whenProgress('A brass snail', 10);
    await goTo(onDisk);
    await service.advance(2 * taskDuration);
    await workbench.notifications.dismiss('are kept in the inbox until their folder is available');
    const file = 'a-brass-snail.png';
    const kept = join(session.userDataFolder, 'User/globalStorage/limner.limner/inbox', file);
    const bytes = await readFile(kept);
    await workbench.welcomeView.filter({ hasText: 'No images in this workspace yet.' }).waitFor();
    await workbench.welcomeView.getByText('Show All Workspaces').click();
    await limner.tasks.whenSays('A brass snail', 'kept in the inbox');
    await goTo(`virtual:${workspace}`);
    await limner.whenSaved('A brass snail');
    assert.deepEqual(await readFile(join(workspace, 'images', file)), bytes);
  });
});

const requestsSchema = v.object({ requests: v.array(v.object({ method: v.string() })) });
