import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { StillNeeded } from '../../../../src/vscode/generate/painting.ts';
import { type Claim, standsFor } from '../../../../src/engine/task/claim.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { newTaskId } from '../../../../src/engine/task/taskId.ts';
import { anError, aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { arranged, Document, type Message, Uri } from '../documents/windowStub.ts';

const stub = new URL('../documents/windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { MakeWanted, missingTexts } = await import('../../../../src/vscode/pages/makeWanted.ts');
hooks.deregister();

const target = (): Task['request']['target'] => {
  const root = pathToFileURL(arranged.root).href;
  return { folder: root, root, fileName: 'fox.png' };
};
const taskOfFox = (changes: Partial<Task>): Task =>
  aTask({
    id: newTaskId(Date.now()),
    createdAt: Date.now(),
    request: aRequest({ target: target() }),
    ...changes,
  });

/** Returns the time so many hours ago. */
const hoursAgo = (count: number): number => Date.now() - count * 3_600_000;

const nextMessage = async (): Promise<Message> => {
  const message = await eventually(
    'a message',
    async () => arranged.messages[0],
    (first) => first !== undefined,
  );
  assert.ok(message);
  return message;
};

describe('an image that a document needs', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let page: Uri;
  /** The task list. */
  let tasks: Task[];
  /** Prompts that were asked for, and tasks that were resumed. */
  let acts: string[];
  /** Called while a user writes the prompt, or is asked whether so many images are meant. */
  let whileAsked: () => void;
  /** Whether it is known which images a document needs. */
  let isReadable: boolean;

  beforeEach(() => {
    folder = temporaryFolder('wanted');
    arranged.root = folder.path;
    arranged.messages.length = 0;
    page = Uri.file(join(folder.path, 'page.md'));
    arranged.documents.set(page.toString(), new Document(page, '![A fox](fox.png)'));
    tasks = [];
    acts = [];
    whileAsked = () => {};
    isReadable = true;
  });

  afterEach(() => folder.remove());

  const send = async (neededOf: StillNeeded): Promise<void> => {
    whileAsked();
    acts.push(...(await neededOf()).map(({ given }) => given.prompt ?? ''));
  };

  /** Has the image made: by its quick fix, or with all images of its document. */
  const make = async (id?: string): Promise<void> => {
    const fox = {
      id: 'fox',
      label: 'fox.png',
      prompt: 'A fox',
      folder: Uri.file(arranged.root),
      fileName: 'fox.png',
    };
    const owl = { ...fox, id: 'owl', label: 'owl.png', prompt: 'An owl', fileName: 'owl.png' };
    const store = {
      standing: (claim: Claim, now: number) => tasks.find((task) => standsFor(claim, task, now)),
    };
    const painting = {
      propose: async (_: unknown, neededOf: StillNeeded) => send(neededOf),
      withStyle: async (image: unknown) => image,
      runText: () => undefined,
      makeAll: async (_: string, __: unknown, neededOf: StillNeeded) => send(neededOf),
    };
    const services: unknown = [
      async () => ({ wantedIn: async () => (isReadable ? [fox, owl] : undefined) }),
      { get: async () => ({ store }) },
      painting,
      {
        resume: async (ended: readonly Task[]) =>
          void acts.push(`resume ${ended.map(({ id }) => id).join(' ')}`),
      },
      { error: assert.fail, warn() {}, info() {}, debug() {} },
    ];
    assert.ok(areServices(services));
    await new MakeWanted(...services).inFile(missingTexts, page, id);
  };

  it('is made once its prompt is written', async () => {
    await make('fox');
    assert.deepEqual(acts, ['A fox']);
    assert.deepEqual(arranged.messages, []);
  });

  it('is not made again by a task that makes it', async () => {
    tasks = [taskOfFox({ status: 'in_progress' })];
    await make('fox');
    assert.deepEqual(acts, []);
    assert.match((await nextMessage()).text, /already being generated/u);
  });

  it('is not asked for where another window began with it while the prompt was written', async () => {
    whileAsked = () => tasks.push(taskOfFox({ status: 'submitting' }));
    await make('fox');
    assert.deepEqual(acts, []);
    assert.match((await nextMessage()).text, /page\.md no longer needs this image/u);
  });

  it('is not asked for where its file came while the prompt was written', async () => {
    whileAsked = () => writeFileSync(join(arranged.root, 'fox.png'), 'a fox');
    await make('fox');
    assert.deepEqual(acts, []);
    assert.match((await nextMessage()).text, /no longer needs this image/u);
  });

  const question = /1 of these images may still come from an earlier task/u;

  for (const { button, done } of [
    { button: 'Resume', done: (id: string) => [`resume ${id}`] },
    { button: 'Generate New Images', done: () => ['A fox'] },
    { button: '', done: () => [] },
  ]) {
    it(`is asked about where a stopped task may still bring it: ${button || 'dismissed'}`, async () => {
      const stopped = taskOfFox({ status: 'stopped', remoteId: 'task_1' });
      tasks = [stopped];
      const making = make('fox');
      const { text, press } = await nextMessage();
      assert.match(text, question);
      press(button);
      await making;
      assert.deepEqual(acts, done(stopped.id));
    });
  }

  for (const [when, ended] of [
    ['was stopped 7 hours after it was sent', { status: 'stopped', createdAt: hoursAgo(7) }],
    [
      'was stopped by itself after a day',
      { status: 'stopped', createdAt: hoursAgo(25), submittedAt: hoursAgo(25), finishedAt: hoursAgo(1) },
    ],
    ['failed here, not at the service', { status: 'failed', error: anError() }],
  ] as const) {
    it(`is asked about where a task ${when}`, async () => {
      tasks = [taskOfFox({ ...ended, remoteId: 'task_1' })];
      const making = make('fox');
      const { text, press } = await nextMessage();
      assert.match(text, question);
      press('');
      await making;
      assert.deepEqual(acts, []);
    });
  }

  it('is resumed together with the others that ended tasks may bring', async () => {
    const fox = taskOfFox({ status: 'stopped', remoteId: 'task_1' });
    const owlTarget = { ...target(), fileName: 'owl.png' };
    const owl = taskOfFox({
      status: 'stopped',
      remoteId: 'task_2',
      request: aRequest({ target: owlTarget }),
    });
    tasks = [fox, owl];
    const making = make();
    (await nextMessage()).press('Resume');
    await making;
    assert.deepEqual(acts, [`resume ${fox.id} ${owl.id}`]);
  });

  it('is not asked for where another window began with it and stopped while the prompt was written', async () => {
    whileAsked = () => {
      const finishedAt = Date.now() + 1;
      tasks.push(taskOfFox({ status: 'stopped', remoteId: 'task_1', finishedAt }));
    };
    await make('fox');
    assert.deepEqual(acts, []);
    assert.match((await nextMessage()).text, /no longer needs this image/u);
  });

  it('is made where a task was stopped before it was sent, or too long ago, or the service failed it', async () => {
    tasks = [
      taskOfFox({ status: 'stopped' }),
      taskOfFox({ status: 'stopped', remoteId: 'task_1', createdAt: hoursAgo(25), finishedAt: hoursAgo(7) }),
      taskOfFox({ status: 'failed', remoteId: 'task_1', error: anError({ billing: 'refunded' }) }),
    ];
    await make('fox');
    assert.deepEqual(acts, ['A fox']);
  });

  it('is not asked for where another window made it while the prompt was written, though its document shows none', async () => {
    const saved = {
      status: 'completed' as const,
      finishedAt: Date.now() + 1000,
      results: [aResult({ state: 'saved' })],
    };
    whileAsked = () => tasks.push(taskOfFox(saved));
    await make('fox');
    assert.deepEqual(acts, []);
    assert.match((await nextMessage()).text, /no longer needs this image/u);
  });

  it('is made again where its file was removed since a task saved it', async () => {
    tasks = [
      taskOfFox({ status: 'completed', createdAt: hoursAgo(1), results: [aResult({ state: 'saved' })] }),
    ];
    await make('fox');
    assert.deepEqual(acts, ['A fox']);
  });

  it('is left out of several where another window began with it while it was asked whether they are meant', async () => {
    whileAsked = () => tasks.push(taskOfFox({ status: 'submitting' }));
    await make();
    assert.deepEqual(acts, ['An owl']);
    assert.deepEqual(arranged.messages, []);
  });

  it('is not made with others where all are there by then, which is said', async () => {
    whileAsked = () => {
      for (const name of ['fox.png', 'owl.png']) {
        writeFileSync(join(arranged.root, name), name);
      }
    };
    await make();
    assert.deepEqual(acts, []);
    assert.match((await nextMessage()).text, /already being generated/u);
  });

  it('is not said to be there where it is not known what the document needs', async () => {
    isReadable = false;
    await make('fox');
    assert.match((await nextMessage()).text, /can't read page\.md/u);
  });
});

/** They are as much of the window's as this needs. */
function areServices(value: unknown): value is ConstructorParameters<typeof MakeWanted> {
  return Array.isArray(value);
}
