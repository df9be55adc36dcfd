import assert from 'node:assert/strict';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { story } from '../support/story.ts';
import { projectFolder } from '../support/folders.ts';
import { draw, type Place } from '../host/window/pointer.ts';
import { StudioComposer } from '../host/window/studioComposer.ts';
import { StudioView } from '../host/window/studioView.ts';
import { startDemoServiceSession, taskDuration, type DemoServiceSession } from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { pictures } from '../ui/pictures.ts';

const finished = 'A lighthouse at dusk';
const running = 'A fox in the snow';
const edited = 'Make it night';
const lake = 'A mountain lake at dawn';
const boat = 'Add a red boat';

/** Color themes of the newest VS Code by the name of their screenshot, with the class of such a window. */
const themes = {
  generate: { theme: 'Light Modern', className: 'vs' },
  'generate-dark': { theme: 'Dark Modern', className: 'vs-dark' },
  'generate-high-contrast': { theme: 'Dark High Contrast', className: 'hc-black' },
};

story('what Limner shows', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    all = await startDemoServiceSession({ builtIn: 'all', settings: { 'limner.size': '512x512' } });
    const { limner, service, workbench, workspace } = all;
    await copyFile(join(projectFolder, 'media/icon.png'), join(workspace, 'hero.png'));
    await workbench.page.setViewportSize({ width: 1000, height: 640 });
    await limner.generate(finished);
    await limner.whenProgress(finished, 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved(finished);
    await workbench.previewedImage.waitFor();
    await limner.generate(running);
    await limner.whenProgress(running, 10);
    await service.advance(0.45 * taskDuration);
    await limner.whenProgress(running, 60);
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  for (const [name, { theme, className }] of Object.entries(themes)) {
    part(`is the picture beside the task list, in the theme ${theme}`, async () => {
      const { workbench, limner } = all;
      await workbench.setColorTheme(theme);
      await workbench.page.locator(`.monaco-workbench.${className}`).waitFor();
      await limner.tasks.row(finished).waitFor();
      await workbench.previewedImage.waitFor();
      await workbench.screenshot(join(pictures, `${name}.jpg`));
    });
  }

  part('has room for the label and the buttons of a row in a narrow side bar, in high contrast', async () => {
    const { workbench, limner } = all;
    await workbench.setColorTheme('Light High Contrast');
    await workbench.resizeSideBar(170);
    const row = limner.tasks.row(finished);
    await row.hover();
    const measure = async (): Promise<{ room: number; end: number }> => {
      const button = await row.getByRole('button', { name: 'Open Image' }).boundingBox();
      const label = await row.locator('.label-name').boundingBox();
      const bar = await workbench.page.locator('.part.sidebar').boundingBox();
      assert.ok(button && label && bar);
      return { room: button.x - label.x, end: bar.x + bar.width - button.x - button.width };
    };
    await eventually('room in the row', measure, ({ room, end }) => end >= 0 && room > 30);
  });

  part('is the same in a narrow side bar', async () => {
    const { workbench, limner } = all;
    await workbench.setColorTheme('Light Modern');
    await limner.tasks.row(running).waitFor();
    await workbench.screenshot(join(pictures, 'generate-narrow.jpg'));
    await workbench.resizeSideBar(300);
  });

  part('is an edit beside its original', async () => {
    const { limner, service, workbench } = all;
    await workbench.explorer.show();
    await workbench.explorer.chooseFromMenu('hero.png', 'Edit Image with Limner…');
    await limner.answerEdit(edited);
    await limner.show();
    await limner.whenProgress(edited, 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved(edited);
    await limner.whenSaved(running);
    await limner.tasks.press(edited, 'Compare with Original');
    for (const side of [0, 1]) {
      const preview = workbench.page.locator('iframe.webview.ready:visible').nth(side).contentFrame();
      // VS Code adds the image once it is loaded.
      await preview.frameLocator('#active-frame').locator('img').waitFor();
    }
    await workbench.screenshot(join(pictures, 'edit.png'));
  });

  part('is what can be done with a task', async () => {
    const { limner, workbench } = all;
    await limner.tasks.openMenu(edited, 'Replace Original');
    await workbench.screenshot(join(pictures, 'actions.png'));
    await workbench.page.keyboard.press('Escape');
  });

  part('is the check of a key', async () => {
    const { service, workbench } = all;
    await workbench.runCommand('Limner: Connect to a Service…');
    await workbench.quickInput.pick('New Service…');
    await workbench.quickInput.answer('Service URL', service.baseUrl);
    await workbench.quickInput.answer('API key for', 'sk-wrong');
    await workbench.quickInput.option('Enter Another API Key').waitFor();
    await workbench.screenshot(join(pictures, 'connect.png'));
  });

  story('in the studio', (part) => {
    let studio: StudioView;
    let composer: StudioComposer;

    before(async () => {
      const { workbench } = all;
      await workbench.page.keyboard.press('Escape');
      await workbench.runCommand('View: Close All Editors');
      await workbench.page.setViewportSize({ width: 1000, height: 700 });
      studio = new StudioView(workbench);
      composer = new StudioComposer(studio);
      await studio.open();
    });

    /** Sends the draft and waits for its image. */
    async function send(prompt: string): Promise<void> {
      const { limner, service, workbench } = all;
      await limner.show();
      await composer.prompt.press('ControlOrMeta+Enter');
      await limner.whenProgress(prompt, 10);
      await service.advance(2 * taskDuration);
      await limner.whenSaved(prompt);
      await workbench.runCommand('View: Close Primary Side Bar');
      await studio.main.getByRole('button', { name: `Image of "${prompt}"` }).click();
    }

    async function show(theme: keyof typeof themes, name: string): Promise<void> {
      const { workbench } = all;
      await workbench.setColorTheme(themes[theme].theme);
      await studio.frame.locator(`body[data-vscode-theme-name="${themes[theme].theme}"]`).waitFor();
      await workbench.screenshot(join(pictures, `${name}.jpg`));
    }

    part('is a mask that is painted', async () => {
      const { workbench } = all;
      await composer.prompt.fill(lake);
      await composer.size('Landscape').check();
      await send(lake);
      await studio.main.getByRole('button', { name: 'Use as Input' }).click();
      await composer.button('Paint Mask').click();
      await composer.prompt.fill(boat);
      const at = (x: number, y: number): Place => ({
        of: studio.main.locator('.mask-surface'),
        part: { x, y },
      });
      await draw(workbench.page, at(0.4, 0.84), at(0.6, 0.84), at(0.57, 0.77), at(0.43, 0.77));
      await composer.button('Edit Masked Area').waitFor();
      await show('generate', 'studio');
    });

    part('is a result beside its original', async () => {
      await send(boat);
      await studio.main.getByRole('button', { name: 'Compare' }).click();
      await show('generate-dark', 'studio-dark');
    });

    part('is all that came of it', async () => {
      await studio.main.getByRole('button', { name: 'Back to All Results' }).click();
      await show('generate-high-contrast', 'studio-high-contrast');
    });
  });
});
