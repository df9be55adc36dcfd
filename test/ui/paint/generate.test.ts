import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { story } from '../../support/story.ts';
import { EditorSession } from '../../host/editor/editorSession.ts';
import { projectFolder } from '../../support/folders.ts';
import { LimnerView } from '../../host/window/limnerView.ts';
import { StudioComposer } from '../../host/window/studioComposer.ts';
import { StudioView } from '../../host/window/studioView.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import type { Workbench } from '../../host/window/workbench.ts';
import { screenshotFailures } from '../failureScreenshot.ts';

story('generating an image with the demo service', (part) => {
  const workspace = temporaryFolder('workspace');
  let session: EditorSession;
  let workbench: Workbench;
  let limner: LimnerView;

  before(async () => {
    session = await EditorSession.start({ version: 'newest', extension: { folder: projectFolder } });
    workbench = await session.open(workspace.path);
    limner = new LimnerView(workbench);
    await limner.show();
  });
  after(async () => {
    await session.dispose();
    workspace.remove();
  });
  screenshotFailures(() => workbench);

  part('begins with a welcome that needs no account', async () => {
    await workbench.welcomeView.getByRole('button', { name: 'Use the Built-in Demo Service' }).waitFor();
  });

  part('is one press away in the studio, which then makes an image', async () => {
    const studio = new StudioView(workbench);
    const composer = new StudioComposer(studio);
    await studio.open();
    await composer.button('Connect to a Service…').waitFor();
    await composer.button('Use Demo Service').click();
    await workbench.notifications.dismiss('built-in demo service');
    await composer.prompt.fill('A blue whale in the sky');
    await composer.prompt.press('ControlOrMeta+Enter');
    await studio.main.getByRole('button', { name: 'Image of "A blue whale in the sky"' }).waitFor();
    await access(join(workspace.path, 'images/a-blue-whale-in-the-sky.png'));
  });

  part(
    'turns a prompt typed into the palette into an image file in the workspace, and opens it',
    async () => {
      await workbench.runCommand('View: Close All Editors');
      await limner.generate('A red fox in the snow');
      await limner.whenSaved('A red fox in the snow');

      const bytes = await readFile(join(workspace.path, 'images/a-red-fox-in-the-snow.png'));
      assert.equal(bytes.subarray(1, 4).toString('latin1'), 'PNG');
      await workbench.editorTab('a-red-fox-in-the-snow.png').waitFor();
      await workbench.previewedImage.waitFor();
    },
  );

  part('opens the image beside the text that is being written, which keeps the keys', async () => {
    await writeFile(join(workspace.path, 'page.md'), 'Here a picture is wanted.');
    await workbench.openFile('page.md');
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await limner.generate('A red hen in the rain');
    await limner.whenSaved('A red hen in the rain');
    await workbench.editorTab('a-red-hen-in-the-rain.png').waitFor();
    await workbench.previewedImage.waitFor();
    await workbench.page.keyboard.type('Still typing. ');
    await workbench.page.locator('.view-line').filter({ hasText: 'Still typing.' }).waitFor();
  });
});
