import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defaultSettings } from '../../../src/engine/task/ports.ts';
import { canBeResumed, isTerminal } from '../../../src/common/taskStatus.ts';
import type { Task, TaskInput, TaskRequest } from '../../../src/engine/task/task.ts';
import { addUp, costOf, spendingOf } from '../../../src/engine/task/spending.ts';
import { fromRow, taskColumns } from '../../../src/engine/store/taskRow.ts';
import { eventually } from '../../support/eventually.ts';
import { readByLibsql } from '../../readers/database.ts';
import { readBySharp } from '../../readers/images.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { settle } from '../../support/manualClock.ts';
import { Random } from '../../support/random.ts';
import type { WindowProcess } from '../../support/engine/windowProcesses.ts';
import { credits, type Entry, SimulatedWeek } from './simulatedWeek.ts';

const day = 24 * 3_600_000;
const batches = fuzzRuns(2, 10);
const batch = fuzzRuns(50, 250);
const tasksInAll = batches * batch;
const limits = { historyLimit: batch, historyAge: day };

/** What takes real time, or stands still while the clocks do: it is tested elsewhere. */
const without = ['stall', 'slow', 'delay', 'framing'];
/** What can take the answer to a submission away, so that nobody knows which task it became. */
const ruinous = new Set(['blockPage', 'gatewayError', 'reset', 'routeNotFound', 'status', 'truncate']);
/** How a batch goes on in rough weather, in milliseconds from one look to the next, and how long it may in calm weather. */
const rough = [...Array.from({ length: 20 }, () => 2000), ...Array.from({ length: 60 }, () => 5000)];
const calm = Array.from({ length: 400 }, () => 5000);

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

/** What the engine takes at a moment; memory and database in bytes. */
interface Footprint {
  memory: number;
  resources: string[];
  /** Open ones. */
  files: number;
  /** Connections that wait for their next request are among them. */
  sockets: number;
  database: number;
}

void describe(`a week of ${tasksInAll} tasks in rough weather`, () => {
  const seed = Number(process.env['LIMNER_TEST_SEED'] ?? Date.now() % 1_000_000);
  const random = new Random(seed);
  const ended = new Map<string, Task>();
  const footprints: Footprint[] = [];
  /** Tasks that ended in rough weather although the service knew them, and said nothing final. */
  const givenUp: Task[] = [];
  const met = new Map<string, number>();
  let ruined = 0;
  let kills = 0;
  let restarts = 0;
  let sleeps = 0;
  let world: SimulatedWeek;
  let other: WindowProcess;
  let original: TaskInput;

  before(
    async () => {
      console.log(`To have the same week again: LIMNER_TEST_SEED=${seed}`);
      world = await SimulatedWeek.begin(limits);
      other = await world.openWindow();
      original = await world.picture();
      for (let number = 0; number < batches; number++) {
        await runBatch(number);
        await world.sleep((7 * day) / batches);
        if (number === Math.ceil(batches / 5) - 1 || number === batches - 1) {
          footprints.push(await footprint());
        }
      }
    },
    { timeout: 1_800_000 },
  );
  after(() => world.end());

  async function runBatch(number: number): Promise<void> {
    await world.weather({ seed: seed + number, share: 0.2, without });
    const requests = Array.from({ length: batch }, (_, index) => drawRequest(number * batch + index));
    const here = requests.filter(() => random.below(3) > 0);
    const there = other.order({
      type: 'start',
      requests: requests.filter((request) => !here.includes(request)),
    });
    for (const request of here) {
      await world.start(request);
    }
    await there;
    for (const [look, step] of rough.entries()) {
      // Each comes once at least.
      const isSure = (sure: number): boolean => number === 0 && look === sure;
      const passed = world.pass(step);
      if (isSure(3) || random.below(60) === 0) {
        kills += 1;
        await setTimeout(random.below(20));
        await world.kill(other);
        other = await world.openWindow();
      }
      await passed;
      if (isSure(6) || random.below(80) === 0) {
        restarts += 1;
        await world.restart();
      }
      if (isSure(9) || random.below(80) === 0) {
        sleeps += 1;
        await world.sleep(random.below(3_600_000));
      }
    }
    for (const {
      target,
      met: { kind },
    } of await world.weather(undefined)) {
      const what = `${kind} ${target}`;
      met.set(what, (met.get(what) ?? 0) + 1);
      ruined += ruinous.has(kind) && target !== 'query' && target !== 'image' ? 1 : 0;
    }
    givenUp.push(...world.tasks().filter((task) => canBeResumed(task) && task.status !== 'needs_key'));
    await world.resumeTasks();
    for (const step of calm) {
      if (world.tasks().every(hasEnded)) {
        break;
      }
      await world.pass(step);
    }
    // The disk takes its own time.
    const all = await eventually(
      'every task ends',
      async () => Promise.resolve(world.tasks()),
      (tasks) => tasks.every(hasEnded),
    );
    for (const task of all) {
      ended.set(task.id, task);
    }
  }

  function drawRequest(number: number): TaskRequest {
    // One in thirty has a file name that was there before.
    const marks = number.toString(2).replaceAll('0', '!').replaceAll('1', '?');
    const prompt = random.below(30) === 0 ? `the same again ${marks}` : `picture ${number}`;
    const draw = random.below(100);
    if (draw < 4) {
      const callStyle = draw < 2 ? 'native' : 'nativeStream';
      return world.request(prompt, { family: 'native', model: 'demo-sketch-a', callStyle });
    }
    const callStyle = draw % 4 === 0 ? 'sync' : 'async';
    return world.request(prompt, {
      callStyle,
      n: random.below(8) === 0 ? 2 : 1,
      ...(draw < 30 && { kind: 'edit', images: [original] }),
    });
  }

  async function footprint(): Promise<Footprint> {
    const handles = await openHandles();
    const sockets = handles.filter((target) => target.startsWith('socket:')).length;
    return {
      memory: await memoryInUse(),
      resources: process.getActiveResourcesInfo(),
      files: handles.length - sockets,
      sockets,
      database: await world.databaseSize(),
    };
  }

  void it('has a file of every picture that was billed, or says that it may have been billed', async () => {
    const tasks = new Map([...ended.values()].map((task) => [hash('sha256', task.request.prompt), task]));
    const outcomes = new Map<string, number>();
    const wrong: string[] = [];
    for (const entry of await world.ledger()) {
      const task = tasks.get(entry.promptSha256);
      assert.ok(task, `Nobody knows of ${JSON.stringify(entry)}`);
      const outcome = outcomeOf(entry, task);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome === 'lost') {
        wrong.push(`${JSON.stringify(entry)}\n${JSON.stringify(task)}`);
      }
    }
    console.log(table('What requests met', met));
    console.log(
      table(
        `What became of the submissions, with ${kills} kills, ${restarts} restarts and ${sleeps} times asleep`,
        outcomes,
      ),
    );
    assert.equal(wrong.length, 0, wrong.join('\n\n'));
    // Of a window that is killed, as many answers may be on their way as it sends tasks at once.
    const unknown = [...outcomes].reduce(
      (sum, [what, count]) => sum + (what.includes('may have') ? count : 0),
      0,
    );
    const most = ruined + (kills + restarts) * defaultSettings.maxConcurrentTasks;
    assert.ok(unknown <= most, `${unknown} unknown, where ${most} answers can have been lost`);
  });

  void it('counts what was billed, between what is certain and what may have been, also of removed tasks', async () => {
    const billed = (await world.ledger()).reduce((sum, entry) => sum + entry.billed, 0);
    const sums = addUp(world.engine.store.spent.between(0).map(spendingOf));
    const { about, atMost } = sums.get(credits) ?? { about: 0, atMost: 0 };
    console.log(`Billed ${billed} credits; certain ${about}, at most ${atMost}`);
    assert.deepEqual([...sums.keys()], [credits]);
    assert.ok(about <= billed && billed <= atMost, `${about} <= ${billed} <= ${atMost}`);
    // Only what nobody can know the outcome of is open.
    const open = [...ended.values()].filter((task) => costOf(task).about !== costOf(task).atMost);
    assert.equal(
      open.reduce((sum, task) => sum + costOf(task).atMost - costOf(task).about, 0),
      atMost - about,
    );
  });

  void it('gives up none that the service knows', () => {
    assert.deepEqual(
      givenUp.map(({ status, error }) => [status, error]),
      [],
    );
  });

  void it('pays for no prompt twice', async () => {
    const bills = Map.groupBy(await world.ledger(), ({ promptSha256 }) => promptSha256);
    assert.deepEqual(
      [...bills.values()].filter((entries) => entries.length > 1),
      [],
    );
  });

  void it('has every file once, whole, and nothing else', async () => {
    const files = [...ended.values()].flatMap(filesOf);
    assert.equal(new Set(files.map(({ path }) => path)).size, files.length);
    const read = new Set<string>();
    for (const { path, sha256 = '' } of files) {
      const bytes = await readFile(path);
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
      if (!read.has(sha256)) {
        read.add(sha256);
        assert.ok((await readBySharp(bytes)).width >= 64, path);
      }
    }
    assert.deepEqual(
      (await readdir(world.images)).map((name) => join(world.images, name)).toSorted(),
      files.map(({ path }) => path).toSorted(),
    );
    assert.deepEqual(await readdir(world.incoming), []);
  });

  void it('keeps its history to the number and the age that are set', () => {
    const kept = world.engine.store.list({ limit: tasksInAll });
    assert.ok(kept.length <= limits.historyLimit + batch / 10, `${kept.length} kept`);
    const completed = [...ended.values()].filter(({ status }) => status === 'completed');
    const newest = Math.max(...completed.map(({ createdAt }) => createdAt));
    assert.ok(kept.every(({ createdAt }) => createdAt > newest - limits.historyAge));
  });

  void it('takes no more memory, handles or disk for it at the end than at the beginning', () => {
    const [first, last] = footprints;
    assert.ok(first && last);
    console.log(JSON.stringify({ first, last }));
    const megabyte = 1024 * 1024;
    // The tasks that this test itself remembers are about 2 KB each.
    assert.ok(last.memory - first.memory < 8 * megabyte + tasksInAll * 2048, JSON.stringify(footprints));
    assert.ok(last.resources.length - first.resources.length <= 4, JSON.stringify(footprints));
    assert.ok(last.files - first.files <= 4, JSON.stringify(footprints));
    // How many wait depends on the last answers; one that each task left open would be a multiple of this.
    assert.ok(last.sockets - first.sockets < batch, JSON.stringify(footprints));
    assert.ok(last.database <= first.database * 1.2, JSON.stringify(footprints));
  });

  void it('leaves a database that another SQLite finds whole, with the same tasks', async () => {
    const kept = world.engine.store.list({ limit: tasksInAll });
    // Two builds of SQLite in one process would take each other's locks away.
    await world.close();
    const { integrity, rows } = readByLibsql(world.database, `SELECT ${taskColumns} FROM tasks`);
    assert.equal(integrity, 'ok');
    assert.deepEqual(byId(rows.map(fromRow)), byId(kept));
  });
});

/** In bytes, once collecting garbage frees nothing more. */
async function memoryInUse(): Promise<number> {
  assert.ok(typeof collectGarbage === 'function');
  for (let before = Infinity; ;) {
    Reflect.apply(collectGarbage, undefined, []);
    await settle();
    const { heapUsed, external } = process.memoryUsage();
    const now = heapUsed + external;
    if (now > 0.99 * before) {
      return now;
    }
    before = now;
  }
}

/** What each file handle of this process leads to; none where the system shows no such thing. */
async function openHandles(): Promise<string[]> {
  const folder = '/proc/self/fd';
  const names = await readdir(folder).catch(() => []);
  // The one that the folder was read with is closed by now.
  return Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => '')));
}

function byId(tasks: readonly (Task | undefined)[]): Map<string | undefined, Task | undefined> {
  return new Map(tasks.map((task) => [task?.id, task]));
}

function hasEnded({ status }: Task): boolean {
  return isTerminal(status);
}

/** What became of a submission that the service took: `lost` must not be. */
function outcomeOf({ id, state, imageSha256 }: Entry, task: Task): string {
  const { status, remoteId, error, results } = task;
  const have = new Set(filesOf(task).map(({ sha256 }) => sha256));
  const said = [error, ...results.map((result) => result.error)].some(
    (reason) => reason?.billing === 'maybe' || reason?.billing === 'yes',
  );
  switch (state) {
    case 'reserved':
      return 'lost';
    case 'refunded':
      return status === 'failed' || said ? 'failed by the service' : 'lost';
    case 'settled':
      if (imageSha256.every((hash) => have.has(hash))) {
        return `saved, ${task.request.callStyle}`;
      }
      // An answer that did not come cannot be asked for without an id.
      return remoteId !== id && said ? `${status}, may have been billed, ${task.request.callStyle}` : 'lost';
  }
}

function table(title: string, counts: ReadonlyMap<string, number>): string {
  const rows = [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([what, count]) => `  ${String(count).padStart(6)}  ${what}`);
  return [`${title}:`, ...rows].join('\n');
}

function filesOf({ results }: Task): { path: string; sha256: string | undefined }[] {
  return results.flatMap(({ state, uri, sha256 }) =>
    state === 'saved' && uri !== undefined ? { path: fileURLToPath(uri), sha256 } : [],
  );
}
