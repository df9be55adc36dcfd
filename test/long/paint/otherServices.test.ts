import assert from 'node:assert/strict';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  injectFault,
  startDemoServiceSession,
  submissionsTo,
  taskDuration,
  type DemoServiceSession,
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';

void describe('a service with habits of its own', () => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({ demo: { syncDuration: 0 } });
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  async function habit(name: string, more: object = {}): Promise<void> {
    await injectFault(all.service, { kind: 'habit', name, times: 1, ...more });
  }

  void it('has its images saved wherever its answer names them', async () => {
    await habit('dataImageUrls');
    await all.limner.generate('A brass key');
    await all.limner.whenSaved('A brass key');
    await access(join(all.workspace, 'images/a-brass-key.png'));
  });

  void it('is quoted with its reason, and the person is told where its response is', async () => {
    await habit('codeMessage');
    const before = await submissionsTo(all.service);
    await all.limner.generate('A tin cup');
    let said = '';
    await all.workbench.notifications.dismiss('"A tin cup"', async (notification) => {
      said = await notification.innerText();
    });
    assert.match(said, /used up: insufficient balance/u);
    const kept = /The response is kept in (\S+\.json)/u.exec(said)?.[1] ?? '';
    assert.match(await readFile(kept, 'utf8'), /insufficient balance/u);
    assert.equal((await submissionsTo(all.service)) - before, 1);
  });

  void it('whose image is only for those who have a key is not asked for hours', async () => {
    await habit('keyedImages', { times: 0 });
    await all.limner.generate('A glass bead');
    await all.limner.whenProgress('A glass bead', 10);
    await all.service.advance(2 * taskDuration);
    await all.workbench.notifications.dismiss('"A glass bead"', async (notification) => {
      const said = await notification.innerText();
      assert.match(said, /without the API key/u);
      assert.ok(said.includes(`${all.service.resultHost}/api/async-images/`), said);
      await notification.getByRole('button', { name: 'Fetch Again' }).waitFor();
    });
    assert.deepEqual(await readdir(join(all.workspace, 'images')), ['a-brass-key.png']);
  });
});
