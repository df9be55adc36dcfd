import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { Codecs, type Pixels } from '../../src/images/finish/codecs.ts';
import { story } from '../support/story.ts';
import {
  requestsTo,
  startDemoServiceSession,
  submissionsTo,
  taskDuration,
  type DemoServiceSession,
} from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

const side = 64;

/** The mask hides half of what is edited: its right side stays as it is. */
const isHidden = (index: number): boolean => index % side >= side / 2;

const bindings = [
  {
    key: 'ctrl+alt+m',
    command: 'limner.edit',
    args: { images: ['hero.png'], prompt: 'make it all blue', mask: 'mask.png' },
  },
  {
    key: 'ctrl+alt+w',
    command: 'limner.edit',
    args: { images: ['hero.png'], prompt: 'make it all red', mask: 'small.png' },
  },
  { key: 'ctrl+alt+g', command: 'limner.generate', args: { prompt: 'Six wooden boats', n: 6 } },
  { key: 'ctrl+alt+j', command: 'limner.generate', args: { prompt: 'A clay jug' } },
  { key: 'ctrl+alt+s', command: 'limner.task.saveAgain', args: { prompt: 'no row' } },
];

story('commands with arguments, from key bindings', (part) => {
  const codecs = new Codecs();
  const hero = picture(side, (index) => [index % 256, 90, 160, 255]);
  let all: DemoServiceSession;

  before(async () => {
    all = await startDemoServiceSession({
      settings: { 'limner.confirmAbove': 4 },
      async prepare({ userData, workspace }) {
        await writeFile(join(userData, 'User/keybindings.json'), JSON.stringify(bindings));
        const files = {
          'hero.png': hero,
          'mask.png': picture(side, (index) => [0, 0, 0, isHidden(index) ? 255 : 0]),
          'small.png': picture(side / 2, () => [0, 0, 0, 0]),
        };
        for (const [name, pixels] of Object.entries(files)) {
          await writeFile(join(workspace, name), await codecs.encode(pixels, { format: 'png' }));
        }
      },
    });
  });
  after(async () => {
    await codecs.dispose();
    await all.dispose();
  });
  screenshotFailures(() => all?.workbench);

  part('send nothing when the mask is not as large as the image', async () => {
    const { service, workbench } = all;
    await workbench.page.keyboard.press('Control+Alt+W');
    await workbench.notifications.dismiss(
      'The mask must be the same size as the image: small.png is 32 × 32',
    );
    assert.equal(await submissionsTo(service), 0);
  });

  part('edit where the mask lets them', async () => {
    const { limner, service, workbench, workspace } = all;
    await workbench.page.keyboard.press('Control+Alt+M');
    await limner.whenProgress('make it all blue', 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('make it all blue');
    const edited = await codecs.decode(await readFile(join(workspace, 'hero-edited.png')));
    const changed = changedPixels(hero, edited);
    assert.equal(changed.filter(isHidden).length, 0);
    assert.ok(changed.length > (0.9 * (side * side)) / 2);
  });

  part('ask before they make many images, and send nothing unless that is confirmed', async () => {
    const { limner, service, workbench } = all;
    const before = await submissionsTo(service);
    await workbench.page.keyboard.press('Control+Alt+G');
    await workbench.pressInDialog('Generate 6 images in one run?', 'Cancel');
    await workbench.notifications.dismiss('Canceled. Nothing was sent.');
    assert.equal(await submissionsTo(service), before);

    await workbench.page.keyboard.press('Control+Alt+G');
    await workbench.pressInDialog('Generate 6 images in one run?', 'Generate 6 Images');
    await limner.whenProgress('Six wooden boats', 10);
    await service.advance(2 * taskDuration);
    await limner.tasks.whenSays('Six wooden boats', '6 images');
    assert.equal(await submissionsTo(service), before + 1);
  });

  part('start one run, however long the key is held', async () => {
    const { limner, service, workbench } = all;
    const { keyboard } = workbench.page;
    const before = await submissionsTo(service);
    await keyboard.down('Control');
    await keyboard.down('Alt');
    // The repeats of a key wait for nobody.
    await Promise.all(Array.from({ length: 20 }, async () => keyboard.down('j')));
    await keyboard.up('j');
    await keyboard.up('Alt');
    await keyboard.up('Control');
    await limner.whenProgress('A clay jug', 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved('A clay jug');
    assert.equal(await limner.tasks.row('A clay jug').count(), 1);
    assert.equal(await submissionsTo(service), before + 1);
  });

  part('are asked about again when the task is run again', async () => {
    const { limner, service, workbench } = all;
    const before = await submissionsTo(service);
    await limner.tasks.chooseFromMenu('Six wooden boats', 'Run Again');
    await workbench.pressInDialog('Generate 6 images in one run?', 'Cancel');
    await limner.tasks.chooseFromMenu('Six wooden boats', 'Run Again');
    await workbench.pressInDialog('Generate 6 images in one run?', 'Generate 6 Images');
    await limner.whenProgress('Six wooden boats', 10);
    await service.advance(2 * taskDuration);
    await limner.tasks.description('Six wooden boats').filter({ hasText: '6 images' }).nth(1).waitFor();
    assert.equal(await limner.tasks.row('Six wooden boats').count(), 2);
    assert.equal(await submissionsTo(service), before + 1);
  });

  part('say so where a command of the task list comes without a row, and send nothing', async () => {
    const { service, workbench } = all;
    const before = await submissionsTo(service);
    await workbench.page.keyboard.press('Control+Alt+S');
    await workbench.notifications.dismiss('The task list just changed. Run the command again.');
    assert.equal(await submissionsTo(service), before);
  });

  part('leave every request in the log, without key and prompt', async () => {
    const { service, session, apiKey } = all;
    const log = session.readLog('limner.limner', 'Limner');
    const hosts = { service: new URL(service.baseUrl).host, result: new URL(service.resultHost).host };
    const logged = [...log.matchAll(/(\w+ \S+ \d+), [1-9]\d* bytes, \d+ ms$/gm)].map(([, line = '']) => line);
    const seen = (await requestsTo(service)).map(
      ({ host, method, path, status }) => `${method} ${hosts[host]}${path} ${status}`,
    );
    assert.ok(seen.length > 15);
    assert.deepEqual(logged.toSorted(byText), seen.toSorted(byText));
    assert.ok(!log.includes(apiKey));
    for (const { args } of bindings) {
      assert.ok(!log.includes(args.prompt));
    }
  });
});

function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function picture(width: number, colour: (index: number) => number[]): Pixels {
  const indices = Array.from({ length: width * width }, (_, index) => index);
  return { width, height: width, rgba: Uint8Array.from(indices.flatMap((index) => colour(index))) };
}

/** Returns the indices of the pixels that have changed. */
function changedPixels(was: Pixels, is: Pixels): number[] {
  return Array.from({ length: was.width * was.height }, (_, index) => index).filter((index) =>
    [0, 1, 2, 3].some((channel) => was.rgba[index * 4 + channel] !== is.rgba[index * 4 + channel]),
  );
}
