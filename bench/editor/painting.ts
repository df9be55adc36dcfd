import { watch } from 'node:fs';
import type { Page } from 'playwright-core';
import type { QuickInput } from '../../test/host/window/quickInput.ts';
import { EditorBench } from './editorBench.ts';
import { bundleProbe } from './helperExtensions.ts';
import type { ProbeMethods } from './hosts/probe.ts';
import { ServiceProcess, settingsFor } from './serviceProcess.ts';

const bareBox = 'A box that does nothing';
/** Between two keys, in milliseconds: 120 words a minute. */
const keyPause = 100;

/** The ways of prompts to the service, and of images to the workspace, in milliseconds. */
export interface Ways {
  /** From Enter in a box that does nothing to the extension host. */
  heard: number[];
  /** From Enter in the prompt box to the request at the service. */
  sent: number[];
  /** From the end of a task at the service to the question that is told of it. */
  interval: number[];
  /** From that question to the file in the workspace. */
  saved: number[];
}

/** Generates images by the prompt box of one window, one after the other. */
export async function measurePainting(rounds: number): Promise<Ways> {
  const service = await ServiceProcess.start();
  const probe = await bundleProbe();
  const bench = await EditorBench.start<ProbeMethods>({
    limner: true,
    extensions: [probe],
    settings: settingsFor(service),
  });
  const ways: Ways = { heard: [], sent: [], interval: [], saved: [] };
  try {
    const workspace = bench.makeWorkspace();
    const { workbench, limner, host } = await bench.open(workspace);
    await limner.show();
    await limner.setApiKey('bench');
    await noteEnter(workbench.page);
    // The first one loads what Limner has not needed so far.
    for (let round = -1; round < rounds; round++) {
      const prompt = `picture ${round + 2}`;
      const entering = host.ask('enterInBareBox', bareBox);
      await answerByKeys(workbench.quickInput, bareBox, prompt);
      const heard = (await entering) - (await lastEnter(workbench.page));
      const events = [service.next('posted'), service.next('completed'), service.next('told')] as const;
      const appeared = nextFile(workspace.images);
      await workbench.runCommand('Limner: Generate Image…');
      await answerByKeys(workbench.quickInput, 'Describe the image', prompt);
      const [posted, completed, told] = await Promise.all(events);
      const saved = await appeared;
      if (round >= 0) {
        ways.heard.push(heard);
        ways.sent.push(posted - (await lastEnter(workbench.page)));
        ways.interval.push(told - completed);
        ways.saved.push(saved - told);
      }
      await limner.whenSaved(prompt);
    }
  } finally {
    await bench.dispose();
    probe.remove();
    service.stop();
  }
  return ways;
}

/** Types an answer as a user does who types fast, and accepts it with the next key. */
async function answerByKeys({ box, input }: QuickInput, question: string, text: string): Promise<void> {
  const asked = box.filter({ hasText: question });
  await asked.waitFor();
  await input.pressSequentially(text, { delay: keyPause });
  await input.press('Enter');
  await asked.waitFor({ state: 'hidden' });
}

/** The moment of the last Enter, in Unix milliseconds. */
interface Noting {
  enteredAt?: number;
}

async function noteEnter(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.addEventListener(
      'keydown',
      ({ key, timeStamp }) => {
        if (key === 'Enter') {
          (window as Noting).enteredAt = performance.timeOrigin + timeStamp;
        }
      },
      true,
    );
  });
}

async function lastEnter(page: Page): Promise<number> {
  return page.evaluate(() => (window as Noting).enteredAt ?? Number.NaN);
}

/** Waits for a file that is not hidden. @returns when it appeared, in Unix milliseconds */
async function nextFile(folder: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const watcher = watch(folder, (_, name) => {
    if (name !== null && !name.startsWith('.')) {
      resolve(performance.timeOrigin + performance.now());
    }
  });
  return promise.finally(() => watcher.close());
}
