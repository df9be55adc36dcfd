import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { newTaskId } from '../../src/engine/task/taskId.ts';
import { aRequest, aTask } from '../support/engine/taskBuilders.ts';
import { attempt, clickSurely } from '../host/window/pointer.ts';
import { story } from '../support/story.ts';
import { eventually } from '../support/eventually.ts';
import {
  injectFault,
  passTime,
  startDemoServiceSession,
  taskDuration,
  type DemoServiceSession,
} from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { fillStore, storageFolder } from '../ui/filledStore.ts';

story('an extension host that is killed', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({
      async prepare({ userData, workspace, service }) {
        const root = pathToFileURL(workspace).href;
        const createdAt = Date.now();
        await fillStore(userData, [
          aTask({
            id: newTaskId(createdAt),
            createdAt,
            status: 'failed',
            origin: service.baseUrl,
            error: { code: 'no_async_channel', message: 'No channel.', billing: 'no' },
            request: aRequest({
              prompt: 'A brass clock',
              model: service.models[0]?.id ?? '',
              baseUrl: service.baseUrl,
              target: { folder: `${root}/images`, root, fileName: '{prompt}' },
            }),
          }),
        ]);
      },
    });
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  /** Waits until the service got so many requests of this kind. */
  async function got(method: string, path: RegExp, count: number): Promise<void> {
    await eventually(
      `${count} × ${method} ${path}`,
      async () => requests(method, path),
      (seen) => seen >= count,
    );
  }

  async function requests(method: string, path: RegExp): Promise<number> {
    const log = v.parse(requestLog, await demo('requests'));
    return log.requests.filter((request) => request.method === method && path.test(request.path)).length;
  }

  async function demo(what: string): Promise<unknown> {
    return (await fetch(`${all.service.baseUrl}/demo/${what}`)).json();
  }

  async function states(): Promise<string[]> {
    return v.parse(ledger, await demo('ledger')).entries.map(({ state }) => state);
  }

  async function images(): Promise<string[]> {
    return (await readdir(join(all.workspace, 'images'))).toSorted();
  }

  part('goes on polling when it was killed in the midst of a poll', async () => {
    const { limner, service, session } = all;
    await limner.generate('A paper boat');
    await limner.whenProgress('A paper boat', 10);
    await injectFault(all.service, { kind: 'stall', when: 'before', on: 'query' });
    await eventually(
      'a poll that gets no answer',
      async () => v.parse(requestLog, await demo('requests')).requests.map(({ met }) => met?.kind),
      (faults) => faults.includes('stall'),
    );
    const polls = await requests('GET', query);
    session.killExtensionHost();
    // By itself: the service's time stands still, and nobody touches the window.
    await got('GET', query, polls + 1);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('A paper boat');
    assert.deepEqual(await images(), ['a-paper-boat.png']);
    assert.equal(await requests('POST', submission), 1);
    assert.deepEqual(await states(), ['settled']);
  });

  part('fetches the image again when it was killed in the midst of that', async () => {
    const { limner, service, session, workspace } = all;
    await limner.generate('A tin robot');
    await limner.whenProgress('A tin robot', 10);
    const fetched = await requests('GET', result);
    await injectFault(all.service, { kind: 'stall', when: 'body', on: 'image' });
    await service.advance(2 * taskDuration);
    await got('GET', result, fetched + 1);
    session.killExtensionHost();
    await limner.whenSaved('A tin robot');
    assert.deepEqual(await images(), ['a-paper-boat.png', 'a-tin-robot.png']);
    const path = v
      .parse(requestLog, await demo('requests'))
      .requests.findLast((request) => result.test(request.path))?.path;
    const original = await (await fetch(`${service.resultHost}${path ?? ''}`)).arrayBuffer();
    assert.deepEqual(await readFile(join(workspace, 'images/a-tin-robot.png')), Buffer.from(original));
    assert.equal(await requests('GET', result), fetched + 2 + 1);
    assert.equal(await requests('POST', submission), 2);
    assert.deepEqual(await states(), ['settled', 'settled']);
    // It is emptied after the row says that the image is saved.
    const incoming = join(storageFolder(all.session.userDataFolder), 'incoming');
    await eventually(
      'an empty folder',
      async () => readdir(incoming),
      ({ length }) => length === 0,
    );
  });

  part('does not know what became of a synchronous call, and sends it again only when asked to', async () => {
    const { limner, service, session, workbench } = all;
    await limner.tasks.press('A brass clock', 'Run Synchronously');
    await got('POST', submission, 3);
    session.killExtensionHost();
    // The third time within five minutes, VS Code asks the user.
    await workbench.reload();
    await limner.show();
    const row = limner.tasks.row('A brass clock').filter({ hasText: 'outcome unknown' });
    await row.waitFor();
    await passTime(service, 'its bill', async () => (await states()).every((state) => state === 'settled'));
    assert.equal(await requests('POST', submission), 3);
    assert.deepEqual(await states(), ['settled', 'settled', 'settled']);
    await clickSurely(row.getByRole('button', { name: 'Run Again (Billed Again)', exact: true }), async () =>
      row.hover(attempt),
    );
    await got('POST', submission, 4);
    await passTime(service, 'a third image', async () => (await images()).length === 3);
    await limner.whenSaved('A brass clock');
    assert.deepEqual(await images(), ['a-brass-clock.png', 'a-paper-boat.png', 'a-tin-robot.png']);
    assert.equal(await requests('POST', submission), 4);
  });
});

const submission = /^\/v1\/images\/generations$/;
const query = /^\/v1\/images\/generations\/./;
const result = /^\/api\/async-images\//;

const requestLog = v.object({
  requests: v.array(
    v.object({ method: v.string(), path: v.string(), met: v.optional(v.object({ kind: v.string() })) }),
  ),
});
const ledger = v.object({ entries: v.array(v.object({ state: v.string() })) });
