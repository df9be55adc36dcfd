import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { EditorSession } from '../host/editor/editorSession.ts';
import { projectFolder } from '../support/folders.ts';
import { LimnerView } from '../host/window/limnerView.ts';
import { story } from '../support/story.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { Workbench } from '../host/window/workbench.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

/** Made by `npm run package`. */
const vsix = join(projectFolder, 'limner.vsix');

story('the package, installed into a clean VS Code', (part) => {
  const workspace = temporaryFolder('workspace');
  let session: EditorSession;
  let workbench: Workbench;
  let limner: LimnerView;

  before(async () => {
    await access(vsix);
    session = await EditorSession.start({ version: 'newest', extension: { vsix }, builtIn: 'all' });
    workbench = await session.open(workspace.path);
    limner = new LimnerView(workbench);
  });
  after(async () => {
    await session?.dispose();
    workspace.remove();
  });
  screenshotFailures(() => workbench);

  part('welcomes a person who has no account', async () => {
    await limner.show();
    await workbench.welcomeView.getByRole('button', { name: 'Use the Built-in Demo Service' }).click();
    await workbench.notifications.press('built-in demo service', 'Generate Image…');
  });

  part('generates an image with nothing but what it brings along', async () => {
    const prompt = 'A bridge over a river';
    await workbench.quickInput.answer('Describe the image', prompt);
    await limner.whenSaved(prompt);
    const bytes = await readFile(join(workspace.path, 'images/a-bridge-over-a-river.png'));
    assert.equal(bytes.subarray(1, 4).toString('latin1'), 'PNG');
    await workbench.webview.locator('img').waitFor();
  });

  part('has a page without frames that stay empty', async () => {
    await workbench.runCommand('Extensions: Show Installed Extensions');
    await workbench.page.locator('.extension-list-item').filter({ hasText: 'Limner' }).click();
    await workbench.webview.getByRole('heading', { name: 'What Limner promises' }).waitFor();
    assert.equal(await workbench.webview.locator('img').count(), 0);
  });
});
