import assert from 'node:assert/strict';
import { access, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { startDemoServiceSession, taskDuration, type DemoServiceSession } from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { storageFolder } from '../ui/filledStore.ts';

void describe('a task list that is damaged while a task runs', () => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({ settings: { 'limner.afterSave': 'nothing' } });
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  void it('says where the old one is kept, and loses neither the task nor its image', async () => {
    const { limner, service, session, workbench, workspace } = all;
    const storage = storageFolder(session.userDataFolder);
    await limner.generate('A paper boat');
    await limner.whenProgress('A paper boat', 10);
    await damage(join(storage, 'limner.db'));
    await service.advance(2 * taskDuration);
    await workbench.notifications.dismiss('The task list was damaged and is kept as', async (message) => {
      const aside = (await readdir(storage)).find((name) => /^limner\.db\.damaged-\d+$/.test(name));
      assert.ok(aside !== undefined && (await message.innerText()).includes(join(storage, aside)));
    });
    await limner.whenSaved('A paper boat');
    await access(join(workspace, 'images/a-paper-boat.png'));
    await workbench.reload();
    await limner.whenSaved('A paper boat');
  });
});

/** Overwrites all but the first page, like a failing disk, when nobody has the others in memory. */
async function damage(file: string): Promise<void> {
  const database = new DatabaseSync(file, { timeout: 1000 });
  database.exec('UPDATE meta SET value = value; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const { size } = await stat(file);
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(size, 7), 0, size - 4096, 4096);
  await handle.close();
}
