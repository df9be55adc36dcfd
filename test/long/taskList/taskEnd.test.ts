import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { story } from '../../support/story.ts';
import {
  startDemoServiceSession,
  taskDuration,
  type DemoServiceSession,
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';

const statusItem = 'limner.limner.running';

story('a task that runs and ends', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({ settings: { 'limner.afterSave': 'nothing' } });
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  part('shows its progress in the status bar, which leads the keyboard to its row', async () => {
    const { limner, service, workbench } = all;
    await limner.generate('A paper boat');
    const item = workbench.statusBarItem(statusItem);
    await item.filter({ hasText: /1 image task · [12]0%/ }).waitFor();
    await service.advance(0.45 * taskDuration);
    await item.filter({ hasText: '1 image task · 60%' }).waitFor();
    await workbench.explorer.show();
    await item.locator('a').focus();
    await workbench.page.keyboard.press('Enter');
    await limner.tasks.row('A paper boat').and(workbench.page.locator('.focused')).waitFor();
    await workbench.page.keyboard.press('Shift+F10');
    await workbench.page.getByRole('menuitem', { name: 'Stop Waiting' }).waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  part('says nothing when its row is in sight', async () => {
    const { limner, service, workbench } = all;
    await service.advance(2 * taskDuration);
    await limner.whenSaved('A paper boat');
    await workbench.statusBarItem(statusItem).waitFor({ state: 'hidden' });
    assert.equal(await limner.countMessages('Saved the image', all.apiKey), 0);
  });

  part('says that it is saved when its day is closed', async () => {
    const { limner, service, workbench } = all;
    await limner.tasks.toggle('Today');
    await limner.generate('A lead soldier');
    await limner.whenProgress('A lead soldier', 10);
    await service.advance(2 * taskDuration);
    await workbench.notifications.dismiss('Saved the image "A lead soldier".');
    await limner.tasks.toggle('Today');
  });

  part('says that it is saved when its row is not in sight, and opens the image from there', async () => {
    const { limner, service, workbench } = all;
    await limner.generate('A tin robot');
    await limner.whenProgress('A tin robot', 10);
    await workbench.explorer.show();
    await service.advance(2 * taskDuration);
    await workbench.notifications.press('Saved the image', 'Open', async (message) => {
      assert.match(await message.innerText(), /Saved the image "A tin robot"\./);
    });
    await workbench.editorTab('a-tin-robot.png').waitFor();
    // It takes the focus once it is loaded.
    await workbench.previewedImage.waitFor();
  });

  part('is told by the next window when its own was closed', async () => {
    const { limner, service, workbench } = all;
    await limner.show();
    await limner.generate('A brass snail');
    await limner.whenProgress('A brass snail', 10);
    await workbench.reload();
    await workbench.explorer.show();
    await workbench.statusBarItem(statusItem).filter({ hasText: '1 image task' }).waitFor();
    await service.advance(2 * taskDuration);
    await workbench.notifications.dismiss('Saved the image "A brass snail".');
  });

  part('says in words why it failed, with buttons that go on', async () => {
    const { limner, service, workbench } = all;
    await limner.show();
    await limner.generate('A sad clown demo:fail');
    await limner.whenProgress('A sad clown demo:fail', 10);
    await service.advance(2 * taskDuration);
    await workbench.notifications.dismiss("The service couldn't create the image", async (message) => {
      await message.getByRole('button', { name: 'Run Again' }).waitFor();
    });
  });

  part('leaves no key in the log', () => {
    const log = all.session.readLog('limner.limner', 'Limner');
    assert.match(log, /POST 127\.0\.0\.1:\d+\/v1\/images\/generations 202, \d+ bytes, \d+ ms/);
    assert.match(log, /GET 127\.0\.0\.1:\d+\/\S+ 200, \d+ bytes, \d+ ms/);
    assert.ok(!log.includes(all.apiKey));
  });
});
