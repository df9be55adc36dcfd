import assert from 'node:assert/strict';
import { access, mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import { story } from '../support/story.ts';
import { LimnerView } from '../host/window/limnerView.ts';
import type { Workbench } from '../host/window/workbench.ts';
import {
  startDemoServiceSession,
  submissionsTo,
  taskDuration,
  type DemoServiceSession,
} from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { fillStore } from '../ui/filledStore.ts';
import { seededTask } from '../ui/seededTask.ts';

const statusItem = 'limner.limner.running';

/** Another window of the same editor. */
interface Other {
  workbench: Workbench;
  limner: LimnerView;
}

story('a task of another window', (part) => {
  let all: DemoServiceSession;
  let others: Other[];

  before(async () => {
    all = await startDemoServiceSession({
      settings: { 'limner.afterSave': 'nothing' },
      async prepare({ userData, workspace, service }) {
        const place = { service, workspace, images: join(workspace, 'images') };
        const held = seededTask(place, 'A held kite', { status: 'waiting', held: true });
        delete held.finishedAt;
        await fillStore(userData, [held]);
      },
    });
    const elsewhere = `${all.workspace}-elsewhere`;
    await mkdir(join(elsewhere, 'inner'), { recursive: true });
    others = [];
    for (const workspace of [all.workspace, elsewhere]) {
      const workbench = await all.session.open(workspace);
      const limner = new LimnerView(workbench);
      await limner.show();
      others.push({ workbench, limner });
    }
  });
  after(() => all.dispose());
  screenshotFailures(() => others?.[1]?.workbench);

  part('is listed in another workspace only when it shows all', async () => {
    const [beside, elsewhere] = others;
    assert.ok(beside && elsewhere);
    const { tasks } = elsewhere.limner;
    await beside.limner.tasks.row('A held kite').waitFor();
    await elsewhere.workbench.runCommand('Limner: Show All Workspaces');
    await tasks.whenSays('A held kite', ` · ${basename(all.workspace)}`);
    await elsewhere.workbench.runCommand('Limner: Show This Workspace Only');
    await tasks.row('A held kite').waitFor({ state: 'detached' });
    await elsewhere.workbench.runCommand('Limner: Show All Workspaces');
    await tasks.row('A held kite').waitFor();
  });

  part('is asked about where its folder is open when it was not sent, and sent once', async () => {
    const { service, session, workspace } = all;
    const question = 'A prompt wasn\'t sent before the window closed: "A held kite"';
    const [beside, elsewhere] = others;
    const third = await session.open(workspace);
    await third.notifications.unread.waitFor();
    await beside?.workbench.notifications.press(question, 'Send Now');
    await beside?.limner.whenProgress('A held kite', 10);
    await third.notifications.press(question, 'Send Now');
    await service.advance(2 * taskDuration);
    for (const { limner } of others) {
      await limner.whenSaved('A held kite');
    }
    assert.equal(await elsewhere?.limner.countMessages('was not sent', all.apiKey), 0);
    assert.equal(await submissionsTo(service), 1);
    assert.ok(!session.readLog('limner.limner', 'Limner').includes('takes no "release"'));
    // Otherwise it would resume what the others leave.
    await third.page.close();
  });

  part(
    'shows in the list, the badge and the status bar of every window, from its start to its end',
    async () => {
      const { limner, service } = all;
      await limner.generate('A paper boat');
      for (const other of others) {
        await other.limner.whenProgress('A paper boat', 10);
        await badge(other.workbench).waitFor();
        await other.workbench
          .statusBarItem(statusItem)
          .filter({ hasText: /1 image task · [12]0%/ })
          .waitFor();
      }
      await service.advance(0.45 * taskDuration);
      for (const other of others) {
        await other.limner.whenProgress('A paper boat', 60);
        await other.workbench.statusBarItem(statusItem).filter({ hasText: '1 image task · 60%' }).waitFor();
      }
      const [, elsewhere] = others;
      assert.ok(elsewhere);
      await elsewhere.workbench.runCommand('Limner: Show This Workspace Only');
      await elsewhere.workbench.statusBarItem(statusItem).waitFor({ state: 'hidden' });
      await badge(elsewhere.workbench).waitFor({ state: 'detached' });
      await elsewhere.workbench.runCommand('Limner: Show All Workspaces');
      await badge(elsewhere.workbench).waitFor();
      await service.advance(2 * taskDuration);
      for (const other of others) {
        await other.limner.whenSaved('A paper boat');
        await badge(other.workbench).waitFor({ state: 'detached' });
        await other.workbench.statusBarItem(statusItem).waitFor({ state: 'hidden' });
      }
    },
  );

  part('is told at its end by the window that works on it, and by no other', async () => {
    const { limner, service, workbench } = all;
    await limner.generate('A tin robot');
    for (const other of others) {
      await other.limner.whenProgress('A tin robot', 10);
      await other.workbench.explorer.show();
    }
    await workbench.explorer.show();
    await service.advance(2 * taskDuration);
    await workbench.notifications.dismiss('Saved the image "A tin robot".');
    for (const other of others) {
      await other.limner.show();
      await other.limner.whenSaved('A tin robot');
      assert.equal(await other.limner.countMessages('Saved the image', all.apiKey), 0);
    }
  });

  part('is stopped from another window', async () => {
    const { limner } = all;
    await limner.show();
    await limner.generate('A glass whale');
    for (const other of others) {
      await other.limner.whenProgress('A glass whale', 10);
    }
    await others[1]?.limner.tasks.press('A glass whale', 'Stop Waiting');
    await limner.tasks.whenSays('A glass whale', 'stopped');
  });

  part('goes on, and is told, in another window when its own is gone, and keeps its folder', async () => {
    const { limner, service, workbench, workspace } = all;
    const [, other] = others;
    assert.ok(other);
    await limner.generate('A brass snail');
    await other.limner.whenProgress('A brass snail', 10);
    await others[0]?.workbench.page.close();
    await crash(workbench);
    await other.workbench.explorer.show();
    await service.advance(2 * taskDuration);
    await other.workbench.notifications.dismiss('Saved the image "A brass snail".');
    await access(join(workspace, 'images/a-brass-snail.png'));
  });

  part('is kept in the inbox when its folder has vanished, and says so with a way out', async () => {
    const { service, session, workspace } = all;
    const [, other] = others;
    assert.ok(other);
    const workbench = await session.open(workspace);
    const limner = new LimnerView(workbench);
    await limner.show();
    await limner.generate('A wax seal');
    await other.limner.show();
    await other.limner.whenProgress('A wax seal', 10);
    await workbench.page.close();
    await rename(workspace, `${workspace}-away`);
    await service.advance(2 * taskDuration);
    await other.limner.tasks.whenSays('A wax seal', 'kept in the inbox');
    await other.workbench.runCommand('Notifications: Clear All Notifications');
    await other.limner.tasks.press('A wax seal', 'Save Again…');
    // It fills its box itself once it has listed the workspace.
    await other.workbench.quickInput.options.filter({ hasText: 'inner' }).waitFor();
    await other.workbench.quickInput.box.getByRole('button', { name: 'Save Here' }).click();
    await other.limner.whenSaved('A wax seal');
    await access(join(`${workspace}-elsewhere`, 'a-wax-seal.png'));
  });
});

/** Ends a window without a shutdown: its extension host stays, and nobody answers it. */
async function crash({ page }: Workbench): Promise<void> {
  const crashed = page.waitForEvent('crash');
  await page.goto('chrome://crash').catch(() => undefined);
  await crashed;
}

/** The number on Limner's icon while one task runs. */
function badge(workbench: Workbench): Locator {
  return workbench.page.locator('.activitybar').getByText('1', { exact: true });
}
