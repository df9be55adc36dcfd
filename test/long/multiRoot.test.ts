import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { story } from '../support/story.ts';
import { EditorSession } from '../host/editor/editorSession.ts';
import { projectFolder } from '../support/folders.ts';
import { LimnerView } from '../host/window/limnerView.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { Workbench } from '../host/window/workbench.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

story('saving in a workspace of several folders', (part) => {
  const { path, remove } = temporaryFolder('workspace');
  let session: EditorSession;
  let workbench: Workbench;
  let limner: LimnerView;

  before(async () => {
    await mkdir(join(path, 'site'));
    await mkdir(join(path, 'manual'));
    await writeFile(join(path, 'site/page.md'), 'Here a picture is wanted.');
    const workspaceFile = join(path, 'both.code-workspace');
    await writeFile(workspaceFile, JSON.stringify({ folders: [{ path: 'site' }, { path: 'manual' }] }));
    session = await EditorSession.start({
      version: 'newest',
      extension: { folder: projectFolder },
      settings: { 'limner.afterSave': 'nothing' },
    });
    workbench = await session.open(workspaceFile);
    limner = new LimnerView(workbench);
    await limner.show();
    await limner.useDemoService();
  });
  after(async () => {
    await session.dispose();
    remove();
  });
  screenshotFailures(() => workbench);

  part('asks once for the folder where no file says which', async () => {
    await workbench.runCommand('Limner: Generate Image…');
    await workbench.quickInput.answer('Describe the image', 'A paper lantern');
    await workbench.quickInput.box.filter({ hasText: 'Folder for Images' }).waitFor();
    await workbench.quickInput.pick('manual');
    await limner.whenSaved('A paper lantern');
    await access(join(path, 'manual/images/a-paper-lantern.png'));
    await limner.generate('A paper crane');
    await limner.whenSaved('A paper crane');
    await access(join(path, 'manual/images/a-paper-crane.png'));
  });

  part('takes the folder of the active file', async () => {
    await workbench.openFile('page.md');
    await limner.generate('A paper plane');
    await limner.whenSaved('A paper plane');
    await access(join(path, 'site/images/a-paper-plane.png'));
  });
});
