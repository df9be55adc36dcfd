import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import { story } from '../../support/story.ts';
import { EditorSession } from '../../host/editor/editorSession.ts';
import { outFolder, projectFolder } from '../../support/folders.ts';
import { LimnerView } from '../../host/window/limnerView.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import type { Workbench } from '../../host/window/workbench.ts';
import { screenshotFailures } from '../failureScreenshot.ts';

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
      settings: { 'limner.size': '512x512', 'limner.afterSave': 'nothing' },
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

  /** A step, by its title and whether it is checked off. */
  const step = (title: string, isDone: boolean): Locator =>
    workbench.page
      .locator('.getting-started-step')
      .filter({ hasText: title })
      .filter({
        has: workbench.page.locator(`.codicon-getting-started-step-${isDone ? 'checked' : 'unchecked'}`),
      });

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
