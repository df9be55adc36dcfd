import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Task } from '../../../src/tasks/task.ts';
import { fromRow, taskColumns } from '../../../src/tasks/taskRow.ts';
import { readByLibsql } from '../../readers/database.ts';
import { readBySharp } from '../../readers/images.ts';
import { draws } from '../draws.ts';
import { settle } from '../tasks/manualClock.ts';
import { Random } from './random.ts';
import { type Fault, SimulatedWeek } from './simulatedWeek.ts';

const day = 24 * 3_600_000;
/** A whole number of batches that can be parted in five. */
const tasksInAll = draws(500, 10_000);
const batch = 50;
const batches = tasksInAll / batch;
/** Faults at one task in twenty. */
const faultsInBatch = Math.ceil(batch * 0.05);
const limits = { historyLimit: tasksInAll / 10, historyAge: day };
/** Credits for a picture. */
const price = 40;

/** Answers that come instead of the service's work. */
const instead = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503, headers: { 'retry-after': '3' } },
  { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
  { kind: 'status', status: 400 },
  { kind: 'reset', when: 'before' },
];
/** Answers that are spoilt on their way, once the service has worked. */
const spoilt = [
  { kind: 'reset', when: 'after' },
  { kind: 'reset', when: 'body' },
  { kind: 'truncate', bytes: 20 },
  { kind: 'body', body: '<html>busy</html>' },
];

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

/** What the engine takes at a moment; memory and database in bytes. */
interface Footprint {
  memory: number;
  resources: number;
  /** Open ones. */
  files: number;
  /** Connections that wait for their next request are among them. */
  sockets: number;
  database: number;
}

void describe(`a week of ${tasksInAll} tasks with a fault at one in twenty`, () => {
  const seed = Number(process.env['LIMNER_TEST_SEED'] ?? Date.now() % 1_000_000);
  const random = new Random(seed);
  const ended: Task[] = [];
  const footprints: Footprint[] = [];
  /** Submissions that the service worked for and whose answer was spoilt. */
  let spoiltSubmissions = 0;
  let world: SimulatedWeek;

  before(
    async () => {
      console.log(`To have the same week again: LIMNER_TEST_SEED=${seed}`);
      world = await SimulatedWeek.begin(limits);
      for (let number = 0; number < batches; number++) {
        ended.push(...(await runBatch(number)));
        await world.sleep((7 * day) / batches);
        if (number === batches / 5 - 1 || number === batches - 1) {
          footprints.push(await footprint());
        }
      }
    },
    { timeout: 1_200_000 },
  );
  after(() => world.end());

  async function runBatch(number: number): Promise<Task[]> {
    const faults = Array.from({ length: faultsInBatch }, (): Fault => {
      const on = random.pick(['generations', 'query', 'image']);
      return {
        ...random.pick<{ kind: string; when?: string }>([...instead, ...spoilt]),
        on,
        skip: random.below(batch),
      };
    });
    await world.switchOn(faults);
    const ids: string[] = [];
    for (let index = 0; index < batch; index++) {
      // One in ten has a prompt, and so a file name, that was there before.
      const prompt = random.below(10) === 0 ? 'the same again' : `picture ${number} ${index}`;
      const callStyle = random.below(5) === 0 ? 'sync' : 'async';
      const n = random.below(8) === 0 ? 2 : 1;
      ids.push((await world.engine.runner.start(world.request(prompt, { callStyle, n }))).id);
    }
    const tasks = await world.untilEnded(ids, { restarts: number % 10 === 5 });
    const untouched = await world.switchOff();
    spoiltSubmissions +=
      faults.filter(isSpoiltSubmission).length - untouched.filter(isSpoiltSubmission).length;
    return tasks;
  }

  async function footprint(): Promise<Footprint> {
    const handles = await openHandles();
    const sockets = handles.filter((target) => target.startsWith('socket:')).length;
    return {
      memory: await memoryInUse(),
      resources: process.getActiveResourcesInfo().length,
      files: handles.length - sockets,
      sockets,
      database: await world.databaseSize(),
    };
  }

  void it('loses no picture that the service made for a task it knows', async () => {
    const ledger = new Map((await world.ledger()).map((entry) => [entry.id, entry]));
    const known = ended.filter(({ remoteId }) => remoteId !== undefined);
    assert.ok(known.length > tasksInAll / 2);
    for (const task of known) {
      const entry = ledger.get(task.remoteId ?? '');
      assert.equal(entry?.state, 'settled', JSON.stringify(task));
      assert.equal(filesOf(task).length, (entry?.billed ?? 0) / price, JSON.stringify(task));
    }
  });

  void it('pays for no task twice, and says of each lost answer that it may have been billed', async () => {
    const ids = new Set(ended.flatMap(({ remoteId }) => remoteId ?? []));
    const others = (await world.ledger()).filter(({ id }) => !ids.has(id));
    const synchronous = ended.filter((task) => task.remoteId === undefined && filesOf(task).length > 0);
    const uncertain = ended.filter(
      ({ remoteId, error }) =>
        remoteId === undefined && (error?.billing === 'maybe' || error?.billing === 'yes'),
    );
    const lost = others.filter(({ state }) => state === 'settled').length - synchronous.length;
    assert.ok(lost <= spoiltSubmissions, `${lost} paid for nothing, ${spoiltSubmissions} answers spoilt`);
    assert.ok(lost <= uncertain.length, `${lost} paid for nothing, ${uncertain.length} said so`);
    assert.ok(others.length + ids.size <= tasksInAll);
  });

  void it('has every file once, whole, and nothing else', async () => {
    const files = ended.flatMap(filesOf);
    assert.equal(new Set(files.map(({ path }) => path)).size, files.length);
    const read = new Set<string>();
    for (const { path, sha256 = '' } of files) {
      const bytes = await readFile(path);
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
      if (!read.has(sha256)) {
        read.add(sha256);
        assert.equal((await readBySharp(bytes)).width, 64, path);
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
    assert.ok(kept.length <= limits.historyLimit, `${kept.length} kept`);
    const newest = ended.at(-1)?.createdAt ?? 0;
    assert.ok(kept.every(({ createdAt }) => createdAt > newest - limits.historyAge));
  });

  void it('takes no more memory, handles or disk for it at the end than at the beginning', () => {
    const [first, last] = footprints;
    assert.ok(first && last);
    console.log(JSON.stringify({ first, last }));
    const megabyte = 1024 * 1024;
    // The tasks that this test itself remembers are about 2 KB each.
    assert.ok(last.memory - first.memory < 8 * megabyte + tasksInAll * 2048, JSON.stringify(footprints));
    assert.ok(last.resources - first.resources <= 4, JSON.stringify(footprints));
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

function isSpoiltSubmission({ kind, on, when }: Fault): boolean {
  return on === 'generations' && kind !== 'status' && when !== 'before';
}

function filesOf({ results }: Task): { path: string; sha256: string | undefined }[] {
  return results.flatMap(({ state, uri, sha256 }) =>
    state === 'saved' && uri !== undefined ? { path: fileURLToPath(uri), sha256 } : [],
  );
}
