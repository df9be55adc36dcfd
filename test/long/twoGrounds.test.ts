import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { twoBackgroundSentences } from '../../src/images/finish/keyColor.ts';
import { twoBackgroundsRequest } from '../../src/engine/task/twoBackgrounds.ts';
import { newTaskId } from '../../src/engine/task/taskId.ts';
import { aRequest, aTask } from '../support/engine/taskBuilders.ts';
import { eventually } from '../support/eventually.ts';
import { story } from '../support/story.ts';
import {
  type DemoServiceSession,
  passTime,
  startDemoServiceSession,
  submissionsTo,
} from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { fillStore } from '../ui/filledStore.ts';

const binding = {
  key: 'ctrl+alt+j',
  command: 'limner.generate',
  args: { prompt: 'A clay jug', fileName: 'jug', background: 'transparent', twoGrounds: true },
};

const savedWords = 'Saved the image';

story('an image on two grounds whose window is closed', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({
      settings: { 'limner.afterSave': 'nothing' },
      async prepare({ userData, workspace, service }) {
        await writeFile(join(userData, 'User/keybindings.json'), JSON.stringify([binding]));
        const root = pathToFileURL(workspace).href;
        const createdAt = Date.now();
        const request = aRequest({
          prompt: 'A brass bell',
          model: service.models[0]?.id ?? '',
          size: '256x256',
          baseUrl: service.baseUrl,
          target: { folder: `${root}/images`, root, fileName: 'bell' },
        });
        await fillStore(userData, [
          aTask({
            id: newTaskId(createdAt),
            createdAt,
            origin: service.baseUrl,
            held: true,
            request: { ...twoBackgroundsRequest(request), instruction: twoBackgroundSentences.white },
          }),
        ]);
      },
    });
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const image = (name: string): string => join(all.workspace, 'images', name);

  part('before it is sent is told once when both were made', async () => {
    const { service, workbench } = all;
    await workbench.reload();
    await workbench.notifications.press(
      'A prompt wasn\'t sent before the window closed: "A brass bell"',
      'Send Now',
    );
    await workbench.explorer.show();
    await passTime(service, 'both images', async () => existsSync(image('bell.png')));
    await workbench.notifications.dismiss(`${savedWords} "A brass bell".`, async () => {
      assert.equal(await workbench.notifications.listed(savedWords).count(), 1);
    });
    assert.equal(await submissionsTo(service), 2);
  });

  part('between them says that the second waits, and sends it from there', async () => {
    const { limner, service, workbench } = all;
    await limner.show();
    await workbench.page.keyboard.press('Control+Alt+J');
    await limner.whenProgress('A clay jug', 10);
    await workbench.reload();
    await workbench.explorer.show();
    await passTime(service, 'the image on white', async () => existsSync(image('jug-on-white.png')));
    const words = '"A clay jug" is saved on white only. The window closed before the edit to black';
    await workbench.notifications.press(words, 'Send Now', async () => {
      assert.equal(await workbench.notifications.listed(savedWords).count(), 0);
      assert.equal(await submissionsTo(service), 3);
    });
    await passTime(service, 'both images', async () => existsSync(image('jug.png')));
    await workbench.notifications.dismiss(`${savedWords} "A clay jug".`, async () => {
      assert.equal(await workbench.notifications.listed(savedWords).count(), 1);
    });
    assert.equal(await submissionsTo(service), 4);
  });
});

story('an image on two grounds that an agent asked for', (part) => {
  let started: DemoServiceSession;

  before(async () => {
    started = await startDemoServiceSession({
      beside: 'agentCaller',
      settings: {
        'limner.models': [{ id: 'demo-painter', family: 'image', transparent: { by: 'grounds' } }],
        'limner.agents.confirm': 'above',
      },
    });
  });
  after(async () => started.dispose());
  screenshotFailures(() => started?.workbench);

  part('has the user told that the second waits, though the chat waits for both', async () => {
    const { limner, service, workbench, workspace } = started;
    const input = { prompt: 'A clay pot', path: 'images/pot.png', transparent: true };
    await writeFile(join(workspace, 'call.json'), JSON.stringify({ tool: 'limner_generate_image', input }));
    await workbench.runCommand('Agent: Call');
    await limner.whenProgress('A clay pot', 10);
    await workbench.reload();
    await workbench.runCommand('Agent: Call');
    await passTime(service, 'the image on white', async () =>
      existsSync(join(workspace, 'images/pot-on-white.png')),
    );
    const reply = await eventually(
      'the agent gets a reply',
      async () => readFile(join(workspace, 'reply.json'), 'utf8').catch(() => ''),
      (text) => text !== '',
    );
    assert.match(reply, /ask the user to send task/u);
    await workbench.notifications.press('"A clay pot" is saved on white only.', 'Send Now');
    await passTime(service, 'both images', async () => existsSync(join(workspace, 'images/pot.png')));
    assert.equal(await submissionsTo(service), 2);
  });
});
