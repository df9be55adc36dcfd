import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Task } from '../../../src/engine/task/task.ts';
import { newTaskId } from '../../../src/engine/task/taskId.ts';
import { aRequest, aTask } from '../../support/engine/taskBuilders.ts';
import { story } from '../../support/story.ts';
import {
  startDemoServiceSession,
  taskDuration,
  type DemoServiceSession,
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';
import { fillStore, storageFolder } from '../../ui/filledStore.ts';

const hour = 60 * 60_000;
const midnight = new Date().setHours(0, 0, 0, 0);

function ended(createdAt: number, prompt: string, changes: Partial<Task> = {}): Task {
  return aTask({
    id: newTaskId(createdAt),
    createdAt,
    finishedAt: createdAt + 60_000,
    status: 'failed',
    request: aRequest({ prompt }),
    error: { code: 'image_generation_failed', message: 'No.', billing: 'refunded' },
    ...changes,
  });
}

story('a task list with a history', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({
      settings: { 'limner.historyLimit': 20_000 },
      async prepare({ userData, workspace }) {
        const image = join(workspace, 'images', 'harbour.png');
        await mkdir(dirname(image), { recursive: true });
        await writeFile(image, '');
        const results = ['harbour.png', 'gone.png'].map((name, index) => ({
          index,
          state: 'saved' as const,
          uri: pathToFileURL(join(workspace, 'images', name)).href,
        }));
        const root = pathToFileURL(workspace).href;
        const tasks = [
          ...Array.from({ length: 10_000 }, (_, index) =>
            ended(midnight - 40 * 24 * hour + index * 1000, `Sketch ${index}`),
          ),
          ended(midnight - 14 * hour, 'A lamp'),
          ended(midnight - 13 * hour, 'A rope'),
          ended(midnight - 12 * hour, 'A bridge'),
          ended(midnight - 39 * 24 * hour, 'A locked door', {
            status: 'needs_key',
            origin: 'https://elsewhere.example',
          }),
          ended(midnight - 11 * hour, 'A harbour', {
            status: 'completed',
            results,
            request: aRequest({ prompt: 'A harbour', n: 2 }),
          }),
        ];
        for (const { request } of tasks) {
          request.target = { folder: root, root, fileName: '{prompt}' };
        }
        await fillStore(userData, tasks);
      },
    });
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  part('groups ended tasks by day, below those that run', async () => {
    const { limner, service, workbench } = all;
    const { tasks } = limner;
    await limner.generate('A kite');
    await limner.whenProgress('A kite', 10);
    assert.equal(await tasks.row('A kite').getAttribute('aria-level'), '1');
    await workbench.page.locator('.activitybar').getByText('1', { exact: true }).waitFor();
    await tasks.row('Yesterday').waitFor();

    await service.advance(2 * taskDuration);
    await limner.whenSaved('A kite');
    await tasks.row('Today').waitFor();
    assert.equal(await tasks.row('A kite').getAttribute('aria-level'), '2');
    await workbench.page
      .locator('.activitybar')
      .getByText('1', { exact: true })
      .waitFor({ state: 'detached' });
  });

  part('keeps focus and selection on a row while others come, change and end', async () => {
    const { limner, service } = all;
    const bridge = limner.tasks.row('A bridge');
    await bridge.click();
    await limner.generate('A sundial');
    await limner.whenProgress('A sundial', 10);
    await service.advance(0.45 * taskDuration);
    await limner.whenProgress('A sundial', 60);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('A sundial');
    assert.equal(await bridge.getAttribute('aria-selected'), 'true');
  });

  part('has the images of a task below it, and says which file is gone', async () => {
    const { tasks } = all.limner;
    await tasks.whenSays('A harbour', '2 images');
    await tasks.toggle('A harbour');
    await tasks.row('harbour.png').waitFor();
    await tasks.row('gone.png').filter({ hasText: 'missing' }).waitFor();
  });

  part('shows what waits for a person above the days, whenever it began', async () => {
    assert.equal(await all.limner.tasks.row('A locked door').getAttribute('aria-level'), '1');
  });

  part('does a thing to all selected rows at once', async () => {
    const { tasks } = all.limner;
    await tasks.click('A lamp');
    await tasks.click('A rope', { modifiers: ['ControlOrMeta'] });
    await tasks.chooseFromMenu('A rope', 'Remove from List');
    await tasks.row('A rope').waitFor({ state: 'detached' });
    await tasks.row('A lamp').waitFor({ state: 'detached' });
    await tasks.row('A bridge').waitFor();
  });

  part('loads older tasks page by page, from the keyboard too', async () => {
    const { limner, workbench } = all;
    const { keyboard } = workbench.page;
    await limner.tasks.click('A bridge');
    await keyboard.press('End');
    await limner.tasks.row('Show More').waitFor();
    const day = limner.tasks.rows.filter({ hasText: /day,/ }).last();
    await day.click();
    await limner.tasks.row('Sketch 9999').waitFor();
    await keyboard.press('End');
    await keyboard.press('Enter');
    await limner.tasks.row('Sketch 9901').waitFor();
  });
});

void describe('a task list that could not be opened', () => {
  let all: DemoServiceSession;
  let storage: string;

  before(async () => {
    all = await startDemoServiceSession({
      async prepare({ userData }) {
        storage = storageFolder(userData);
        await mkdir(dirname(storage), { recursive: true });
        await writeFile(storage, 'in the way');
      },
    });
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  void it('shows its tasks as soon as it can be', async () => {
    const { limner, session } = all;
    assert.match(session.readLog('limner.limner', 'Limner'), /\[error\]/);
    await rm(storage);
    await limner.generate('A mill');
    await limner.whenProgress('A mill', 10);
  });
});
