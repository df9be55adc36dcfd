import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { StudioComposer } from '../host/window/studioComposer.ts';
import { StudioView } from '../host/window/studioView.ts';
import { readCsv } from '../readers/csv.ts';
import { eventually } from '../support/eventually.ts';
import { story } from '../support/story.ts';
import {
  startDemoServiceSession,
  submissionsTo,
  taskDuration,
  type DemoServiceSession,
} from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

story('a budget', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({
      builtIn: 'all',
      settings: {
        'limner.models': [
          {
            id: 'demo-painter',
            price: { amount: 0.5, currency: 'USD', variants: { '256x256': 0.04, '256x256 high': 0.06 } },
          },
        ],
        'limner.budget': { day: 0.1 },
      },
    });
  });
  after(async () => all.dispose());
  screenshotFailures(() => all?.workbench);

  part('is not asked about as long as it lasts, and the prompt box tells the price', async () => {
    const { limner, service, workbench } = all;
    await workbench.runCommand('Limner: Generate Image…');
    const title = /Generate Image · demo-painter · 1 image · about 0\.04 USD · 256 × 256/u;
    await workbench.quickInput.box.filter({ hasText: title }).waitFor();
    await workbench.quickInput.answer('Describe the image', 'A cheap kite');
    await limner.whenProgress('A cheap kite', 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('A cheap kite');
  });

  part('is asked about before it is exceeded, and nothing is sent unless a person says so', async () => {
    const { limner, service, workbench } = all;
    const question = 'This exceeds the budget of 0.10 USD for today. Send it anyway?';
    const studio = new StudioView(workbench);
    const composer = new StudioComposer(studio);
    await studio.open();
    await composer.prompt.fill('Two dear kites');
    await composer.region.getByText('about 0.04 USD').waitFor();
    await composer.region.getByRole('button', { name: 'More' }).click();
    await composer.region.getByText('about 0.08 USD').waitFor();
    const before = await submissionsTo(service);
    await composer.prompt.press('ControlOrMeta+Enter');
    const facts = 'This run costs about 0.08 USD. Spent today: 0.04 USD.';
    await workbench.dialog(question).filter({ hasText: facts }).waitFor();
    await workbench.pressInDialog(question, 'Cancel');
    assert.equal(await submissionsTo(service), before);

    // As long as the studio has not heard of that, it sends nothing else.
    await composer.button('Generate 2 Images').waitFor();
    await composer.prompt.press('ControlOrMeta+Enter');
    await workbench.pressInDialog(question, 'Send Anyway');
    await limner.whenProgress('Two dear kites', 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('Two dear kites');
    assert.equal(await submissionsTo(service), before + 1);
  });

  part('is compared with what was spent, which is exported', async () => {
    const { workbench, workspace } = all;
    await workbench.runCommand('Limner: Show Spending');
    await workbench.editorTab('Preview spending.md').waitFor();
    const today = workbench.webview.getByRole('row').filter({ hasText: 'Today' }).first();
    await today.filter({ hasText: /3\s+about\s0\.12\sUSD\s+0\.10\sUSD/u }).waitFor();
    await workbench.notifications.press('Today: about 0.12 USD.', 'Export CSV…');
    await workbench.quickInput.box.waitFor();
    await workbench.quickInput.input.press('Enter');
    const file = join(workspace, 'limner-spending.csv');
    const exported = await eventually(
      'the table is written',
      async () => readFile(file, 'utf8').catch(() => ''),
      (text) => text !== '',
    );
    assert.deepEqual(
      readCsv(exported).map(({ model, images, cost, currency }) => [model, images, cost, currency]),
      [['demo-painter', '3', '0.12', 'USD']],
    );
  });
});
