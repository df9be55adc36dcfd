import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { story } from '../support/story.ts';
import { startDemoServiceSession, taskDuration, type DemoServiceSession } from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

story('three images of one run, which are to be revealed', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({ settings: { 'limner.afterSave': 'reveal', 'limner.count': 3 } });
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const paint = async (prompt: string): Promise<void> => {
    await all.limner.show();
    await all.limner.generate(prompt);
    await all.limner.whenProgress(prompt, 10);
    await all.service.advance(2 * taskDuration);
  };

  part('are shown in the explorer by the first of them, and nothing more is said', async () => {
    const { workbench } = all;
    await paint('A red kite');
    await workbench.explorer.row('a-red-kite.png').waitFor();
    await workbench.explorer.row('a-red-kite-3.png').waitFor();
    await all.limner.show();
    await all.limner.tasks.whenSays('A red kite', '3 images ·');
    assert.equal(await all.limner.countMessages('saved', all.apiKey), 0);
  });

  part('are counted where the service gave fewer, with the way to what there is', async () => {
    const { limner, workbench } = all;
    await paint('A kite demo:fewer');
    await workbench.notifications.press('Saved 2 of 3 images.', 'Open', async () => {
      await limner.show();
      await limner.tasks.whenSays('A kite demo:fewer', '2 of 3 images ·');
    });
    await workbench.editorTab('a-kite-demo-fewer.png').waitFor();
  });
});
