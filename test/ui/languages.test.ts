import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import * as v from 'valibot';
import { LimnerView } from '../host/window/limnerView.ts';
import { StudioView } from '../host/window/studioView.ts';
import type { Workbench } from '../host/window/workbench.ts';
import { projectFolder } from '../support/folders.ts';
import { story } from '../support/story.ts';
import { type DemoServiceSession, passTime, startDemoServiceSession } from './demoServiceSession.ts';
import { screenshotFailures } from './failureScreenshot.ts';
import { fillStore } from './filledStore.ts';
import { seededTask } from './seededTask.ts';
import { shownTexts } from './shownTexts.ts';

const texts = v.record(v.string(), v.string());

function read(name: string): Record<string, string> {
  return v.parse(texts, JSON.parse(readFileSync(join(projectFolder, name), 'utf8')));
}

/** Returns the English texts of a place that have a translation, and the labels that are cut. */
async function flawsOf(place: Locator, translations: Record<string, string>): Promise<string[]> {
  return (await shownTexts(place))
    .filter(({ text, isCut }) => isCut || (translations[text] ?? text) !== text)
    .map(({ text }) => text);
}

/** As the list keeps it. */
const cause = 'Limner was closed before the service responded; the request may have reached the service.';

for (const language of ['de', 'zh-cn']) {
  story(`a window in another language: ${language}`, (part) => {
    const commands = read(`package.nls.${language}.json`);
    const translations = read(`l10n/bundle.l10n.${language}.json`);
    const said = (english: string): string => {
      const translation = translations[english];
      assert.ok(translation !== undefined && translation !== english, english);
      return translation;
    };
    let started: DemoServiceSession;
    let workbench: Workbench;
    const run = async (command: string): Promise<void> =>
      workbench.runCommand(`Limner: ${commands[`command.${command}`] ?? ''}`);

    before(async () => {
      started = await startDemoServiceSession({
        async prepare({ userData, workspace, service }) {
          const images = join(workspace, 'images');
          await mkdir(images);
          const error = { code: 'outcome_unknown', message: cause, billing: 'maybe' } as const;
          await fillStore(userData, [
            seededTask({ service, workspace, images }, 'A well', { status: 'unknown', error }),
          ]);
        },
      });
      await started.workbench.page.close();
      workbench = await started.session.open(started.workspace, { language });
      await new LimnerView(workbench).show();
    });
    after(async () => started.dispose());
    screenshotFailures(() => workbench);

    part('says in the list what became of a task, and why', async () => {
      const { tasks } = new LimnerView(workbench);
      await tasks.row('A well').getByText(said('outcome unknown')).waitFor();
      await tasks.hover('A well', said(`${cause}/kept`));
    });

    part('makes an image from the palette', async () => {
      await run('generate');
      await workbench.quickInput.answer(said('Describe the image'), 'A red fox');
      await passTime(started.service, 'the image', async () =>
        access(join(started.workspace, 'images/a-red-fox.png')).then(
          () => true,
          () => false,
        ),
      );
    });

    part('has a studio whose words are all translated, and none cut', async () => {
      const studio = new StudioView(workbench);
      await run('openStudio');
      await studio.whenShown();
      await studio.main.getByRole('button', { name: said('Generate Image') }).waitFor();
      assert.deepEqual(await flawsOf(studio.main, translations), []);
      await studio.main.getByRole('tab', { name: said('History') }).click();
      await studio.main.getByRole('option', { name: 'A red fox' }).waitFor();
      assert.deepEqual(await flawsOf(studio.main, translations), []);
    });
  });
}
