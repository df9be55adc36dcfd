import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { story } from '../support/story.ts';
import {
  type DemoServiceSession,
  startDemoServiceSession,
  submissionsTo,
  taskDuration,
} from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

story('settings with mistakes', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({
      settings: {
        'limner.fit': 'cropp',
        'limner.model': 'demo-painter',
        'limner.models': [{ id: 'demo-painter', background: 'alpha' }],
      },
    });
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const question = 'Some of your settings are invalid.';

  part('are told before anything is sent, and lead to the settings', async () => {
    const { limner, service, workbench } = all;
    await limner.generate('A paper boat');
    const dialog = workbench.dialog(question);
    await dialog.waitFor();
    const words = await dialog.innerText();
    assert.match(words, /"limner\.fit" can't be "cropp"\. Limner uses "off"\./u);
    assert.match(words, /"background" is ignored/u);
    await workbench.pressInDialog(question, 'Open Settings');
    await workbench.page.locator('.settings-editor').getByText('Limner: Fit').waitFor();
    await workbench.runCommand('View: Close All Editors');
    await workbench.page.locator('.settings-editor').waitFor({ state: 'hidden' });
    assert.equal(await submissionsTo(service), 0);
  });

  part('are told until the person goes on, and then no more', async () => {
    const { limner, service, workbench } = all;
    for (const prompt of ['A paper boat', 'A tin robot']) {
      await limner.show();
      await limner.generate(prompt);
      if (prompt === 'A paper boat') {
        await workbench.pressInDialog(question, 'Continue');
      }
      await limner.whenProgress(prompt, 10);
    }
    assert.equal(await submissionsTo(service), 2);
    await service.advance(2 * taskDuration);
  });
});
