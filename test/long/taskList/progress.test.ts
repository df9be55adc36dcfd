import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { story } from '../../support/story.ts';
import {
  startDemoServiceSession,
  taskDuration,
  type DemoServiceSession,
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';

story('a running task', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession();
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  part('shows in the tree how far the service has come', async () => {
    const { limner, service, workspace } = all;
    await limner.generate('A paper boat');
    await limner.whenProgress('A paper boat', 10);
    await service.advance(0.45 * taskDuration);
    await limner.whenProgress('A paper boat', 60);
    await service.advance(taskDuration);
    await limner.whenSaved('A paper boat');
    await access(join(workspace, 'images/a-paper-boat.png'));
  });

  part('keeps its tooltip while the clocks of others go on', async () => {
    const { limner, service } = all;
    for (const prompt of ['A wooden duck', 'A clay pipe']) {
      await limner.generate(prompt);
      await limner.whenProgress(prompt, 20);
    }
    const whenClockGoesOn = async (): Promise<void> => {
      const clock = limner.tasks.description('A clay pipe');
      await clock.filter({ hasNotText: await clock.innerText() }).waitFor();
    };
    // Redrawing a row under a resting pointer cancels its tooltip.
    await whenClockGoesOn();
    const tooltip = await limner.tasks.hover('A wooden duck', 'Model: demo-painter');
    await whenClockGoesOn();
    assert.equal(await tooltip.count(), 1);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('A wooden duck');
    await limner.whenSaved('A clay pipe');
  });

  part('goes on after the window is reloaded', async () => {
    const { limner, service, workbench, workspace } = all;
    await limner.generate('A tin robot');
    await limner.whenProgress('A tin robot', 10);
    await workbench.reload();
    await limner.show();
    await service.advance(2 * taskDuration);
    await limner.whenSaved('A tin robot');
    await access(join(workspace, 'images/a-tin-robot.png'));
  });

  part('is not watched any longer once the person says so', async () => {
    const { limner } = all;
    await limner.generate('A glass whale');
    await limner.whenProgress('A glass whale', 10);
    await limner.tasks.press('A glass whale', 'Stop Waiting');
    await limner.tasks.whenSays('A glass whale', 'stopped');
  });

  part('leaves no key in the log', () => {
    const log = all.session.readLog('limner.limner', 'Limner');
    assert.match(log, /v1\/images\/generations/);
    assert.ok(!log.includes(all.apiKey));
  });
});
