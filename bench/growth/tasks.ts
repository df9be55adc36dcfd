import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { pageSize, TaskList } from '../../src/vscode/taskList/taskList.ts';
import { firstIdAt } from '../../src/engine/task/taskId.ts';
import type { Task } from '../../src/engine/task/task.ts';
import { aRequest, aResult, aTask } from '../../test/support/engine/taskBuilders.ts';
import { type Bench, inFolder, inRounds } from '../bench.ts';
import { timeOf } from '../measure.ts';
import { median } from '../report.ts';
import { engineModule, openShippedEngine } from '../shippedEngine.ts';
import { judgeGrowth } from './growth.ts';

const sizes = [100, 1000, 10_000, 100_000];

const beginning = Date.UTC(2024, 0);
/** Between two tasks, in milliseconds. */
const pause = 10 * 60_000;

/** What is done with a task list, and how long it took, in milliseconds. */
type Times = Record<'open' | 'first page' | 'next page' | 'a change' | 'a search', number>;

/**
 * Measures what the number of tasks in the list costs: opening the engine on its home, the first and the next page of
 * the tree, a change of one task until the rows of the tree are told, and a search of the history that finds one task in
 * a thousand, with its count.
 */
export async function measureTasks(bench: Bench): Promise<void> {
  const { rounds, report } = bench;
  report.title(`The number of tasks in the list (median of ${rounds})`);
  await inFolder(bench, async (folder) => {
    for (const size of sizes) {
      await fill(homeOf(folder, size), size);
    }
    const runs = await inRounds(bench, sizes, async (size) => useList(homeOf(folder, size), size));
    for (const what of ['open', 'first page', 'next page', 'a change', 'a search'] as const) {
      const costs = [...runs].map(([size, times]) => ({ size, cost: median(times.map((run) => run[what])) }));
      judgeGrowth(report, what, costs, ' ms');
    }
  });
}

function homeOf(folder: string, size: number): string {
  return join(folder, `home-${size}`);
}

/** Makes a home with so many completed tasks. */
async function fill(home: string, count: number): Promise<void> {
  await (await openShippedEngine(home)).dispose();
  const database = new DatabaseSync(join(home, 'limner.db'));
  const insert = database.prepare(
    `INSERT INTO tasks (id, status, live, unsaved, prompt, request, state, revision, fence)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)`,
  );
  database.exec('BEGIN');
  for (let index = 0; index < count; index++) {
    insert.run(...engineModule.toRow(taskAt(index)), index + 1);
  }
  database.exec(`UPDATE meta SET value = ${count} WHERE name = 'revision'; COMMIT`);
  database.close();
}

function taskAt(index: number): Task {
  const createdAt = beginning + index * pause;
  const subject = index % 1000 === 42 ? 'a fox' : 'a lighthouse';
  return aTask({
    id: idAt(index),
    status: 'completed',
    createdAt,
    finishedAt: createdAt + 20_000,
    request: aRequest({
      prompt: `${subject} at dusk, picture ${index}, in oil, with long shadows and a calm sea`,
    }),
    results: [aResult({ state: 'saved', uri: `file:///w/images/${index}.png`, size: 1_000_000 })],
  });
}

function idAt(index: number): string {
  return `${firstIdAt(beginning + index * pause)}00000000`;
}

async function useList(home: string, size: number): Promise<Times> {
  const [open, engine] = await timeOf(async () => openShippedEngine(home));
  const { store } = engine;
  const [firstPage, list] = await timeOf(() => new TaskList(store));
  const [nextPage] = await timeOf(() => list.showMore());
  const subscription = store.onDidChange((ids) => list.update(ids));
  const id = idAt(size - 1);
  const starred = store.get(id)?.results[0]?.starred === true;
  const [change] = await timeOf(async () =>
    store.apply(id, { type: 'starred', index: 0, starred: !starred }),
  );
  subscription.dispose();
  const [search] = await timeOf(() => [
    store.list({ text: 'a fox', limit: pageSize }),
    store.count({ text: 'a fox' }),
  ]);
  await engine.dispose();
  return {
    open,
    'first page': firstPage,
    'next page': nextPage,
    'a change': change,
    'a search': search,
  };
}
