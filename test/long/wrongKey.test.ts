import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { story } from '../support/story.ts';
import {
  startDemoServiceSession,
  submissionsTo,
  taskDuration,
  type DemoServiceSession,
} from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

const refused = '"A tin soldier": The service rejected the API key';

story('a task whose key is changed while it runs', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({ settings: { 'limner.afterSave': 'nothing' } });
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  for (const key of ['sk-wrong', 'sk-wrong-too']) {
    part(`says that the key ${key} is not accepted, and how to replace it`, async () => {
      const { limner, workbench } = all;
      if (key === 'sk-wrong') {
        await limner.generate('A tin soldier');
        await limner.whenProgress('A tin soldier', 10);
      }
      await limner.enterApiKey(key);
      await limner.tasks.whenSays('A tin soldier', 'waiting for an API key');
      await workbench.notifications.dismiss(refused, async (message) => {
        await message.getByRole('button', { name: 'Set API Key…' }).waitFor();
      });
    });
  }

  part('goes on with the right key and ends once, also where it was resumed by hand before', async () => {
    const { apiKey, limner, service, workbench, workspace } = all;
    await limner.tasks.press('A tin soldier', 'Resume');
    await workbench.notifications.dismiss(refused);
    await limner.setApiKey(apiKey);
    await limner.tasks.whenSays('A tin soldier', /\d% ·/);
    await workbench.explorer.show();
    await service.advance(2 * taskDuration);
    await workbench.notifications.dismiss('Saved the image "A tin soldier".');
    await access(join(workspace, 'images/a-tin-soldier.png'));
    assert.equal(await submissionsTo(service), 1);
  });
});
