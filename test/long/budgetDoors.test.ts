import assert from 'node:assert/strict';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Task } from '../../src/engine/task/task.ts';
import { anError } from '../support/engine/taskBuilders.ts';
import { StudioView } from '../host/window/studioView.ts';
import { projectFolder } from '../support/folders.ts';
import { story } from '../support/story.ts';
import {
  passTime,
  startDemoServiceSession,
  submissionsTo,
  type DemoServiceSession,
} from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { fillStore } from '../ui/filledStore.ts';
import { savedResults, seededTask } from '../ui/seededTask.ts';

const page = `# The pond

![A heron at dawn](heron-96x64.png)
![A tree frog](frog-96x64.png)
![A lantern](https://placehold.co/300x200)
![A banner](https://placehold.co/600x200)
`;
const price = { amount: 0.5, currency: 'USD' };
const batch = { id: 'birds', title: 'Two birds' };
const cut = 'A fox that is cut out';
const question = 'This exceeds the budget of 0 USD for today. Send it anyway?';

story('a budget that is used up', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({
      settings: {
        'limner.models': [{ id: 'demo-painter', price }],
        'limner.budget': { day: '0 USD' },
      },
      async prepare({ userData, workspace, service }) {
        await writeFile(join(workspace, 'pond.md'), page);
        const place = { service, workspace, images: join(workspace, 'images') };
        const error = anError({ code: 'image_generation_failed', billing: 'refunded' });
        const failed = { status: 'failed', error } as const;
        const { finishedAt: _, ...held } = seededTask(place, '', { status: 'waiting', held: true });
        const unsent = (prompt: string, request: Partial<Task['request']> = {}): Task => ({
          ...held,
          id: seededTask(place, prompt, {}).id,
          request: { ...held.request, prompt, price, ...request },
        });
        await mkdir(place.images);
        await copyFile(join(projectFolder, 'media/icon.png'), join(place.images, 'fox.png'));
        const finished = {
          got: { width: 1, height: 1 },
          cutout: { verdict: 'doubtful' as const, reasons: [] },
        };
        const results = savedResults(place, 'fox.png').map((result) => Object.assign(result, { finished }));
        await fillStore(userData, [
          unsent('A held kite'),
          unsent('A kite of an agent', { startedBy: 'agent' }),
          ...['A wren', 'A robin'].map((prompt, index) =>
            seededTask(place, prompt, failed, {
              batch: { ...batch, index },
              target: { ...held.request.target, fileName: `bird-${index}.png` },
            }),
          ),
          seededTask(place, 'A lone owl', failed),
          seededTask(place, cut, { results }, { finish: { cutout: { by: 'key' } } }),
        ]);
      },
    });
  });
  after(async () => all.dispose());
  screenshotFailures(() => all?.workbench);

  /** Waits for the question, which tells what the run costs, and declines. */
  const decline = async (cost: string): Promise<void> => {
    const { workbench } = all;
    await workbench
      .dialog(question)
      .filter({ hasText: `This run costs about ${cost} USD.` })
      .waitFor();
    await workbench.pressInDialog(question, 'Cancel');
  };

  part('is asked about once for all prompts that were not sent, those of agents too', async () => {
    const { workbench, service } = all;
    // The first question was cleared away with the message that the key is set.
    await workbench.reload();
    await workbench.notifications.press("2 prompts weren't sent before the window closed.", 'Send Now');
    await decline('1');
    assert.equal(await submissionsTo(service), 0);
  });

  part('is asked about before the images of documents are made', async () => {
    const { workbench } = all;
    for (const command of [
      'Generate Missing Images in This File…',
      'Generate Missing Images in the Workspace…',
      'Replace Placeholders in This File…',
      'Replace Placeholders in the Workspace…',
    ]) {
      await workbench.openFile('pond.md');
      await workbench.runCommand(`Limner: ${command}`);
      await workbench.quickInput.acceptImages('2 images · about 1 USD');
      await decline('1');
    }
  });

  part('is asked about before the background of a social card is made', async () => {
    const { workbench } = all;
    await workbench.openFile('pond.md');
    await workbench.runCommand('Limner: Generate Social Card…');
    await workbench.quickInput.box.filter({ hasText: 'Background of the Social Card' }).waitFor();
    await workbench.quickInput.answer('Describe the background', 'A pond');
    await decline('0.50');
  });

  part('is asked about in the prompt box, also for an earlier task with changes', async () => {
    const { workbench, limner } = all;
    await workbench.runCommand('Limner: Generate Image…');
    await workbench.quickInput.answer('Describe the image', 'A dear kite');
    await decline('0.50');
    await limner.tasks.chooseFromMenu('A lone owl', 'Run Again with Changes…');
    await workbench.quickInput.answer('Describe the image', 'A lone owl at night');
    await decline('0.50');
  });

  part('is asked about once before all images of a batch are made again', async () => {
    const { workbench, limner } = all;
    await limner.tasks.press(batch.title, 'Regenerate the Others…');
    await workbench.pressInDialog('Generate 2 images again?', 'Generate Again');
    await decline('1');
  });

  part('is asked about in the studio, after it was said what the other way or variations make', async () => {
    const { workbench } = all;
    const studio = new StudioView(workbench);
    await studio.open();
    await studio.main.getByRole('tab', { name: 'History' }).click();
    await studio.main.getByRole('searchbox').fill(cut);
    await studio.main.getByRole('option', { name: cut }).click();
    await workbench.page.keyboard.press('Enter');
    for (const [action, asked, confirm, cost] of [
      ['Try the Other Way…', 'Generate it on', 'Try the Other Way', '1'],
      ['Variations (4)…', 'Generate 4 variations of', 'Generate 4 Images', '2'],
    ] as const) {
      await studio.main.locator('.zoom-pane').click({ button: 'right' });
      await studio.main.getByRole('menuitem', { name: action }).click();
      await workbench
        .dialog(asked)
        .filter({ hasText: `about ${cost}` })
        .waitFor();
      await workbench.pressInDialog(asked, confirm);
      await decline(cost);
    }
  });

  part('lets through what a person has sent anyway, and nothing else', async () => {
    const { workbench, limner, service } = all;
    assert.equal(await submissionsTo(service), 0);
    await limner.tasks.press('A kite of an agent', 'Resume');
    await workbench.dialog(question).filter({ hasText: 'This run costs about 0.50 USD.' }).waitFor();
    await workbench.pressInDialog(question, 'Send Anyway');
    await passTime(service, 'the kite', async () => (await submissionsTo(service)) === 1);
    await limner.whenProgress('A kite of an agent', 10);
    await limner.tasks.press('A held kite', 'Resume');
    await workbench
      .dialog(question)
      .filter({ hasText: 'Up to 0.50 USD more may have been billed.' })
      .waitFor();
    await workbench.pressInDialog(question, 'Cancel');
    assert.equal(await submissionsTo(service), 1);
  });
});
