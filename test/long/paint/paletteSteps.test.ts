import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { story } from '../../support/story.ts';
import { chooseFromMenu } from '../../host/window/contextMenu.ts';
import { StudioComposer } from '../../host/window/studioComposer.ts';
import { StudioView } from '../../host/window/studioView.ts';
import { outFolder } from '../../support/folders.ts';
import {
  startDemoServiceSession,
  submissionsTo,
  taskDuration,
  type DemoServiceSession,
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';

const pictures = join(outFolder, 'screenshots');

story('the box that asks for a prompt', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    all = await startDemoServiceSession({
      settings: {
        'limner.model': '',
        'limner.afterSave': 'nothing',
        'limner.models': [
          {
            id: 'demo-painter',
            label: 'Painter',
            family: 'image',
            sizes: ['640x480', '480x640'],
            maxCount: 8,
          },
          { id: 'demo-sketch-a', family: 'native' },
          { id: 'elsewhere', service: 'https://images.example.com' },
        ],
      },
    });
    await writeFile(join(all.workspace, 'page.md'), 'A copper kettle');
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const open = async (): Promise<void> => all.workbench.runCommand('Limner: Generate Image…');
  const saves = async (prompt: string): Promise<void> => {
    await all.limner.show();
    await all.limner.whenProgress(prompt, 10);
    await all.service.advance(2 * taskDuration);
    await all.limner.whenSaved(prompt);
  };

  part('comes after the choice of a model where none is set, among those of this service', async () => {
    const { quickInput } = all.workbench;
    await open();
    await quickInput.option('Painter').waitFor();
    await quickInput.option('Add Model…').waitFor();
    assert.equal(await quickInput.option('elsewhere').count(), 0);
    await all.workbench.screenshot(join(pictures, 'prompt-model.png'));
    await quickInput.pick('Painter');
  });

  part('says what Enter will do, at which service', async () => {
    const { host } = new URL(all.service.baseUrl);
    const title = `Generate Image · Painter · 1 image · may be billed · ${host} · 256 × 256 · images/`;
    await all.workbench.quickInput.box.filter({ hasText: title }).waitFor();
    await all.workbench.screenshot(join(pictures, 'prompt-box.png'));
  });

  part('lets each part of that be changed, and keeps what was typed', async () => {
    const { quickInput, page } = all.workbench;
    await quickInput.fill('A brass key');
    await quickInput.press('Change Size…');
    await quickInput.option('640 × 480').waitFor();
    await quickInput.fill('a brick');
    await page.keyboard.press('Enter');
    await quickInput.box.filter({ hasText: 'Enter width and height in pixels' }).waitFor();
    await quickInput.fill('64*48');
    await quickInput.option('64 × 48').waitFor();
    await page.keyboard.press('Enter');
    await quickInput.box.filter({ hasText: '· 64 × 48 ·' }).waitFor();
    await quickInput.press('Change Size…');
    await quickInput.pick('480 × 640');
    await quickInput.box.filter({ hasText: '· 480 × 640 ·' }).waitFor();
    await quickInput.press('Change Number of Images…');
    await quickInput.box.filter({ hasText: 'Number of images, 1 to 8' }).waitFor();
    await quickInput.fill('9');
    await quickInput.box.filter({ hasText: 'Enter a number from 1 to 8.' }).waitFor();
    await quickInput.answer('Enter a number from 1 to 8.', '5');
    await quickInput.box.filter({ hasText: '5 images · ' }).waitFor();
    await quickInput.press('Change Model…');
    await quickInput.option('demo-sketch-a').waitFor();
    await all.workbench.page.keyboard.press('Escape');
    await quickInput.box.filter({ hasText: '5 images · ' }).waitFor();
    assert.equal(await quickInput.input.inputValue(), 'A brass key');
  });

  part('asks before many images', async () => {
    await all.workbench.page.keyboard.press('Enter');
    await all.workbench.pressInDialog('Generate 5 images in one run?', 'Generate 5 Images');
    await saves('A brass key');
    const images = await readdir(join(all.workspace, 'images'));
    assert.equal(images.filter((name) => name.startsWith('a-brass-key')).length, 5);
  });

  part('begins empty with the earlier prompts below, and buys nothing for a stray Enter', async () => {
    const { quickInput, page } = all.workbench;
    const before = await submissionsTo(all.service);
    await open();
    await quickInput.option('A brass key').waitFor();
    assert.equal(await quickInput.input.inputValue(), '');
    await all.workbench.screenshot(join(pictures, 'prompt-earlier.png'));
    await page.keyboard.press('Enter');
    await quickInput.box.filter({ hasText: 'Enter a prompt.' }).waitFor();
    assert.equal(await quickInput.input.inputValue(), '');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await quickInput.options.first().waitFor({ state: 'hidden' });
    assert.equal(await quickInput.input.inputValue(), 'A brass key');
    // What was changed for the run before does not hold for this one.
    await quickInput.box.filter({ hasText: '1 image · may be billed' }).waitFor();
    await quickInput.fill('A brass bell');
    await page.keyboard.press('Escape');
    await open();
    await quickInput.option('A brass bell').waitFor();
    await all.workbench.screenshot(join(pictures, 'prompt-unsent.png'));
    await page.keyboard.press('Escape');
    assert.equal(await submissionsTo(all.service), before);
  });

  part('says what a model of the second family does not support', async () => {
    const { quickInput } = all.workbench;
    await open();
    await quickInput.press('Change Model…');
    await quickInput.pick('demo-sketch-a');
    await quickInput.box.filter({ hasText: "This model doesn't support size and quality." }).waitFor();
    await quickInput.press('Change Number of Images…');
    await quickInput.answer('Number of images', '1');
    await all.workbench.screenshot(join(pictures, 'prompt-native.png'));
    await quickInput.answer('Describe the image', 'A green bottle');
    await saves('A green bottle');
  });

  part('opens with the selected text, which the Enter of the command does not send', async () => {
    const { quickInput, page } = all.workbench;
    await all.workbench.openFile('page.md');
    const text = page.locator('.monaco-editor .view-line').getByText('A copper kettle');
    await text.click();
    await page.keyboard.press('ControlOrMeta+A');
    await chooseFromMenu(text, 'Generate Image from Selected Text…');
    await quickInput.box.filter({ hasText: 'Describe the image' }).waitFor();
    assert.equal(await quickInput.input.inputValue(), 'A copper kettle');
    const before = await submissionsTo(all.service);
    await page.keyboard.press('Enter');
    await quickInput.box.filter({ hasText: 'Press Enter again to send this prompt.' }).waitFor();
    assert.equal(await submissionsTo(all.service), before);
    await page.keyboard.press('Enter');
    await saves('A copper kettle');
  });

  part('names another service before anything is sent there', async () => {
    const { quickInput, page } = all.workbench;
    const before = await submissionsTo(all.service);
    await open();
    await quickInput.fill('A tin drum');
    await quickInput.press('Change Model…');
    await quickInput.pick('Connect to a Service…');
    await quickInput.pick('New Service…');
    await quickInput.answer('Service URL', 'http://127.0.0.1:9/v1');
    await quickInput.answer('API key for', 'sk-anything');
    await quickInput.option('Check Again').waitFor();
    await quickInput.pick('Save Anyway');
    await quickInput.answer('Model ID', 'some-model');
    await quickInput.pick('Standard Image API');
    await quickInput.box.filter({ hasText: 'Describe the image' }).waitFor();
    await page.keyboard.press('Enter');
    await quickInput.box.filter({ hasText: 'Generate Image · some-model' }).waitFor();
    assert.equal(await quickInput.input.inputValue(), 'A tin drum');
    assert.equal(await submissionsTo(all.service), before);
    await page.keyboard.press('Escape');
  });

  part('hands over to the studio what was typed', async () => {
    const { quickInput } = all.workbench;
    await open();
    await quickInput.fill('A tin drum');
    await quickInput.press('Open in Studio');
    const studio = new StudioView(all.workbench);
    await studio.whenShown();
    const composer = new StudioComposer(studio);
    await composer.prompt.filter({ visible: true }).waitFor();
    assert.equal(await composer.prompt.inputValue(), 'A tin drum');
  });
});
