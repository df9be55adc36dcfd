import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../../src/common/clock.ts';
import { billings } from '../../../../src/common/limnerError.ts';
import { isTerminal, taskStatuses } from '../../../../src/common/taskStatus.ts';
import { addUp, costFacts, type CostGroup, spendingOf } from '../../../../src/engine/task/spending.ts';
import { toRow } from '../../../../src/engine/store/taskRow.ts';
import { TaskStore } from '../../../../src/engine/store/taskStore.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { newTaskId } from '../../../../src/engine/task/taskId.ts';
import { anError, aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { TestLog } from '../../../support/engine/world.ts';
import { middayZone } from '../../../support/middayZone.ts';
import { Random } from '../../../support/random.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { firstSchema } from './firstSchema.ts';

const start = Date.UTC(2026, 4, 1);
const hour = 3_600_000;

function groups(tasks: readonly Task[]): CostGroup[] {
  return tasks.map((task) => ({ facts: costFacts(task), tasks: 1 }));
}

/** Returns sums that can be compared, whatever the order of the summands was. */
function sums(of: readonly CostGroup[]): string[] {
  return [...addUp(of.map(spendingOf)).values()]
    .map(({ unit, billed, mostBilled, about, atMost }) =>
      [unit, billed, mostBilled, about.toFixed(6), atMost.toFixed(6)].join(),
    )
    .toSorted();
}

function sentAt({ orderedAt, createdAt }: Task): number {
  return orderedAt ?? createdAt;
}

/** Returns every group of equal facts once. */
function factsIn(of: readonly CostGroup[]): string[] {
  return [...new Set(of.map(({ facts }) => JSON.stringify(facts)))].toSorted();
}

describe('what the tasks of the list cost', () => {
  const folder = temporaryFolder('spent');
  const seed = Date.now() % 1_000_000;
  const random = new Random(seed);
  const stores = new Set<TaskStore>();
  let files = 0;

  before(() => console.log(`Drawn with seed ${seed}`));
  after(async () => {
    await Promise.all([...stores].map(async (store) => store.close()));
    folder.remove();
  });

  async function openStore(file = join(folder.path, `${files++}.db`)): Promise<TaskStore> {
    const store = await TaskStore.open({ file, clock: systemClock, log: new TestLog(), notice() {} });
    stores.add(store);
    return store;
  }

  async function close(store: TaskStore): Promise<void> {
    stores.delete(store);
    await store.close();
  }

  /** Draws a task in any state that a row can hold. */
  function drawTask(): Task {
    const n = 1 + random.below(4);
    const createdAt = start + random.below(100 * 24) * hour + random.below(hour);
    const at = {
      createdAt,
      ...(random.below(9) === 0 && { orderedAt: createdAt + random.below(60 * hour) }),
    };
    const currency = random.pick(['USD', 'EUR', '']);
    return aTask({
      ...at,
      id: newTaskId(createdAt),
      status: random.pick(taskStatuses),
      request: aRequest({
        n,
        model: random.pick(['painter-1', 'a "b" | c']),
        ...(random.below(2) > 0 && { price: { amount: random.pick([0.04, 3, 0.1]), currency } }),
        ...(random.below(4) === 0 && { free: true }),
        ...(random.below(4) === 0 && { startedBy: 'agent' }),
        ...(random.below(4) === 0 && { onBlack: { finish: {}, fileName: 'fox' } }),
      }),
      results: Array.from({ length: random.below(n + 2) }, (_, index) =>
        aResult({
          index,
          revisedPrompt: '"begun":true',
          ...(random.below(3) === 0 && { onBlack: { id: 'x', begun: true } }),
        }),
      ),
      ...(random.below(5) === 0 && { held: true }),
      ...(random.below(2) > 0 && { completedAt: createdAt }),
      ...(random.below(2) > 0 && { error: anError({ billing: random.pick(billings) }) }),
    });
  }

  it('is the same whether SQLite reads it from the rows, or Limner from the tasks', async () => {
    const store = await openStore();
    const tasks = Array.from({ length: 300 }, drawTask);
    for (const task of tasks) {
      await store.add(task);
    }
    assert.deepEqual(sums(store.spent.between(0)), sums(groups(tasks)));
    assert.deepEqual(factsIn(store.spent.between(0)), factsIn(groups(tasks)));
    for (let drawn = 0; drawn < 20; drawn++) {
      const [since = 0, until = 0] = [random.below(2400), random.below(2400)]
        .map((hours) => start + hours * hour)
        .toSorted((one, other) => one - other);
      const within = tasks.filter((task) => sentAt(task) >= since && sentAt(task) < until);
      assert.deepEqual(sums(store.spent.between(since, until)), sums(groups(within)));
      const next = Math.min(...tasks.map(sentAt).filter((time) => time >= since));
      assert.equal(store.spent.next(since), next === Infinity ? undefined : next);
    }
  });

  it('still counts once tasks are removed, cleared, or trimmed', async () => {
    const store = await openStore();
    const tasks = Array.from({ length: 200 }, drawTask);
    for (const task of tasks) {
      await store.add(task);
    }
    const before = sums(store.spent.between(0));
    const first = tasks.find(({ status }) => isTerminal(status));
    assert.ok(first && (await store.remove(first.id)));
    assert.deepEqual(sums(store.spent.between(0)), before);
    await store.trimHistory({ limit: 20, age: Infinity, now: start + 200 * 24 * hour });
    await store.clearFinished(start + 200 * 24 * hour);
    assert.ok(store.count() < 0.8 * tasks.length, `${store.count()} left`);
    assert.deepEqual(sums(store.spent.between(0)), before);
    // By the quarter of an hour, with which every day begins.
    const midnight = start + 50 * 24 * hour;
    assert.deepEqual(
      sums(store.spent.between(midnight)),
      sums(groups(tasks.filter((task) => sentAt(task) >= midnight))),
    );
  });

  it('takes no more room for a thousand removed tasks than for one like them', async () => {
    const file = join(folder.path, 'room.db');
    const store = await openStore(file);
    for (let number = 0; number < 100; number++) {
      await store.add(aTask({ id: newTaskId(start), createdAt: start + number, status: 'unknown' }));
    }
    await store.clearFinished(start + 400 * 24 * hour);
    assert.deepEqual(sums(store.spent.between(0)), ['images,0,100,0.000000,100.000000']);
    await close(store);
    const database = new DatabaseSync(file, { readOnly: true });
    assert.equal(database.prepare('SELECT count(*) AS rows FROM spent').get()?.['rows'], 1);
    database.close();
  });

  it('counts in a list that an earlier version made, but not what cannot be read', async () => {
    const file = join(folder.path, 'first.db');
    const old = new DatabaseSync(file);
    old.exec(firstSchema);
    const insert = old.prepare('INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL, 1)');
    const tasks = Array.from({ length: 20 }, drawTask);
    for (const task of tasks) {
      insert.run(...toRow(task));
    }
    insert.run('damaged', 'completed', 0, 0, 'a red fox', '{"kind":', 'nonsense');
    insert.run('strange', 'completed', 0, 0, 'a red fox', '{"n":"many"}', '{"createdAt":"soon"}');
    insert.run('late', 'completed', 0, 0, 'a red fox', '{"n":1}', '{"createdAt":1e300}');
    old.close();
    const store = await openStore(file);
    assert.deepEqual(sums(store.spent.between(0)), sums(groups(tasks)));
    assert.equal(store.spent.next(start + 300 * 24 * hour), undefined);
  });

  it('is kept when a damaged list is repaired', async () => {
    const file = join(folder.path, 'damaged.db');
    const store = await openStore(file);
    const removed = aTask({ createdAt: start, status: 'unknown', request: aRequest({ n: 3 }) });
    await store.add(removed);
    await store.clearFinished(start + 400 * 24 * hour);
    await close(store);
    const database = new DatabaseSync(file, { readOnly: true });
    const page = Number(
      database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'tasks_by_prompt'").get()?.[
        'rootpage'
      ],
    );
    const size = Number(database.prepare('PRAGMA page_size').get()?.['page_size']);
    database.close();
    writeFileSync(file, (await readFile(file)).fill(0, (page - 1) * size, page * size));
    writeFileSync(`${file}.suspect`, '');
    assert.deepEqual(sums((await openStore(file)).spent.between(0)), sums(groups([removed])));
  });

  it('is read from an index alone, not from rows with their prompts', async () => {
    const file = join(folder.path, 'plan.db');
    await close(await openStore(file));
    const database = new DatabaseSync(file, { readOnly: true });
    const plan = database
      .prepare(
        `EXPLAIN QUERY PLAN SELECT cost_facts, count(*) FROM tasks
         WHERE ordered_at >= 1 AND ordered_at < 2 GROUP BY cost_facts`,
      )
      .all()
      .map(({ detail }) => String(detail));
    database.close();
    assert.ok(
      plan.some((step) => step.includes('COVERING INDEX tasks_by_cost')),
      plan.join('\n'),
    );
  });
});

describe('two processes that add tasks at once', () => {
  it('do not exceed together what each of them is to keep to', async () => {
    const folder = temporaryFolder('spent-twice');
    const script = fileURLToPath(new URL('../../../support/engine/addingProcess.ts', import.meta.url));
    const limit = 30;
    try {
      const added = await Promise.all(
        Array.from({ length: 3 }, async () => {
          const child = fork(script, [join(folder.path, 'limner.db'), String(limit), '25'], {
            env: { ...process.env, TZ: middayZone() },
          });
          let count = 0;
          child.once('message', (added) => (count = Number(added)));
          await once(child, 'exit');
          return count;
        }),
      );
      assert.equal(
        added.reduce((sum, count) => sum + count, 0),
        limit,
        added.join(' + '),
      );
    } finally {
      folder.remove();
    }
  });
});
