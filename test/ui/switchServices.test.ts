import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import * as v from 'valibot';
import { startDemoService, type DemoService } from '../../src/demo/endpoints/demoService.ts';
import { EditorSession } from '../host/editor/editorSession.ts';
import { LimnerView } from '../host/window/limnerView.ts';
import { StudioComposer } from '../host/window/studioComposer.ts';
import { StudioView } from '../host/window/studioView.ts';
import type { Workbench } from '../host/window/workbench.ts';
import { projectFolder } from '../support/folders.ts';
import { story } from '../support/story.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { submissionsTo } from './demoServiceSession.ts';
import { screenshotFailures } from './failureScreenshot.ts';

function hostOf({ baseUrl }: DemoService): string {
  return new URL(baseUrl).host;
}

story('switching services', (part) => {
  const workspace = temporaryFolder('workspace');
  let first: DemoService;
  let second: DemoService;
  let session: EditorSession;
  let workbench: Workbench;
  let limner: LimnerView;

  before(async () => {
    [first, second] = [
      await startDemoService({ taskDuration: 100 }),
      await startDemoService({ taskDuration: 100 }),
    ];
    session = await EditorSession.start({
      version: 'newest',
      extension: { folder: projectFolder },
      // The name of a file says which model was asked for.
      settings: {
        'limner.fileName': '{model}-{prompt}',
        'limner.size': '256x256',
        'limner.models': [{ id: 'demo-painter-direct', price: { amount: 0.5, currency: 'USD' } }],
      },
    });
    workbench = await session.open(workspace.path);
    limner = new LimnerView(workbench);
    await limner.show();
  });
  after(async () => {
    await session.dispose();
    await first.dispose();
    await second.dispose();
    workspace.remove();
  });
  screenshotFailures(() => workbench);

  async function connectNew({ baseUrl, apiKeys }: DemoService, model: string): Promise<void> {
    const { quickInput } = workbench;
    await quickInput.answer('Service URL', baseUrl);
    await quickInput.answer('API key for', apiKeys[0] ?? '');
    await quickInput.answer('Model ID', model);
    await quickInput.pick('Standard Image API');
    await workbench.notifications.dismiss(`and uses the model ${model}.`);
  }

  async function assertSubmissions(...expected: number[]): Promise<void> {
    assert.deepEqual([await submissionsTo(first), await submissionsTo(second)], expected);
  }

  part('begins with a first one, and goes on to a new one', async () => {
    await workbench.runCommand('Limner: Connect to a Service…');
    await connectNew(first, 'demo-painter');
    await limner.generate('A clay whistle');
    await limner.whenSaved('A clay whistle');
    await workbench.runCommand('Limner: Connect to a Service…');
    await workbench.quickInput.options.filter({ hasText: 'key set · 2 models · in use' }).waitFor();
    await workbench.quickInput.pick('New Service…');
    await connectNew(second, 'demo-painter-direct');
    await assertSubmissions(1, 0);
  });

  part('sends the model of the service in use for a row of another one, and says so', async () => {
    const composer = new StudioComposer(new StudioView(workbench));
    await limner.tasks.chooseFromMenu('A clay whistle', 'Open in Studio');
    const note = "This service doesn't have demo-painter. Limner uses demo-painter-direct.";
    await composer.region.getByText(note).waitFor();
    await composer.prompt.fill('A clay ocarina');
    await composer.button('Generate').click();
    await limner.whenSaved('A clay ocarina');
    await access(join(workspace.path, 'images/demo-painter-direct-a-clay-ocarina.jpg'));
    await assertSubmissions(1, 1);
  });

  part('returns to a known one in one choice, with its models', async () => {
    await workbench.runCommand('Limner: Connect to a Service…');
    const { options } = workbench.quickInput;
    await options.filter({ hasText: `${hostOf(second)}key set · 1 model · in use` }).waitFor();
    await options.filter({ hasText: `${hostOf(first)}key set · 2 models` }).waitFor();
    await workbench.quickInput.pick(hostOf(first));
    await workbench.notifications.dismiss(`${hostOf(first)} and uses the model demo-painter.`);
    await limner.generate('A tin robot');
    await limner.whenSaved('A tin robot');
    await access(join(workspace.path, 'images/demo-painter-a-tin-robot.png'));
    await assertSubmissions(2, 1);
  });

  part("tells the price of the draft's model, though the service doesn't list it any more", async () => {
    const studio = new StudioView(workbench);
    const composer = new StudioComposer(studio);
    await workbench.runCommand('View: Close All Editors');
    await studio.open();
    await composer.chooseModel('demo-painter-direct');
    await composer.region.getByText(`1 image · about 0.50 USD · ${hostOf(first)}`).waitFor();
    const file = join(session.userDataFolder, 'User/settings.json');
    const settings = v.parse(v.looseObject({}), JSON.parse(await readFile(file, 'utf8')));
    const price = { amount: 0.7, currency: 'USD' };
    const models = [
      { id: 'demo-painter-sync', service: first.baseUrl, price },
      { id: 'demo-painter-direct', service: second.baseUrl, price },
    ];
    await writeFile(
      file,
      JSON.stringify({ ...settings, 'limner.models': models, 'limner.model': 'demo-painter-sync' }),
    );
    await workbench.reload();
    await studio.open();
    await composer.region.getByText(`1 image · may be billed · ${hostOf(first)}`).waitFor();
  });

  part('removes the key of the one that was left', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Limner: Remove API Key…');
    await quickInput.checkboxes.filter({ hasText: /in use/u }).waitFor();
    await quickInput.checkboxes.filter({ hasText: hostOf(second) }).click();
    await quickInput.box.getByRole('button', { name: 'OK' }).click();
    await workbench.notifications.dismiss(`Removed the API key for ${new URL(second.baseUrl).origin}`);
    await workbench.runCommand('Limner: Connect to a Service…');
    await quickInput.options.filter({ hasText: `${hostOf(second)}no key` }).waitFor();
    await quickInput.options.filter({ hasText: `${hostOf(first)}key set` }).waitFor();
  });

  part('offers no service the key of another one, after Back', async () => {
    const { quickInput, page } = workbench;
    const kept = page.getByPlaceholder('Leave empty to keep the current API key');
    await quickInput.pick('New Service…');
    await quickInput.answer('Service URL', first.baseUrl);
    await kept.waitFor();
    await quickInput.back();
    await quickInput.box.filter({ hasText: 'Service URL' }).waitFor();
    await quickInput.back();
    await quickInput.options.filter({ hasText: `${hostOf(second)}no key` }).waitFor();
    await quickInput.pick(hostOf(second));
    const { origin } = new URL(second.baseUrl);
    await quickInput.box.filter({ hasText: `API key for ${origin}` }).waitFor();
    assert.equal(await kept.count(), 0);
  });
});
