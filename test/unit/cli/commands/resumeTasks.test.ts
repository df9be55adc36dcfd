import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type ResumeOptions, resumableTasks, resumeTasks } from '../../../../src/cli/commands/resumeTasks.ts';
import { LimnerError } from '../../../../src/common/limnerError.ts';
import { retention } from '../../../../src/common/taskStatus.ts';
import { type Engine, hashOf } from '../../../../src/engine/run/engine.ts';
import { TaskStore } from '../../../../src/engine/store/taskStore.ts';
import { newTaskId } from '../../../../src/engine/task/taskId.ts';
import type { Task, TaskResult } from '../../../../src/engine/task/task.ts';
import { anError, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { TestLog, World } from '../../../support/engine/world.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';
import { image, json, picture } from '../../../support/service/loopbackService.ts';

const submission = 'POST /v1/images/generations';
const queryOf = (id: string): string => `GET /v1/images/generations/${id}`;

describe('limner tasks --resume without a task', () => {
  let folder: string;
  let store: TaskStore;
  before(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-resume-'));
    const file = join(folder, 'limner.db');
    store = await TaskStore.open({ file, clock: new ManualClock(), log: new TestLog(), notice: () => {} });
  });
  after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const staged = { state: 'staged', stagedPath: '/w/0.image' } as const;
  const surplus = { surplus: true } as const;
  const cases: [string, boolean, Partial<Task>][] = [
    ['one that waits for a person', true, { held: true }],
    ['one at the service', true, { status: 'in_progress', remoteId: 'task_1' }],
    ['one whose key is missing', true, { status: 'needs_key', remoteId: 'task_1' }],
    ['one that was stopped at the service', true, { status: 'stopped', remoteId: 'task_1' }],
    ['one that was stopped before', false, { status: 'stopped' }],
    ['one that is past its time', true, { status: 'expired', remoteId: 'task_1' }],
    ['one that lacks an image', true, { status: 'completed', results: [aResult()] }],
    ['one that is saved', false, { status: 'completed', results: [aResult({ state: 'saved' })] }],
    ['one whose image is here', true, { status: 'failed', results: [aResult(staged)] }],
    ['one whose image can be fetched', true, { status: 'failed', results: [aResult({ state: 'failed' })] }],
    [
      'one with more images here than asked for',
      false,
      { status: 'completed', results: [aResult({ ...staged, ...surplus })] },
    ],
    [
      'one with more images to fetch than asked for',
      false,
      { status: 'completed', results: [aResult(surplus)] },
    ],
  ];
  for (const [what, isTaken, changes] of cases) {
    it(`${isTaken ? 'takes' : 'leaves'} ${what}`, async () => {
      const { createdAt } = aTask();
      const task = aTask({ completedAt: createdAt, finishedAt: createdAt, ...changes });
      await store.add(task);
      const ids = resumableTasks({ store }, task.createdAt + 1).map(({ id }) => id);
      assert.equal(ids.includes(task.id), isTaken);
      assert.deepEqual(ids, ids.toSorted());
    });
  }

  it('takes what has ended only as long as the service keeps images, unless they are here', () => {
    const { createdAt } = aTask();
    const taken = resumableTasks({ store }, createdAt + retention + 1);
    assert.deepEqual(
      taken.map(({ status }) => status),
      ['waiting', 'in_progress', 'needs_key', 'failed'],
    );
    assert.equal(taken.at(-1)?.results[0]?.state, 'staged');
  });
});

describe('a task that limner resumes', () => {
  let world: World;
  let engine: Engine;
  let budget: unknown;
  before(async () => {
    world = await World.create();
    engine = await world.open({ settings: () => ({ ...world.settings, budget }) });
    for (const name of ['0', '1', 'new']) {
      world.service.on(`GET /${name}.png`, image(picture(name)));
    }
    for (const id of ['r_done', 'r_expired']) {
      const data = [{ url: urlOf('new') }];
      world.service.on(queryOf(id), json(200, { id, status: 'completed', progress: '100%', data }));
    }
  });
  after(async () => world.dispose());

  const urlOf = (name: string): string => `${world.service.baseUrl}/${name}.png`;

  /** Leaves a task in the list. */
  async function left(changes: Partial<Task>, owner = engine): Promise<Task> {
    const createdAt = Date.now();
    const task = aTask({
      id: newTaskId(createdAt),
      request: world.request({ n: changes.results?.length === 2 ? 2 : 1 }),
      createdAt,
      origin: world.service.baseUrl,
      ...changes,
    });
    await owner.store.add(task);
    return task;
  }

  /** Leaves a task in the list, as a process does that is gone. */
  async function abandoned(changes: Partial<Task>): Promise<Task> {
    const gone = await world.open();
    const task = await left(changes, gone);
    await world.close(gone);
    return task;
  }

  async function resume(task: Task, options: Partial<ResumeOptions> = {}): Promise<LimnerError[]> {
    return resumeTasks(engine, [task], { isNamed: false, ...options });
  }

  /** Resumes a task, and returns which of its images are saved in the end. */
  async function savedOf(task: Task, options: Partial<ResumeOptions> = {}): Promise<number[]> {
    assert.deepEqual(await resume(task, options), []);
    const { results } = await engine.runner.outcome(task.id);
    return results.filter(({ state }) => state === 'saved').map(({ index }) => index);
  }

  /** An image that is here, and could not be saved. */
  async function staged(name: string): Promise<Partial<TaskResult>> {
    const [stagedPath, bytes] = [join(world.workspace, name), picture(name)];
    await writeFile(stagedPath, bytes);
    return { state: 'staged', stagedPath, size: bytes.length, sha256: hashOf(bytes), mediaType: 'image/png' };
  }

  it('is watched again at the service', async () => {
    const stopped = await left({ status: 'stopped', remoteId: 'r_done' });
    assert.deepEqual(await savedOf(stopped), [0]);
    const failed = await left({ status: 'failed', remoteId: 'r_done', error: anError({ billing: 'maybe' }) });
    assert.deepEqual(await savedOf(failed), [0]);
    // Nobody need name those that no process works on.
    const { id } = await abandoned({ status: 'in_progress', remoteId: 'r_done' });
    await resumeTasks(engine, [], { isNamed: false });
    assert.equal((await engine.runner.outcome(id)).status, 'completed');
  });

  it('is asked for anew where its addresses are dead, if the service knows it', async () => {
    const dead = [aResult({ url: urlOf('gone'), state: 'failed' })];
    const known = await left({ status: 'expired', remoteId: 'r_expired', results: dead });
    assert.deepEqual(await savedOf(known), [0]);
    assert.equal(world.service.count('GET /gone.png'), 0);
    const unknown = await left({ status: 'expired', results: [aResult({ url: urlOf('0') })] });
    assert.deepEqual(await savedOf(unknown), [0]);
  });

  it('is saved from what is here rather than asked for, in another folder if one is named', async () => {
    const folder = join(world.workspace, 'elsewhere');
    for (const options of [{}, { folder }]) {
      const results = [
        aResult({ ...(await staged('kept.image')), url: urlOf('gone') }),
        { index: 1, state: 'failed' } as const,
      ];
      const task = await left({ status: 'failed', remoteId: 'r_never', results });
      assert.deepEqual(await savedOf(task, options), [0]);
      assert.equal(world.service.count(queryOf('r_never')), 0);
    }
    assert.deepEqual(await readdir(folder), ['a-red-fox.png']);
  });

  it('brings more images than asked for only where it is named', async () => {
    for (const [isNamed, saved] of [
      [false, [0]],
      [true, [0, 1]],
    ] as const) {
      const surplus = { state: 'failed', surplus: true, error: anError() } as const;
      const results = [aResult({ url: urlOf('0') }), aResult({ index: 1, url: urlOf('1'), ...surplus })];
      const task = await left({ status: 'completed', request: world.request(), results });
      assert.deepEqual(await savedOf(task, { isNamed }), saved);
    }
  });

  it('is sent only where that is asked for, within the budget or beyond it', async () => {
    const id = 'r_done';
    world.service.on(submission, json(202, { id, object: 'image.generation.task', status: 'queued' }));
    // That nothing was sent of the second one is known only once it is taken over.
    for (const isBeyond of [false, true]) {
      const task = await (isBeyond ? left({ held: true }) : abandoned({}));
      budget = { day: '0 images' };
      assert.deepEqual(await resume(task), []);
      assert.equal(engine.store.get(task.id)?.held, true);
      const sent = world.service.count(submission);
      const [refused, ...others] = await resume(task, { send: true });
      assert.deepEqual([refused?.code, others, engine.store.get(task.id)?.held], ['over_budget', [], true]);
      assert.equal(world.service.count(submission), sent);
      budget = isBeyond ? { day: '0 images' } : {};
      assert.deepEqual(await savedOf(task, { send: true, ...(isBeyond && { overBudget: true }) }), [0]);
      assert.equal(world.service.count(submission), sent + 1);
      // One that was sent is not sent again.
      assert.deepEqual(await savedOf(task, { send: true }), [0]);
      assert.equal(world.service.count(submission), sent + 1);
    }
  });

  it('is left alone where another process was faster, and nothing else is passed over', async (test) => {
    const done = await left({ status: 'completed', results: [aResult({ state: 'saved' })] });
    assert.deepEqual(await resume({ ...done, status: 'stopped', remoteId: 'r_done' }), []);
    assert.deepEqual(engine.store.get(done.id), done);

    const stopped = await left({ status: 'stopped', remoteId: 'r_done' });
    const held = await left({ held: true });
    for (const error of [new LimnerError('save_failed', 'The disk is full.'), new Error('disk I/O error')]) {
      for (const [action, task] of [
        ['resume', stopped],
        ['sendNow', held],
      ] as const) {
        const failing = test.mock.method(engine.runner, action, async () => Promise.reject(error));
        await assert.rejects(resume(task, { send: true }), error);
        failing.mock.restore();
      }
    }
  });
});
