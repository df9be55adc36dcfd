import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { story } from '../support/story.ts';
import { StudioComposer } from '../host/window/studioComposer.ts';
import { StudioView } from '../host/window/studioView.ts';
import { outFolder } from '../support/folders.ts';
import { startDemoServiceSession, submissionsTo, type DemoServiceSession } from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

const pictures = join(outFolder, 'screenshots');
const improvePrompt = 'Improve Prompt';
/** What begins the page; the rest is far more than the model takes. */
const heading = 'A harbor in the north';

/** Waits until a text is in a box that can be typed into, with the focus in it. */
async function whenTyped(field: Locator, text: string): Promise<void> {
  const look = async (): Promise<string> =>
    (await field.isEnabled()) && (await field.evaluate((element) => element.matches(':focus')))
      ? field.inputValue()
      : '';
  await eventually(`the text "${text}"`, look, (seen) => seen === text);
}

story('prompts that a language model writes', (part) => {
  let all: DemoServiceSession;
  let studio: StudioView;
  let composer: StudioComposer;
  /** Before any prompt was written. */
  let submissions: number;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    all = await startDemoServiceSession({ beside: 'languageModel' });
    await writeFile(join(all.workspace, 'page.md'), `# ${heading}\n\n${'Ships come and go. '.repeat(5000)}`);
    await writeFile(join(all.workspace, 'idea.txt'), 'A copper kettle');
    studio = new StudioView(all.workbench);
    composer = new StudioComposer(studio);
    submissions = await submissionsTo(all.service);
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const button = (name: string): Locator =>
    all.workbench.quickInput.box.locator('.quick-input-titlebar').getByRole('button', { name });
  const openBox = async (): Promise<void> => {
    await all.workbench.runCommand('Limner: Generate Image…');
    await button('Change Model…').waitFor();
  };
  const closeBox = async (): Promise<void> => {
    await all.workbench.page.keyboard.press('Escape');
    await all.workbench.quickInput.box.waitFor({ state: 'hidden' });
  };
  /** Waits until the notifications of what has ended are gone: each stays for a moment. */
  const whenQuiet = async (): Promise<void> => {
    const toasts = all.workbench.page.locator('.notification-list-item');
    await eventually(
      'no notifications',
      () => toasts.count(),
      (count) => count === 0,
    );
  };
  /** Whether the Command Palette has a command. */
  const isOffered = async (title: string): Promise<boolean> => {
    const { quickInput, page } = all.workbench;
    await page.keyboard.press('F1');
    await quickInput.fill(`>${title}`);
    const none = quickInput.box.getByText(/^(?:No matching|similar) commands$/u);
    await quickInput.option(title).or(none).first().waitFor();
    const offered = await quickInput.option(title).isVisible();
    await closeBox();
    return offered;
  };

  part('are offered nowhere without one', async () => {
    await openBox();
    assert.equal(await button(improvePrompt).count(), 0);
    await closeBox();
    assert.equal(await isOffered('Limner: Improve Prompt'), false);
    assert.equal(await isOffered('Limner: Prompt from This Page'), false);
    await studio.open();
    await composer.prompt.waitFor();
    assert.equal(await composer.button(improvePrompt).count(), 0);
  });

  part('are offered once there is one, also in a studio that is open', async () => {
    await all.workbench.runCommand('Language Model: Sign In');
    await composer.button(improvePrompt).waitFor();
    assert.equal(await isOffered('Limner: Improve Prompt'), true);
  });

  part('take the place of what was typed, which stays within reach', async () => {
    const { quickInput } = all.workbench;
    await openBox();
    await quickInput.press(improvePrompt);
    await quickInput.box.filter({ hasText: 'Enter a prompt.' }).waitFor();
    await quickInput.fill('A brass key');
    await quickInput.press(improvePrompt);
    await whenTyped(quickInput.input, 'A brass key, at dawn');
    await all.workbench.screenshot(join(pictures, 'prompt-improved.png'));
    await quickInput.press(improvePrompt);
    await whenTyped(quickInput.input, 'A brass key, at dawn, at dawn');
    await quickInput.fill('');
    await quickInput.option('A brass key').waitFor();
    assert.match(await quickInput.options.first().innerText(), /A brass key, at dawn/u);
    await closeBox();
  });

  for (const [what, prompt, message] of [
    ['may not be used', 'A key without permission', 'Limner may not use the language model Echo.'],
    ['is used up', 'A key without quota', 'Nothing is left for today'],
    ['says nothing', 'A key without words', 'Echo returned nothing.'],
    ['goes on and on', 'A key without end', "Echo didn't answer with a prompt."],
  ] as const) {
    part(`leave what was typed where the model ${what}`, async () => {
      const { notifications, quickInput } = all.workbench;
      await openBox();
      await quickInput.fill(prompt);
      await quickInput.press(improvePrompt);
      // Only once the box is back: to clear the message away takes the focus from it.
      await notifications.dismiss(message);
      assert.equal(await quickInput.input.inputValue(), prompt);
      await closeBox();
    });
  }

  part('can be cancelled, in the notification and by Escape, and leave what was typed', async () => {
    const { notifications, page, quickInput } = all.workbench;
    const prompt = 'A key without an answer';
    await openBox();
    await quickInput.fill(prompt);
    await whenQuiet();
    await quickInput.press(improvePrompt);
    await notifications.press('Improving the prompt with Echo', 'Cancel');
    await whenTyped(quickInput.input, prompt);
    await quickInput.press(improvePrompt);
    await quickInput.box.locator('.monaco-progress-container.active').waitFor();
    await page.keyboard.press('Escape');
    await whenTyped(quickInput.input, prompt);
    await closeBox();
  });

  part('are made of the selected text, and of a page, as much of it as the model takes', async () => {
    const { page, quickInput } = all.workbench;
    await all.workbench.openFile('idea.txt');
    await page.locator('.monaco-editor .view-line').getByText('A copper kettle').click();
    await page.keyboard.press('ControlOrMeta+A');
    await all.workbench.runCommand('Limner: Improve Prompt');
    await quickInput.box.filter({ hasText: 'Generate Image ·' }).waitFor();
    await whenTyped(quickInput.input, 'A copper kettle, at dawn');
    await closeBox();
    await all.workbench.openFile('page.md');
    await all.workbench.runCommand('Limner: Prompt from This Page');
    await quickInput.box.filter({ hasText: 'Generate Image ·' }).waitFor();
    await whenTyped(quickInput.input, `${heading}, at dawn`);
    await closeBox();
  });

  part('come into the studio as one change, which is undone as usual', async () => {
    const { notifications, page } = all.workbench;
    await studio.open();
    await composer.prompt.fill('A tin drum');
    await composer.button(improvePrompt).click();
    await eventually(
      'the improved prompt',
      () => composer.prompt.inputValue(),
      (seen) => seen === 'A tin drum, at dawn',
    );
    await studio.frame.locator('.undo-bar').getByText('Improved the prompt').waitFor();
    await all.workbench.screenshot(join(pictures, 'studio-improved.png'));
    await composer.prompt.click();
    await page.keyboard.press('ControlOrMeta+Z');
    await whenTyped(composer.prompt, 'A tin drum');
    await composer.prompt.fill('A drum without quota');
    await composer.button(improvePrompt).click();
    await studio.frame.getByText('Nothing is left for today').waitFor();
    assert.equal(await composer.prompt.inputValue(), 'A drum without quota');
    await composer.prompt.fill('A drum without an answer');
    await whenQuiet();
    await composer.button(improvePrompt).click();
    await notifications.press('Improving the prompt with Echo', 'Cancel');
    await composer.button(improvePrompt).waitFor();
    assert.equal(await composer.prompt.inputValue(), 'A drum without an answer');
  });

  part('are no longer offered once there is none, and never sent by themselves', async () => {
    await all.workbench.runCommand('Language Model: Sign Out');
    await composer.button(improvePrompt).waitFor({ state: 'hidden' });
    assert.equal(await isOffered('Limner: Improve Prompt'), false);
    assert.equal(await submissionsTo(all.service), submissions);
  });
});
