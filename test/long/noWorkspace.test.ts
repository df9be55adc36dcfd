import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { story } from '../support/story.ts';
import { EditorSession } from '../host/editor/editorSession.ts';
import { projectFolder } from '../support/folders.ts';
import { LimnerView } from '../host/window/limnerView.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { Workbench } from '../host/window/workbench.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

story('a window on nothing', (part) => {
  const workspace = temporaryFolder('workspace');
  let session: EditorSession;
  let workbench: Workbench;
  let limner: LimnerView;

  before(async () => {
    await writeFile(join(workspace.path, 'page.md'), 'Here a picture is wanted.');
    session = await EditorSession.start({
      version: 'newest',
      extension: { folder: projectFolder },
      settings: { 'limner.afterSave': 'reveal' },
    });
    const user = join(session.userDataFolder, 'User');
    await mkdir(user, { recursive: true });
    await writeFile(
      join(user, 'keybindings.json'),
      JSON.stringify([{ key: 'ctrl+alt+g', command: 'limner.generate', args: { prompt: 'A wooden hare' } }]),
    );
    workbench = await session.open();
    limner = new LimnerView(workbench);
    await limner.show();
  });
  after(async () => {
    await session.dispose();
    workspace.remove();
  });
  screenshotFailures(() => workbench);

  part('says in words, also to a key binding, that there is no service', async () => {
    await workbench.page.keyboard.press('Control+Alt+G');
    await workbench.notifications.dismiss('No image service is configured');
  });

  part('asks where to save before it asks for a prompt, where there is no folder', async () => {
    await limner.useDemoService();
    await workbench.runCommand('Limner: Generate Image…');
    const question = workbench.dialog('No folder is open');
    await question.getByRole('button', { name: 'Open Folder…' }).waitFor();
    await question.getByRole('button', { name: 'Choose Folder…' }).waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  part('reveals an image, once a folder is open, and leaves the keys in the editor', async () => {
    await workbench.page.goto(session.url(workspace.path));
    await workbench.whenReady();
    await workbench.openFile('page.md');
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await workbench.page.keyboard.press('Control+Alt+G');
    await workbench.explorer.row('a-wooden-hare.png').waitFor();
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await workbench.page.keyboard.type('Still typing. ');
    await workbench.page.locator('.view-line').filter({ hasText: 'Still typing.' }).waitFor();
  });
});
