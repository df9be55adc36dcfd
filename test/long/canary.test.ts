import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { after, before } from 'node:test';
import { story } from '../support/story.ts';
import { EditorSession } from '../host/editor/editorSession.ts';
import { projectFolder } from '../support/folders.ts';
import { LimnerView } from '../host/window/limnerView.ts';
import { StudioComposer } from '../host/window/studioComposer.ts';
import { StudioView } from '../host/window/studioView.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { Workbench } from '../host/window/workbench.ts';
import { assertWithoutKey } from '../support/canary.ts';
import { EchoingService } from '../support/service/echoingService.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

/** Unique to this run: the processes of others are searched, too. */
const canaryKey = `sk-canary-${randomUUID()}`;

story('the key, at a service that repeats it wherever it can', (part) => {
  const { path: workspace, remove } = temporaryFolder('workspace');
  let service: EchoingService;
  let session: EditorSession;
  let workbench: Workbench;
  let limner: LimnerView;

  before(async () => {
    service = await EchoingService.start(canaryKey);
    await copyFile(join(projectFolder, 'media/icon.png'), join(workspace, 'hero.png'));
    session = await EditorSession.start({
      version: 'newest',
      extension: { folder: projectFolder },
      settings: {
        'limner.baseUrl': service.baseUrl,
        'limner.models': [{ id: 'painter', family: 'image' }],
        'limner.model': 'painter',
        'limner.afterSave': 'nothing',
      },
    });
    workbench = await session.open(workspace);
    limner = new LimnerView(workbench);
    await limner.show();
    await limner.setApiKey(canaryKey);
  });
  after(async () => {
    await session?.dispose();
    await service?.stop();
    remove();
  });
  screenshotFailures(() => workbench);

  /** Searches everything that the window shows or could show: its text, and all attributes. */
  async function assertNotOnScreen(where: string): Promise<void> {
    assertWithoutKey(await workbench.page.content(), canaryKey, where);
    assertWithoutKey(await workbench.page.locator('body').innerText(), canaryKey, where);
  }

  /** Generates an image and waits until the window reports on it. */
  async function generate(prompt: string, said: string): Promise<void> {
    await limner.generate(prompt);
    await workbench.notifications.dismiss(said, async () => assertNotOnScreen(prompt));
  }

  part('is asked for in an input that hides it', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Limner: Set API Key…');
    await quickInput.box.filter({ hasText: 'API key for' }).waitFor();
    assert.equal(await quickInput.input.getAttribute('type'), 'password');
    await workbench.page.keyboard.press('Escape');
    await workbench.runCommand('Limner: Connect to a Service…');
    await quickInput.pick('New Service…');
    await quickInput.answer('Service URL', service.baseUrl);
    await quickInput.box.filter({ hasText: 'API key for' }).waitFor();
    assert.equal(await quickInput.input.getAttribute('type'), 'password');
    assert.equal(await quickInput.input.inputValue(), '');
    // The response of the service is shown, too.
    await workbench.page.keyboard.press('Enter');
    await quickInput.option('Save Anyway').or(quickInput.box.getByText('Connected.')).waitFor();
    await assertNotOnScreen('the check of the key');
    await workbench.page.keyboard.press('Escape');
  });

  part('is not shown while an image is made', async () => {
    await limner.generate('A fox echo-success');
    await limner.whenSaved('A fox echo-success');
    await assertNotOnScreen('the finished task');
    await limner.tasks.hover('A fox echo-success', 'Model: painter');
    await assertNotOnScreen('the tooltip of the finished task');
  });

  part('is not shown when something goes wrong', async () => {
    await generate('echo-unauthorized', 'Incorrect API key provided: •••');
    await generate('echo-refused', 'The service rejected the request');
    await generate('echo-page', 'No •••');
    await generate('echo-redirect', 'responded with a redirect');
    await generate('echo-garbage', 'ended unexpectedly');
    await generate('echo-id', 'returned no task ID');
    await generate('echo-failed', 'Not for •••');
    await generate('echo-leaking-url', 'its URL contains the API key');
    await generate('echo-leaking-redirect', 'its URL contains the API key');
  });

  part('is not shown by an edit', async () => {
    await workbench.explorer.show();
    await workbench.explorer.chooseFromMenu('hero.png', 'Edit Image with Limner…');
    await limner.answerEdit('echo-unauthorized');
    await workbench.notifications.dismiss('Incorrect API key provided: •••', async () =>
      assertNotOnScreen('the failed edit'),
    );
    await limner.show();
  });

  part('is not shown by the studio, nor in its page', async () => {
    const studio = new StudioView(workbench);
    await studio.open();
    const composer = new StudioComposer(studio);
    await composer.prompt.fill('A boat echo-refused');
    await composer.button('Generate Image').click();
    await studio.main.getByText('The service rejected the request').waitFor();
    const page = await studio.main.evaluate((main) => main.ownerDocument.documentElement.outerHTML);
    assertWithoutKey(page, canaryKey, 'the page of the studio');
    await workbench.runCommand('View: Close All Editors');
  });

  part('is not shown while a task waits for another key', async () => {
    await generate('echo-unauthorized-poll', 'Not for •••');
    await limner.tasks.whenSays('echo-unauthorized-poll', 'waiting for an API key');
    await assertNotOnScreen('the waiting task');
  });

  part(
    'is in no file of the editor, of the workspace or of the system, and reached no other host',
    async () => {
      const log = session.readLog('limner.limner', 'Limner');
      assert.match(log, /POST 127\.0\.0\.1:\d+\/v1\/images\/generations 401/);
      const files = [
        ...(await filesBelow(dirname(session.userDataFolder))),
        ...(await filesBelow(workspace)),
      ];
      for (const expected of ['limner.db', 'settings.json', 'Limner.log', 'a-fox-echo-success.png']) {
        assert.ok(
          files.some((file) => basename(file) === expected),
          expected,
        );
      }
      for (const file of files) {
        assertWithoutKey(await textOf(file), canaryKey, file);
      }
      for (const id of await readdir('/proc').catch(() => [])) {
        for (const name of ['cmdline', 'environ']) {
          const text = await readFile(join('/proc', id, name), 'latin1').catch(() => '');
          assertWithoutKey(text, canaryKey, `${name} of a process`);
        }
      }
      const stored = await workbench.page.evaluate(() => JSON.stringify(localStorage));
      assertWithoutKey(stored, canaryKey, 'storage of the browser');
      assertWithoutKey(service.elsewhere.join('\n'), canaryKey, 'another host');
      assert.deepEqual(service.keyless, []);
    },
  );
});

/** Reads a file; nothing when the editor has removed it meanwhile. */
async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return '';
    }
    throw error;
  }
}

/** Paths of all files, not through links. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
