import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  injectFault,
  startDemoServiceSession,
  submissionsTo,
  taskDuration,
  type DemoServiceSession,
} from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { pixel } from '../ui/seededTask.ts';

void describe('an image behind a redirect to a host that is not trusted', () => {
  const elsewhere = createServer((_, response) => response.end(pixel));
  let all: DemoServiceSession;
  let host: string;

  before(async () => {
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const address = elsewhere.address();
    assert.ok(address !== null && typeof address === 'object');
    // This machine too, but by an address that is not one of its own names: of another kind than the service's.
    host = `0.0.0.0:${address.port}`;
    all = await startDemoServiceSession();
    await injectFault(all.service, {
      kind: 'status',
      on: 'image',
      times: 0,
      status: 302,
      headers: { location: `http://${host}/a.png` },
    });
  });
  after(async () => {
    await all.dispose();
    elsewhere.close();
  });
  screenshotFailures(() => all?.workbench);

  void it('is fetched once the person allows that host, and is not paid for again', async () => {
    const { limner, service, session, workbench, workspace } = all;
    await limner.generate('A locked door');
    await limner.whenProgress('A locked door', 10);
    await service.advance(2 * taskDuration);
    await workbench.notifications.press(`Didn't fetch the image from ${host}`, 'Allow This Host and Fetch');
    await workbench.pressInDialog(`Fetch images from ${host}?`, 'Allow This Host and Fetch');
    await limner.whenSaved('A locked door');
    assert.deepEqual(await readFile(join(workspace, 'images/a-locked-door.png')), pixel);
    const settings = await readFile(join(session.userDataFolder, 'User/settings.json'), 'utf8');
    assert.ok(settings.includes(host) && !settings.includes(new URL(service.resultHost).host));
    assert.equal(await submissionsTo(service), 1);
  });
});
