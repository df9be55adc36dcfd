import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import * as v from 'valibot';
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

const written = v.object({ 'limner.models': v.unknown(), 'limner.budget': v.unknown() });

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
        'limner.budget': { day: '0.1 USD' },
      },
    });
  });
  after(async () => all.dispose());
  screenshotFailures(() => all?.workbench);

  part('is not asked about as long as it lasts, and the prompt box tells the price', async () => {
    const { limner, service, workbench } = all;
    await workbench.runCommand('Limner: Generate Image…');
    const title = /Generate Image · demo-painter · 1 image · about 0\.04 USD · .+ · 256 × 256/u;
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
    const rows = workbench.webview.getByRole('row').filter({ hasText: 'Today' });
    await rows.filter({ hasText: /0\.10\s+0\.12\s+0\s+0/u }).waitFor();
    await rows.filter({ hasText: /demo-painter.+you\s+3\s+0\.12/su }).waitFor();
    await workbench.runCommand('Limner: Export Spending as CSV…');
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

  part('is set in a form, as are prices, and the rest of the settings stays', async () => {
    const { session, workbench } = all;
    const { quickInput } = workbench;
    await workbench.runCommand('Limner: Set Price…');
    await quickInput.answer('Price of one image', '0,06 €');
    await quickInput.box.filter({ hasText: 'Other prices' }).waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.notifications.dismiss('demo-painter costs');
    await workbench.runCommand('Limner: Set Price…');
    await quickInput.answer('Price of one image', '0,05 €');
    await quickInput.answer('Other prices', '256x256 0,04');
    await workbench.runCommand('Limner: Set Budget…');
    await quickInput.answer('Budget for a Day', '');
    await quickInput.answer('Budget for a Month', '4 images');
    await quickInput.answer('Budget of Agents', '0.50 €');
    await workbench.notifications.dismiss('The budget is set.');
    await workbench.runCommand('Limner: Set Budget…');
    await quickInput.answer('Budget for a Day', '');
    await quickInput.answer('Budget for a Month', '3 images');
    await quickInput.box.filter({ hasText: 'Budget of Agents' }).waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.notifications.dismiss('The budget is set.');
    const settings = await readFile(join(session.userDataFolder, 'User/settings.json'), 'utf8');
    const { 'limner.models': models, 'limner.budget': budget } = v.parse(written, JSON.parse(settings));
    const price = { amount: 0.05, currency: 'EUR', variants: { '256x256': 0.04 } };
    assert.deepEqual(
      [models, budget],
      [[{ id: 'demo-painter', price }], { month: '3 images', agentsDay: '0.50 €' }],
    );
  });

  part('is not exceeded by a second Enter', async () => {
    const { service, workbench } = all;
    const before = await submissionsTo(service);
    await workbench.runCommand('Limner: Generate Image…');
    await workbench.quickInput.answer('Describe the image', 'A kite that nobody remembers');
    await workbench.dialog('This exceeds the budget of 3 images for this month.').waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.box.filter({ hasText: 'Budget for a Day' }).waitFor();
    await workbench.page.keyboard.press('Escape');
    assert.equal(await submissionsTo(service), before);
  });

  part('and all that was spent is deleted, with the prompts, though an image is still to come', async () => {
    const { limner, session, workbench } = all;
    await workbench.runCommand('Limner: Generate Image…');
    await workbench.quickInput.answer('Describe the image', 'A kite that nobody remembers');
    await workbench.pressInDialog('This exceeds the budget of 3 images for this month.', 'Send Anyway');
    await limner.whenProgress('A kite that nobody remembers', 10);
    await workbench.runCommand('Limner: Delete All Data…');
    const parts = workbench.quickInput.box.filter({ hasText: 'Task list' });
    await parts.waitFor();
    await workbench.quickInput.input.press('Enter');
    await parts.waitFor({ state: 'hidden' });
    await workbench.runCommand('Limner: Delete All Data…');
    await parts.waitFor();
    await parts.getByRole('checkbox', { name: 'Toggle all checkboxes' }).click();
    await workbench.quickInput.input.press('Enter');
    await workbench.pressInDialog(
      '1 image that was or may have been paid for is still to come.',
      'Delete Them Too',
    );
    await workbench.pressInDialog('Delete this data for good?', 'Delete');
    await workbench.notifications.dismiss('The data is deleted.');
    await workbench.page.getByRole('button', { name: 'Connect to a Service…' }).first().waitFor();
    const home = join(session.userDataFolder, 'User/globalStorage/limner.limner');
    for (const name of await readdir(home)) {
      const text = await readFile(join(home, name), 'latin1').catch(() => '');
      assert.ok(!text.includes('that nobody remembers'), name);
    }
  });
});
