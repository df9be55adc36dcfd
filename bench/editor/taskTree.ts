import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../test/support/folders.ts';
import { fillStore } from '../../test/ui/filledStore.ts';
import { pixel } from '../../test/ui/seededTask.ts';
import { EditorBench } from './editorBench.ts';
import { bundleTaskTree } from './helperExtensions.ts';
import type { TreeMethods } from './hosts/taskTree.ts';
import { engineVariable } from './link.ts';
import { commonWord, manyTasks, rareWord } from './manyTasks.ts';

/** How many of the files exist that the tasks have saved. */
const files = 200;
/** Changes and searches in each window. */
const times = 10;

/** What a long task list costs the extension host, in milliseconds. */
export interface TreeCosts {
  /** Opening the task list, before anything of it is shown. */
  opening: number[];
  /** Reading the first page of a new window. */
  page: number[];
  /** A change of one row: from the store to the drawn row. */
  row: number[];
  /** A task that comes, ends, or goes: from the store to the drawn rows. */
  list: number[];
  /** Searching for a word that few prompts have, and for one that most have. */
  rare: number[];
  common: number[];
}

/** Measures a list of so many tasks in a new window for each round. */
export async function measureTaskTree(tasks: number, rounds: number): Promise<TreeCosts> {
  const tree = await bundleTaskTree();
  const bench = await EditorBench.start<TreeMethods>({
    limner: false,
    extensions: [tree],
    env: { [engineVariable]: join(projectFolder, 'dist', 'engine.js') },
  });
  const costs: TreeCosts = { opening: [], page: [], row: [], list: [], rare: [], common: [] };
  try {
    const workspace = bench.makeWorkspace();
    const saved = Array.from({ length: files }, (_, file) => join(workspace.images, `picture-${file}.png`));
    for (const file of saved) {
      writeFileSync(file, pixel);
    }
    await fillStore(bench.session.userDataFolder, manyTasks(tasks, workspace.path, saved));
    // The first window only warms the caches.
    const first = await bench.open(workspace);
    await first.host.ask('firstPage');
    await first.close();
    for (let round = 0; round < rounds; round++) {
      const { host, close } = await bench.open(workspace);
      const { opening, page } = await host.ask('firstPage');
      costs.opening.push(opening);
      costs.page.push(page);
      for (let time = 0; time < times; time++) {
        costs.row.push(...(await host.ask('changeRow')));
        costs.list.push(...(await host.ask('changeList')));
        costs.rare.push((await host.ask('search', rareWord.text)).time);
        costs.common.push((await host.ask('search', commonWord)).time);
      }
      await close();
    }
  } finally {
    await bench.dispose();
    tree.remove();
  }
  return costs;
}
