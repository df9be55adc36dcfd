import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { startDemoService, type DemoService } from '../../src/demo/endpoints/demoService.ts';
import { story } from '../support/story.ts';
import { EditorSession } from '../host/editor/editorSession.ts';
import { outFolder, projectFolder } from '../support/folders.ts';
import { LimnerView } from '../host/window/limnerView.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { Workbench } from '../host/window/workbench.ts';
import { screenshotFailures } from './failureScreenshot.ts';

story('connecting to a service', (part) => {
  const workspace = temporaryFolder('workspace');
  let service: DemoService;
  let session: EditorSession;
  let workbench: Workbench;
  let limner: LimnerView;

  before(async () => {
    service = await startDemoService({ taskDuration: 100 });
    session = await EditorSession.start({ version: 'newest', extension: { folder: projectFolder } });
    workbench = await session.open(workspace.path);
    limner = new LimnerView(workbench);
    await limner.show();
  });
  after(async () => {
    await session.dispose();
    await service.dispose();
    workspace.remove();
  });
  screenshotFailures(() => workbench);

  part('begins with a button of the welcome', async () => {
    await workbench.welcomeView.getByRole('button', { name: 'Connect to a Service…' }).click();
    await workbench.quickInput.box.filter({ hasText: 'Service URL' }).waitFor();
    assert.match(await workbench.quickInput.box.innerText(), /\(1\/4\)/);
  });

  part('says while it is typed what is wrong with an address', async () => {
    await workbench.quickInput.fill('ftp://images.example.com');
    await workbench.quickInput.box.filter({ hasText: 'must start with https://' }).waitFor();
  });

  part('asks before a key would leave this machine unencrypted', async () => {
    const { quickInput } = workbench;
    await quickInput.fill('http://images.example.test/v1');
    await workbench.page.keyboard.press('Enter');
    await workbench.pressInDialog("The connection to http://images.example.test isn't encrypted.", 'Cancel');
    await quickInput.box.filter({ hasText: 'Service URL' }).waitFor();
  });

  part('tells a wrong key from a right one, at no cost', async () => {
    const { quickInput } = workbench;
    await quickInput.fill(service.baseUrl);
    await workbench.page.keyboard.press('Enter');
    await quickInput.answer('API key for', 'sk-wrong');
    await quickInput.option('Enter Another API Key').waitFor();
    await quickInput.option('Save Anyway').waitFor();
    await workbench.screenshot(join(outFolder, 'screenshots', 'connect-wrong-key.png'));
    await quickInput.pick('Enter Another API Key');
    await quickInput.answer('API key for', service.apiKeys[0] ?? '');
    await quickInput.box.filter({ hasText: 'Connected.' }).waitFor();
    // Back from there, a wrong key leads to the question for the key all the same.
    await quickInput.back();
    await quickInput.answer('API key for', 'sk-wrong');
    await quickInput.pick('Enter Another API Key');
    await quickInput.answer('API key for', service.apiKeys[0] ?? '');
    await quickInput.box.filter({ hasText: 'Connected.' }).waitFor();
    const asked = await (await fetch(`${service.baseUrl}/demo/requests`)).text();
    assert.ok(asked.includes('limner-check-') && !asked.includes('POST'));
  });

  part('asks for a model last, and then paints', async () => {
    const { quickInput } = workbench;
    await quickInput.answer('Model ID', 'demo-painter');
    await quickInput.pick('Standard Image API');
    await workbench.notifications.dismiss('Limner is connected to');
    await workbench.welcomeView.getByRole('button', { name: 'Generate Image…' }).click();
    await quickInput.answer('Describe the image', 'A clay whistle');
    // The button is gone with the welcome.
    await limner.tasks.row('A clay whistle').and(workbench.page.locator('.focused')).waitFor();
    await limner.whenSaved('A clay whistle');
    await access(join(workspace.path, 'images/a-clay-whistle.png'));
  });

  part('saves what it could not check if the person says so', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Limner: Connect to a Service…');
    await quickInput.pick('New Service…');
    await quickInput.answer('Service URL', 'http://127.0.0.1:9/v1');
    await quickInput.answer('API key for', 'sk-anything');
    await quickInput.option('Check Again').waitFor();
    await quickInput.pick('Save Anyway');
    await quickInput.answer('Model ID', 'some-model');
    await quickInput.pick('Native Content API');
    await workbench.notifications.dismiss('Limner is connected to 127.0.0.1:9');
  });

  part('begins a new service with an empty box', async () => {
    const { quickInput } = workbench;
    await limner.useDemoService();
    await workbench.runCommand('Limner: Connect to a Service…');
    await quickInput.pick('New Service…');
    await quickInput.box.filter({ hasText: 'Service URL, or a whole curl command' }).waitFor();
    assert.equal(await quickInput.input.inputValue(), '');
  });

  part('reads URL, API key and model from a curl command', async () => {
    const { quickInput, page } = workbench;
    const key = `-H "Authorization: Bearer ${service.apiKeys[0] ?? ''}"`;
    await quickInput.fill(
      `curl ${service.baseUrl}/v1/images/generations ${key} -d '{"model":"demo-painter"}'`,
    );
    await page.keyboard.press('Enter');
    await quickInput.box.filter({ hasText: 'API key for' }).waitFor();
    await page.keyboard.press('Enter');
    await quickInput.box.filter({ hasText: 'Connected.' }).waitFor();
    assert.equal(await quickInput.input.inputValue(), 'demo-painter');
    await page.keyboard.press('Escape');
  });

  part('leaves its requests in the log, and no key', () => {
    const log = session.readLog('limner.limner', 'Limner');
    assert.match(
      log,
      /GET 127\.0\.0\.1:\d+\/v1\/images\/generations\/limner-check-\S+ 401, \d+ bytes, \d+ ms/,
    );
    assert.ok(!log.includes(service.apiKeys[0] ?? ''));
  });
});
