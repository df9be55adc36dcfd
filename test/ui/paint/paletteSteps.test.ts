import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { story } from '../../support/story.ts';
import { chooseFromMenu } from '../../host/window/contextMenu.ts';
import { outFolder } from '../../support/folders.ts';
import { startDemoServiceSession, taskDuration } from '../demoServiceSession.ts';
import type { DemoServiceSession } from '../demoServiceSession.ts';
import { screenshotFailures } from '../failureScreenshot.ts';

const pictures = join(outFolder, 'screenshots');

story('the questions before an image is generated', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    all = await startDemoServiceSession({
      settings: {
        'limner.model': '',
        'limner.models': [
          {
            id: 'demo-painter',
            label: 'Painter',
            family: 'image',
            sizes: ['640x480', '480x640'],
            maxCount: 8,
          },
          { id: 'demo-sketch-a', family: 'native' },
        ],
      },
    });
    await writeFile(join(all.workspace, 'page.md'), 'A copper kettle');
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  part('are the model, the prompt, the size and the number of images, each with its step', async () => {
    const { workbench } = all;
    const { quickInput } = workbench;
    await workbench.runCommand('Limner: Generate Image…');
    await quickInput.option('Painter').waitFor();
    await quickInput.box.filter({ hasText: 'Generate Image (1/4)' }).waitFor();
    await workbench.screenshot(join(pictures, 'steps-model.png'));
    await quickInput.pick('Painter');
    await quickInput.box.filter({ hasText: 'Generate Image · Painter (2/4)' }).waitFor();
    await quickInput.answer('Describe the image', 'A brass key');
    await quickInput.option('480 × 640').waitFor();
    await workbench.screenshot(join(pictures, 'steps-size.png'));
  });

  part('can be gone back through, and keep what was typed', async () => {
    const { workbench } = all;
    const { quickInput } = workbench;
    await quickInput.back();
    await quickInput.box.filter({ hasText: '(2/4)' }).waitFor();
    assert.equal(await quickInput.input.inputValue(), 'A brass key');
    await workbench.page.keyboard.press('Enter');
    await quickInput.pick('480 × 640');
  });

  part('say what is wrong while it is typed, and ask again before many images', async () => {
    const { limner, service, workbench, workspace } = all;
    const { quickInput } = workbench;
    await quickInput.box.filter({ hasText: 'Number of images, 1 to 8' }).waitFor();
    await quickInput.fill('9');
    await quickInput.box.filter({ hasText: 'Enter a number from 1 to 8.' }).waitFor();
    await quickInput.fill('5');
    await workbench.page.keyboard.press('Enter');
    await workbench.pressInDialog('Make 5 images in one run?', 'Make 5 Images');
    await limner.whenProgress('A brass key', 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('A brass key');
    const images = await readdir(join(workspace, 'images'));
    assert.equal(images.filter((name) => name.startsWith('a-brass-key')).length, 5);
  });

  part(
    'offer the last values, and say why a model of the second family is not asked for a size',
    async () => {
      const { limner, service, workbench } = all;
      const { quickInput } = workbench;
      await workbench.runCommand('Limner: Generate Image…');
      await quickInput.box.filter({ hasText: 'Generate Image · Painter' }).waitFor();
      assert.equal(await quickInput.input.inputValue(), 'A brass key');
      await quickInput.press('Change Model…');
      await quickInput.pick('demo-sketch-a');
      await quickInput.box.filter({ hasText: "You can't choose size and quality" }).waitFor();
      await workbench.screenshot(join(pictures, 'steps-native.png'));
      await quickInput.answer('Describe the image', 'A green bottle');
      await limner.whenProgress('A green bottle', 20);
      await service.advance(2 * taskDuration);
      await limner.whenSaved('A green bottle');
    },
  );

  part('are not asked where the selected text is the prompt', async () => {
    const { limner, service, workbench } = all;
    await workbench.openFile('page.md');
    const text = workbench.page.locator('.monaco-editor .view-line').getByText('A copper kettle');
    await text.click();
    await workbench.page.keyboard.press('ControlOrMeta+A');
    await chooseFromMenu(text, 'Generate Image from Selected Text');
    await limner.show();
    await limner.whenProgress('A copper kettle', 20);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('A copper kettle');
  });
});
