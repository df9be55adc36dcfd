import { execFileSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeImage } from '../../src/images/codecs/codecSet.ts';
import type { Workbench } from '../../test/host/window/workbench.ts';
import { EditorBench } from './editorBench.ts';
import { bundleProbe } from './helperExtensions.ts';
import type { ProbeMethods } from './hosts/probe.ts';

/** Of the image, in pixels: its noise makes a PNG of 20 MB. */
const side = 2236;
const name = 'large.png';

/** What an image of 20 MB costs that is compared with the last commit. */
export interface Comparing {
  /** From the command to the first paint of both versions, in milliseconds. */
  shown: number[];
  /** The same for a second comparison of the same image. */
  again: number[];
  /** What the extension host keeps of its memory after the tab was closed, in MB. */
  kept: number[];
}

/** Compares a large image with the last commit, in a new window for each round. */
export async function measureComparing(rounds: number): Promise<Comparing> {
  const probe = await bundleProbe();
  const bench = await EditorBench.start<ProbeMethods>({ limner: true, extensions: [probe], builtIn: 'git' });
  const measured: Comparing = { shown: [], again: [], kept: [] };
  try {
    for (let round = 0; round <= rounds; round++) {
      const workspace = bench.makeWorkspace();
      const file = join(workspace.path, name);
      const git = (...words: readonly string[]): void => {
        execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...words], {
          cwd: workspace.path,
        });
      };
      git('init', '-q');
      writeFileSync(file, await noise());
      git('add', '.');
      git('commit', '-qm', 'Draw');
      writeFileSync(file, await noise());
      const { workbench, host, close } = await bench.open(workspace);
      const before = await host.ask('memory');
      const compare = async (): Promise<number> => {
        const asked = await host.ask('compareWithHead', file);
        return (await whenPainted(workbench)) - asked;
      };
      const shown = await compare();
      await host.ask('closeTabs');
      const kept = (await host.ask('memory')) - before;
      const again = await compare();
      await close();
      // The first window only warms the caches.
      if (round > 0) {
        measured.shown.push(shown);
        measured.again.push(again);
        measured.kept.push(kept);
      }
    }
  } finally {
    await bench.dispose();
    probe.remove();
  }
  return measured;
}

async function noise(): Promise<Uint8Array> {
  const rgba = randomFillSync(new Uint8Array(4 * side * side));
  return encodeImage({ width: side, height: side, rgba }, { format: 'png' });
}

/** Waits until both images are decoded and painted. @returns when that was, in Unix milliseconds */
async function whenPainted({ webview }: Workbench): Promise<number> {
  return webview.locator('main.compare-page').evaluate(async (main) => {
    let images: HTMLImageElement[] = [];
    while (images.length < 2 || images.some(({ complete }) => !complete)) {
      await new Promise(requestAnimationFrame);
      images = [...main.querySelectorAll('img')];
    }
    await Promise.all(images.map(async (image) => image.decode()));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return performance.timeOrigin + performance.now();
  });
}
