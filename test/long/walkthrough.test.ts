import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import { story } from '../support/story.ts';
import { EditorSession } from '../host/editor/editorSession.ts';
import { outFolder, projectFolder } from '../support/folders.ts';
import { LimnerView } from '../host/window/limnerView.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { Workbench } from '../host/window/workbench.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

/** A step, by its title and whether it is checked off. */
function stepOf({ page }: Workbench, title: string, isDone: boolean): Locator {
  return page
    .locator('.getting-started-step')
    .filter({ hasText: title })
    .filter({ has: page.locator(`.codicon-getting-started-step-${isDone ? 'checked' : 'unchecked'}`) });
}

story('the walkthrough', (part) => {
  const workspace = temporaryFolder('workspace');
  const pictures = join(outFolder, 'screenshots');
  let session: EditorSession;
  let workbench: Workbench;
  let limner: LimnerView;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    await writeFile(join(workspace.path, 'page.md'), 'Here an image is wanted.');
    session = await EditorSession.start({
      version: 'newest',
      extension: { folder: projectFolder },
      settings: { 'limner.size': '256x256', 'limner.afterSave': 'nothing' },
    });
    workbench = await session.open(workspace.path);
    limner = new LimnerView(workbench);
    await limner.show();
  });
  after(async () => {
    await session.dispose();
    workspace.remove();
  });
  screenshotFailures(() => workbench);

  const step = (title: string, isDone: boolean): Locator => stepOf(workbench, title, isDone);

  part('opens from the welcome', async () => {
    await workbench.welcomeView.getByText('Take a look around').click();
    await step('Try the demo, or connect to a service', false).waitFor();
    await step('Compose, mask, and compare in the studio', false).waitFor();
    await workbench.screenshot(join(pictures, 'walkthrough.png'));
  });

  part('checks a step off once it is done, whichever way', async () => {
    await limner.useDemoService();
    await step('Try the demo, or connect to a service', true).waitFor();
    await step('Generate an image', false).waitFor();
    await limner.generate('A paper boat');
    await step('Generate an image', true).waitFor();
    await step('Edit an image', false).waitFor();
  });
});

story('a walkthrough that is opened later', (part) => {
  const workspace = temporaryFolder('workspace');
  let session: EditorSession;
  let workbench: Workbench;

  before(async () => {
    session = await EditorSession.start({
      version: 'newest',
      extension: { folder: projectFolder },
      settings: { 'limner.size': '256x256', 'limner.afterSave': 'nothing' },
    });
    workbench = await session.open(workspace.path);
  });
  after(async () => {
    await session.dispose();
    workspace.remove();
  });
  screenshotFailures(() => workbench);

  part('has checked off what was done before', async () => {
    const limner = new LimnerView(workbench);
    await limner.show();
    await limner.useDemoService();
    await limner.generate('A paper boat');
    await limner.whenSaved('A paper boat');
    await workbench.runCommand('Welcome: Open Walkthrough...');
    await workbench.quickInput.pick('Get Started with Limner');
    await stepOf(workbench, 'Try the demo, or connect to a service', true).waitFor();
    await stepOf(workbench, 'Generate an image', true).waitFor();
    await stepOf(workbench, 'Edit an image', false).waitFor();
  });
});
