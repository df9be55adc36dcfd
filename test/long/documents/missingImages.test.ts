import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import sharp from 'sharp';
import { eventually } from '../../support/eventually.ts';
import { attempt, clickSurely } from '../../host/window/pointer.ts';
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

const page = `# The pond

![A heron at dawn](heron-96x64.png)

## Who lives there

<img src="frog.webp" srcset="frog-large.webp 640w" alt="A tree frog on a reed" width="64" height="64">

![A kingfisher](birds/kingfisher.jpg)
![](IMG_0001.png)
`;

const batch = 'Missing images in pond.md';

story('images that a document names and that are not there', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    all = await startDemoServiceSession({
      settings: { 'files.watcherExclude': { '**/unwatched/**': true } },
      async prepare({ workspace }) {
        await mkdir(join(workspace, 'docs'));
        await writeFile(join(workspace, 'docs/pond.md'), page);
      },
    });
    await all.workbench.openFile('pond.md');
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const inDocs = (file: string): string => join(all.workspace, 'docs', file);
  const hints = (): ReturnType<typeof all.workbench.page.locator> =>
    all.workbench.page.locator('.squiggly-hint');
  const sizeOf = async (file: string): Promise<string> => {
    const { format, width, height } = await sharp(await readFile(inDocs(file))).metadata();
    return `${format} ${width} × ${height}`;
  };
  const whenProposed = async (prompt: string): Promise<void> => {
    const { quickInput } = all.workbench;
    await quickInput.box.filter({ hasText: 'Describe the image' }).waitFor();
    assert.equal(await quickInput.input.inputValue(), prompt);
  };
  const goTo = async (place: string): Promise<void> => {
    const { quickInput, page: window } = all.workbench;
    await window.keyboard.press('Control+G');
    await quickInput.answer('', `:${place}`);
  };

  part('have a hint, and a quick fix that asks for the prompt and makes the file that is named', async () => {
    const { workbench, limner, service } = all;
    await hints().nth(3).waitFor();
    await goTo('3,22');
    const fix = workbench.page.getByText('Generate This Image…', { exact: true });
    // The editor may not have the focus yet, or no hint.
    await eventually(
      'the quick fix',
      async () => {
        await workbench.page.keyboard.press('Control+.');
        return fix.waitFor(attempt).then(
          () => true,
          async () => workbench.page.keyboard.press('Escape').then(() => false),
        );
      },
      Boolean,
    );
    await workbench.screenshot(join(pictures, 'missing-fix.png'));
    await workbench.page.keyboard.press('Enter');
    await whenProposed('A heron at dawn');
    // What the document says is not to be changed here: it would find no image of another name, or several.
    assert.deepEqual(await workbench.quickInput.buttons(), ['Change Model…']);
    await workbench.quickInput.acceptPrompt();
    await passTime(service, 'the heron', async () => (await limner.tasks.row('A heron at dawn').count()) > 0);
    await service.advance(1_000_000);
    await limner.whenSaved('A heron at dawn');
    assert.equal(await sizeOf('heron-96x64.png'), 'png 96 × 64');
  });

  part('are listed with their prompts, which can be changed, before any is made', async () => {
    const { workbench, service } = all;
    const { quickInput } = workbench;
    const sent = await submissionsTo(service);
    await workbench.openFile('pond.md');
    await workbench.runCommand('Limner: Generate Missing Images in This File…');
    await quickInput.box.getByPlaceholder('3 images · ').waitFor();
    await quickInput.box.getByText('Who lives there', { exact: true }).waitFor();
    await quickInput.checkboxes.filter({ hasText: '640 × 640 · the same image for other screens' }).waitFor();
    await workbench.screenshot(join(pictures, 'missing-list.png'));
    // A key that is held, as the one of the command may still be.
    await Promise.all(Array.from({ length: 12 }, async () => workbench.page.keyboard.down('Enter')));
    await workbench.page.keyboard.up('Enter');
    await quickInput.box.getByPlaceholder('Enter generates 3 images · ').waitFor();
    assert.equal(await submissionsTo(service), sent);
    const kingfisher = quickInput.checkboxes.filter({ hasText: 'kingfisher.jpg' });
    await clickSurely(kingfisher.getByRole('button', { name: 'Change Prompt' }), async () =>
      kingfisher.hover(),
    );
    await whenProposed('A kingfisher');
    await quickInput.answer('Describe the image', 'A kingfisher, diving');
    await quickInput.checkboxes.filter({ hasText: 'A kingfisher, diving' }).waitFor();
    assert.equal(await submissionsTo(service), sent);
  });

  part('are made together, in one row that says how far they are', async () => {
    const { workbench, service, limner } = all;
    // The first of them is refused.
    await injectFault(service, { kind: 'status', on: 'generations', status: 400 });
    await workbench.quickInput.acceptImages('3 images · ');
    await limner.tasks.whenSays(batch, '0 of 3 saved');
    await passTime(service, 'two of three', async () =>
      limner.tasks.says(batch, '2 of 3 saved · 1 not generated'),
    );
    await limner.tasks.toggle(batch);
    await limner.tasks.row('A kingfisher, diving').waitFor();
    await workbench.screenshot(join(pictures, 'missing-batch.png'));
  });

  part('are made again where one failed, once that is confirmed', async () => {
    const { workbench, service, limner } = all;
    await workbench.notifications.dismiss('saved 2 of 3 images');
    await limner.tasks.press(batch, 'Regenerate the Others…');
    await workbench.pressInDialog('Generate 1 image again?', 'Generate Again');
    await passTime(service, 'three of three', async () => limner.tasks.says(batch, '3 of 3 saved'));
    assert.equal(await sizeOf('frog.webp'), 'webp 64 × 64');
    assert.equal(await sizeOf('birds/kingfisher.jpg'), 'jpeg 256 × 256');
    assert.equal(await sizeOf('IMG_0001.png'), 'png 256 × 256');
    await workbench.openFile('pond.md');
    // The same picture for other screens was not asked for.
    await hints().nth(1).waitFor({ state: 'detached' });
  });

  part('lose their hint once the window has the focus again, where VS Code watches no files', async () => {
    const { workbench } = all;
    await writeFile(inDocs('unwatched.md'), '![A newt](unwatched/newt.png)\n');
    await workbench.openFile('unwatched.md');
    await hints().waitFor();
    await focusWindow(false);
    await mkdir(inDocs('unwatched'));
    await copyFile(inDocs('heron-96x64.png'), inDocs('unwatched/newt.png'));
    await focusWindow(true);
    await hints().waitFor({ state: 'detached' });
  });

  /** A headless browser always says that it has the focus. */
  async function focusWindow(isFocused: boolean): Promise<void> {
    await all.workbench.page.evaluate((focused) => {
      document.hasFocus = () => focused;
      window.dispatchEvent(new FocusEvent(focused ? 'focus' : 'blur'));
    }, isFocused);
  }
});
