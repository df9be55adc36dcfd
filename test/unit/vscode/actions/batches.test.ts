import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../../../src/common/clock.ts';
import type { Batches } from '../../../../src/vscode/actions/batches.ts';
import { TaskStore } from '../../../../src/engine/store/taskStore.ts';
import type { StartOptions } from '../../../../src/engine/run/taskRunner.ts';
import type { Task, TaskRequest } from '../../../../src/engine/task/task.ts';
import { newTaskId } from '../../../../src/engine/task/taskId.ts';
import { aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { TestLog } from '../../../support/engine/world.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { arranged } from '../documents/windowStub.ts';

const stub = new URL('../documents/windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const module = await import('../../../../src/vscode/actions/batches.ts');
const { TaskOperations } = await import('../../../../src/vscode/actions/taskOperations.ts');
hooks.deregister();

const reference = { document: 'file:///w/index.html', address: 'https://picsum.photos/200', words: 'A fox' };
const nothingLeft =
  'Nothing left to generate: these images exist, are in progress, or are waiting to be saved.';

describe('making the others of a batch again', () => {
  const folder = temporaryFolder('batches');
  let store: TaskStore;
  let batches: Batches;
  let operations: InstanceType<typeof TaskOperations>;
  /** Prompts of what was asked for again. */
  let again: string[];
  /** Called between the last look at the tasks and the transaction that sends. */
  let beforeSending: () => Promise<void>;
  /** Of tasks that are followed, those that are reported together in one. */
  let followed: string[];

  beforeEach(async () => {
    arranged.messages.length = 0;
    again = [];
    beforeSending = async () => {};
    followed = [];
    const file = join(folder.path, `${newTaskId(0)}.db`);
    store = await TaskStore.open({ file, clock: systemClock, log: new TestLog(), notice: () => {} });
    const start = async ({ prompt }: TaskRequest, { claim }: StartOptions): Promise<Task> => {
      await beforeSending();
      const task = aTask({ id: newTaskId(2) });
      assert.ok(!(await store.add(task, undefined, claim)), 'Another task stands for it.');
      again.push(prompt);
      return task;
    };
    const runs = {
      followTogether: async (starting: readonly Promise<Task>[]) => {
        followed.push((await Promise.all(starting)).map(({ id }) => id).join(' and '));
      },
      followInBackground: ({ id }: Task) => void followed.push(id),
    };
    const engine = {
      get: async () => ({ store, runner: { start, resume: async (id: string) => store.get(id) } }),
    };
    const services: unknown = {
      engine,
      service: { isDemo: () => true, isInUse: () => true, ready: async () => '' },
      settings: { baseUrl: '' },
      models: { priced: (request: TaskRequest) => request },
      limits: {
        confirmCount: async () => {},
        withinBudget: async () => ({}),
        send: async (_: unknown, how: StartOptions, send: (how: StartOptions) => unknown) => send(how),
      },
    };
    assert.ok(areServices(services));
    operations = new TaskOperations(services);
    const parts: unknown = [engine, operations, runs];
    assert.ok(areParts(parts));
    batches = new module.Batches(...parts);
  });
  afterEach(async () => store.close());
  after(() => folder.remove());

  const add = async (changes: Partial<Task>): Promise<Task> => {
    const task = aTask({ id: newTaskId(1), status: 'failed', ...changes });
    await store.add(task);
    return task;
  };
  const batch = { id: 'b', title: 'Placeholders', index: 0 };
  const saved = [aResult({ state: 'saved', uri: 'file:///w/images/fox.png' })];

  const retry = async (): Promise<void> => {
    const done = batches.retry('b');
    const [message] = await eventually(
      'a message',
      async () => arranged.messages,
      ({ length }) => length > 0,
    );
    message?.press('Generate Again');
    await done;
  };

  it('makes a placeholder again that an earlier task has replaced once', async () => {
    await add({ status: 'completed', results: saved, request: aRequest({ reference }) });
    const failed = await add({ request: aRequest({ reference, batch }) });
    await retry();
    assert.deepEqual(again, [failed.request.prompt]);
  });

  it('sends none that another window began with after the last look', async () => {
    await add({ request: aRequest({ reference, batch }) });
    beforeSending = async () => {
      await add({ id: newTaskId(2), status: 'submitting', request: aRequest({ reference, batch }) });
    };
    await assert.rejects(retry(), { message: 'Another task stands for it.' });
    assert.deepEqual(again, []);
  });

  it('sends none that another window saved since the last look', async () => {
    const target = { folder: 'file:///w/images', root: 'file:///w', fileName: 'fox.png' };
    const ended = { status: 'completed', results: saved, finishedAt: Date.now() + 60_000 } as const;
    for (const [one, other] of [
      [{ request: aRequest({ target, batch }) }, { ...ended, request: aRequest({ target }) }],
      [
        { request: aRequest({ reference, batch }) },
        { ...ended, id: newTaskId(0), request: aRequest({ reference, batch: { ...batch, index: 1 } }) },
      ],
    ] satisfies [Partial<Task>, Partial<Task>][]) {
      arranged.messages.length = 0;
      await add(one);
      beforeSending = async () => void (await add(other));
      await assert.rejects(retry(), { message: 'Another task stands for it.' });
      await Promise.all(store.list({ limit: 9 }).map(async ({ id }) => store.remove(id)));
    }
    assert.deepEqual(again, []);
  });

  it('begins an image on two backgrounds on white again, where it is made once more', async () => {
    const finish = { cutout: { by: 'grounds' } } as const;
    const white = { prompt: 'A jar on white', batch, onBlack: { finish, fileName: 'jar' } };
    await add({ status: 'completed', results: saved, request: aRequest(white) });
    const black = await add({
      status: 'completed',
      results: saved,
      request: aRequest({ prompt: 'A jar on black', batch, finish }),
    });
    const making = operations.makeAgain([black.id]);
    const [message] = await eventually(
      'a message',
      async () => arranged.messages,
      ({ length }) => length > 0,
    );
    message?.press('Generate Again');
    await making;
    assert.deepEqual(again, ['A jar on white']);
  });

  it('says that nothing is left, where an image was made since', async () => {
    await add({ request: aRequest({ reference, batch }) });
    await add({ status: 'completed', results: saved, request: aRequest({ reference }) });
    await retry();
    assert.deepEqual(again, []);
    assert.equal(arranged.messages[0]?.text, nothingLeft);
  });

  it('says so where a file is there by now', async () => {
    writeFileSync(join(folder.path, 'fox.png'), 'an image');
    const root = pathToFileURL(folder.path).href;
    await add({ request: aRequest({ batch, target: { folder: root, root, fileName: 'fox.png' } }) });
    await retry();
    assert.equal(arranged.messages[0]?.text, nothingLeft);
  });

  it('says so where another task works on it', async () => {
    await add({ status: 'queued', remoteId: 'task_1', request: aRequest({ reference }) });
    await add({ request: aRequest({ reference, batch }) });
    await retry();
    assert.equal(arranged.messages[0]?.text, nothingLeft);
  });

  it('reports of resumed tasks together what was made together', async () => {
    const tasks: Task[] = [];
    for (const changes of [
      { batch },
      {},
      { batch: { ...batch, index: 1 } },
      { batch: { ...batch, id: 'other' } },
    ]) {
      tasks.push(await add({ status: 'stopped', remoteId: 'task_1', request: aRequest(changes) }));
    }
    await batches.resume(tasks);
    const [fox, heron, owl, wren] = tasks.map(({ id }) => id);
    assert.deepEqual(new Set(followed), new Set([`${fox} and ${owl}`, heron, wren]));
  });
});

function areServices(value: unknown): value is ConstructorParameters<typeof TaskOperations>[0] {
  return typeof value === 'object';
}

/** They are as much of the window's as batches need. */
function areParts(value: unknown): value is ConstructorParameters<typeof Batches> {
  return Array.isArray(value);
}
