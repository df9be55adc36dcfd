/**
 * One window: `node window.ts <home> <base URL> <folder>`. Keeps the rows of its tree up to date, does what it is told, and
 * says when it is done.
 */
import { pathToFileURL } from 'node:url';
import { TaskList } from '../../src/vscode/taskList/taskList.ts';
import { type Order, promptOf } from '../order.ts';
import { openShippedEngine } from '../shippedEngine.ts';
import type { WindowAnswer, WindowOrder } from './benchWindow.ts';

const [home = '', baseUrl = '', folder = ''] = process.argv.slice(2);
const picture: Order = { count: 1, size: 100_000, delivery: 'inline' };
const target = pathToFileURL(folder).href;

const engine = await openShippedEngine(home);
await engine.runner.resumeUnfinished();
const list = new TaskList(engine.store);
let changed = Promise.withResolvers<void>();
engine.store.onDidChange((ids) => {
  list.update(ids);
  changed.resolve();
  changed = Promise.withResolvers();
});
const before = process.cpuUsage();
process.once('disconnect', () => process.exit());
process.on('message', (order: WindowOrder) => void obey(order).then(answer));
answer({ ids: [], computed: 0 });

async function obey({ paint = 0, show = [], close = false }: WindowOrder): Promise<WindowAnswer> {
  const ids = await Promise.all(Array.from({ length: paint }, start));
  const ended = await Promise.all(ids.map(async (id) => engine.runner.outcome(id)));
  if (ended.some(({ status }) => status !== 'completed')) {
    throw new Error('A task was not completed.');
  }
  while (show.some((id) => list.row(id)?.task.status !== 'completed')) {
    await changed.promise;
  }
  const { user, system } = process.cpuUsage(before);
  if (close) {
    await engine.dispose();
  }
  return { ids, computed: (user + system) / 1000 };
}

async function start(): Promise<string> {
  const { id } = await engine.runner.start({
    kind: 'generate',
    prompt: promptOf(picture),
    model: 'bench',
    family: 'image',
    callStyle: 'sync',
    n: 1,
    baseUrl,
    target: { folder: target, root: target, fileName: '{id}' },
  });
  return id;
}

function answer(said: WindowAnswer): void {
  process.send?.(said);
}
