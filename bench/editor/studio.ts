import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import type { Task } from '../../src/engine/task/task.ts';
import { newTaskId } from '../../src/engine/task/taskId.ts';
import { StudioView } from '../../test/host/window/studioView.ts';
import { aRequest, aTask } from '../../test/support/engine/taskBuilders.ts';
import { fillStore } from '../../test/ui/filledStore.ts';
import { wavesPng } from '../wavesPng.ts';
import { type BenchWindow, type BenchWorkspace, EditorBench } from './editorBench.ts';
import { bundleProbe } from './helperExtensions.ts';
import type { ProbeMethods } from './hosts/probe.ts';

/** Of the large image, in pixels. */
const side = 4096;
/** How long a new window rests before anything is opened in it, in milliseconds: it starts much else at first. */
const rest = 5000;
const prompt = 'a very large picture';

/** What a user waits for in the studio, in milliseconds. */
export interface StudioTimes {
  /** From the click on its button to its first paint, which is the first webview of the window. */
  firstPaint: number[];
  /** The same for a webview that shows one word, from the call that opens it. */
  bareWebview: number[];
  /** From the click on a tile to the frame that shows the image large. */
  largeView: number[];
}

/** Opens the studio, and a large image in it, in a new window for each round. */
export async function measureStudio(rounds: number): Promise<StudioTimes> {
  const probe = await bundleProbe();
  const bench = await EditorBench.start<ProbeMethods>({
    limner: true,
    extensions: [probe],
    settings: {
      'limner.baseUrl': 'http://127.0.0.1:9',
      'limner.models': [{ id: 'bench', family: 'image' }],
      'limner.model': 'bench',
    },
  });
  const times: StudioTimes = { firstPaint: [], bareWebview: [], largeView: [] };
  try {
    const large = await wavesPng(side);
    const workspaces = Array.from({ length: rounds + 1 }, () => bench.makeWorkspace());
    const tasks = workspaces.map((workspace) => largeTask(workspace, large));
    await fillStore(bench.session.userDataFolder, tasks);
    for (const [round, workspace] of workspaces.entries()) {
      const bare = await bench.open();
      const bareWebview = await openBareWebview(bare);
      await bare.close();
      const window = await bench.open(workspace);
      const firstPaint = await openStudio(window);
      await window.host.ask('openInStudio', tasks[round]?.id ?? '');
      const largeView = await openLarge(window);
      await window.close();
      // The first windows only warm the caches.
      if (round > 0) {
        times.bareWebview.push(bareWebview);
        times.firstPaint.push(firstPaint);
        times.largeView.push(largeView);
      }
    }
  } finally {
    await bench.dispose();
    probe.remove();
  }
  return times;
}

async function openBareWebview({ workbench, host }: BenchWindow<ProbeMethods>): Promise<number> {
  const view = new StudioView(workbench);
  await sleep(rest);
  const asked = await host.ask('openBareWebview');
  await view.whenShown();
  return (await view.firstPaint()) - asked;
}

async function openStudio({ workbench, limner }: BenchWindow<ProbeMethods>): Promise<number> {
  const studio = new StudioView(workbench);
  await limner.show();
  const button = workbench.page.locator('.sidebar').getByRole('button', { name: 'Open Studio' });
  await sleep(rest);
  const clicked = momentOfClick(button);
  await button.click();
  const asked = await clicked;
  await studio.whenShown();
  return (await studio.firstPaint()) - asked;
}

/** Waits until an image is loaded, and for the frame after that. */
async function whenPainted(image: HTMLImageElement): Promise<void> {
  if (!image.complete) {
    await new Promise((resolve) => image.addEventListener('load', resolve));
  }
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** Waits for a click. @returns when it was, in Unix milliseconds */
async function momentOfClick(element: Locator): Promise<number> {
  return element.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const note = ({ timeStamp }: Event): void => resolve(performance.timeOrigin + timeStamp);
        window.addEventListener('click', note, { capture: true, once: true });
      }),
  );
}

async function openLarge({ workbench }: BenchWindow<ProbeMethods>): Promise<number> {
  const { main } = new StudioView(workbench);
  const tile = main.locator('.tile-image');
  await tile.locator('img').evaluate(whenPainted);
  const shown = whenLarge(main);
  await tile.click();
  return shown;
}

/**
 * Waits for a click and for the frame after it that shows the image large.
 *
 * @returns the time between both
 */
async function whenLarge(main: Locator): Promise<number> {
  return main.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let clicked = Number.NaN;
        window.addEventListener('click', ({ timeStamp }) => (clicked = timeStamp), {
          capture: true,
          once: true,
        });
        const whenPainted = (): void => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => resolve(performance.now() - clicked), { once: true });
          port1.start();
          port2.postMessage('painted');
        };
        const observer = new MutationObserver(() => {
          const image = document.querySelector<HTMLImageElement>('.zoom-pane img');
          if (image) {
            observer.disconnect();
            void image.decode().then(() => requestAnimationFrame(whenPainted));
          }
        });
        observer.observe(document.body, { childList: true, subtree: true });
      }),
  );
}

function largeTask({ path, images }: BenchWorkspace, image: Uint8Array): Task {
  const file = join(images, 'large.png');
  writeFileSync(file, image);
  const createdAt = Date.now();
  return aTask({
    id: newTaskId(createdAt),
    createdAt,
    finishedAt: createdAt,
    status: 'completed',
    request: aRequest({
      prompt,
      model: 'bench',
      target: {
        folder: pathToFileURL(images).href,
        root: pathToFileURL(path).href,
        fileName: '{prompt}',
      },
    }),
    results: [
      {
        index: 0,
        state: 'saved',
        uri: pathToFileURL(file).href,
        width: side,
        height: side,
        mediaType: 'image/png',
      },
    ],
  });
}
