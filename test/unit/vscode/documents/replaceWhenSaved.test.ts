import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemClock } from '../../../../src/common/clock.ts';
import { fileUri } from '../../../../src/common/fileUris.ts';
import type { TextDocument } from 'vscode';
import type { ReplaceServices } from '../../../../src/vscode/documents/replaceWhenSaved.ts';
import type { Settings } from '../../../../src/vscode/window/settings.ts';
import { TaskStore } from '../../../../src/engine/store/taskStore.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { newTaskId } from '../../../../src/engine/task/taskId.ts';
import { aRequest, aTask } from '../../../support/engine/taskBuilders.ts';
import { TestLog } from '../../../support/engine/world.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { arranged, Document, type Message, Uri } from './windowStub.ts';

const stub = new URL('windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { proposalsOf } = await import('../../../../src/vscode/documents/proposal.ts');
const { ReadDocuments } = await import('../../../../src/vscode/documents/readDocuments.ts');
const { ReplaceWhenSaved } = await import('../../../../src/vscode/documents/replaceWhenSaved.ts');
const { WantedImages } = await import('../../../../src/vscode/documents/wantedImages.ts');
hooks.deregister();

const address = 'https://picsum.photos/300/200';
const image = (alt: string): string => `<img src="${address}" alt="${alt}">`;
const made = (alt: string, name = 'made.png'): string => `<img src="images/${name}" alt="${alt}">`;

const settings = { folder: () => 'images' };

/** The storage of a workspace. */
class Memory {
  readonly #values = new Map<string, string[]>();
  get = (key: string, usual: string[]): string[] => this.#values.get(key) ?? usual;
  update = async (key: string, value: string[]): Promise<void> => void this.#values.set(key, value);

  /** How many tasks are remembered. */
  get size(): number {
    return [...this.#values.values()].flat().length;
  }
}

describe('an image that was made for a place in a document', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let document: Document;
  let stores: TaskStore[];
  let windows: { dispose(): void }[];

  beforeEach(() => {
    folder = temporaryFolder('documents');
    arranged.root = join(folder.path, 'site');
    arranged.isReadonly = false;
    arranged.messages.length = 0;
    arranged.acts.length = 0;
    mkdirSync(join(arranged.root, 'images'), { recursive: true });
    stores = [];
    windows = [];
  });

  afterEach(async () => {
    for (const one of windows) {
      one.dispose();
    }
    await Promise.all(stores.map(async (store) => store.close()));
    folder.remove();
  });

  const openStore = async (): Promise<TaskStore> => {
    const file = join(folder.path, 'limner.db');
    const store = await TaskStore.open({ file, clock: systemClock, log: new TestLog(), notice: () => {} });
    stores.push(store);
    return store;
  };

  /** Opens a window of a workspace, whose storage outlives it. */
  const openWindow = (store: TaskStore, memory = new Memory()): { dispose(): void } => {
    const services: unknown = {
      engine: { opened: { store }, onDidOpen: () => ({ dispose() {} }) },
      documents: new ReadDocuments(),
      settings,
      memory,
      log: { error: (error: unknown) => assert.match(String(error), /could not be changed/) },
    };
    assert.ok(areServices(services));
    const window = new ReplaceWhenSaved(services);
    windows.push(window);
    return window;
  };

  const write = (text: string): void => {
    const uri = Uri.parse(fileUri(join(arranged.root, 'index.html')));
    document = new Document(uri, '');
    document.write(text);
    arranged.documents.set(uri.toString(), document);
  };

  /** Begins to make the image of a placeholder, as a user asks for it. */
  const begin = async (store: TaskStore, words: string): Promise<Task> => {
    const [page, usual]: unknown[] = [document, settings];
    assert.ok(isDocument(page) && areSettings(usual));
    const wanted = new WantedImages(usual);
    const references = await new ReadDocuments().referencesIn(page);
    const images = await Promise.all(references.map(async (reference) => wanted.at(page, reference)));
    const proposals = await proposalsOf(
      images.flatMap((one) => (one ? [[page, one] as const] : [])),
      'placeholder',
    );
    const proposal = proposals.find(({ prompt }) => prompt === words);
    assert.ok(proposal?.reference);
    const target = {
      folder: proposal.folder.toString(),
      root: Uri.file(arranged.root).toString(),
      fileName: 'made',
    };
    const request = aRequest({ prompt: words, reference: proposal.reference, target });
    const task = aTask({ id: newTaskId(Date.now()), status: 'saving', request });
    await store.add(task);
    return task;
  };

  /** Lets someone ask for the image of one placeholder, and write something else while it is made. */
  const makeMeanwhile = async (before: string, words: string, after: string): Promise<string> => {
    const store = await openStore();
    write(before);
    openWindow(store);
    const task = await begin(store, words);
    document.write(after);
    await save(store, task);
    await whenDone(store, task);
    return document.getText();
  };

  it('takes each place that shows it', async () => {
    const page = `${image('A fox')}\n${image('A hen')}\n${image('A fox')}\n`;
    const now = await makeMeanwhile(page, 'A fox', page);
    assert.equal(now, page.replaceAll(image('A fox'), made('A fox')));
    assert.deepEqual(arranged.messages, []);
  });

  it('takes its place among others where its words have changed', async () => {
    const others = `${image('A hen')}\n`;
    assert.equal(
      await makeMeanwhile(others + image('A fox'), 'A fox', others + image('A red fox')),
      others + made('A red fox'),
    );
  });

  it('takes none of several that it may be for, and can be inserted or tried again then', async () => {
    const after = `${image('A red fox')}\n${image('A white hen')}\n`;
    const now = await makeMeanwhile(`${image('A fox')}\n${image('A hen')}\n`, 'A fox', after);
    assert.equal(now, after);
    const [message] = arranged.messages;
    assert.match(
      message?.text ?? '',
      /^Saved made\.png, but couldn't insert it: its place in index\.html is gone or/,
    );
    message?.press('Insert…');
    await eventually(
      'the question where it belongs',
      async () => arranged.messages[1]?.text,
      (text) => text === 'Put the cursor where made.png belongs.',
    );
    arranged.messages[1]?.press('Insert Here');
    const [task] = stores[0]?.withReference() ?? [];
    const inserted = [document.uri.path, `limner.task.insert ${task?.id}`];
    await eventually(
      'the image',
      async () => arranged.acts,
      (acts) => acts.join() === inserted.join(),
    );
  });

  it('takes no place that was another one before', async () => {
    const now = await makeMeanwhile(`${image('A fox')}\n${image('A hen')}\n`, 'A fox', `${image('A hen')}\n`);
    assert.equal(now, `${image('A hen')}\n`);
    assert.equal(arranged.messages.length, 1);
    document.write(image('A fox'));
    arranged.messages[0]?.press('Try Again');
    await eventually(
      'the page',
      async () => document.getText(),
      (text) => text === made('A fox'),
    );
    assert.equal(arranged.messages.length, 1);
  });

  it('takes its place when the window was closed meanwhile, or says once why not', async () => {
    const store = await openStore();
    const memory = new Memory();
    write(`${image('A fox')}\n${image('A hen')}\n`);
    const first = openWindow(store, memory);
    const [fox, hen] = [await begin(store, 'A fox'), await begin(store, 'A hen')];
    first.dispose();
    await save(store, fox, 'fox.png');
    await save(store, hen, 'hen.png');
    document.write(image('A fox'));
    const second = openWindow(store, memory);
    await Promise.all([whenDone(store, fox), whenDone(store, hen)]);
    assert.equal(document.getText(), made('A fox', 'fox.png'));
    assert.deepEqual(
      arranged.messages.map(({ text }) => text.split(',')[0]),
      ['Saved hen.png'],
    );
    second.dispose();
    document.write(image('A hen'));
    openWindow(store, memory);
    const later = await begin(store, 'A hen');
    await save(store, later, 'later.png');
    await whenDone(store, later);
    assert.equal(document.getText(), made('A hen', 'later.png'));
    assert.equal(arranged.messages.length, 1);
  });

  /** Opens a workspace in which a placeholder stands, and for which an image was made while it was not open. */
  const openElsewhere = async (finishedAt = Date.now()): Promise<[TaskStore, Task]> => {
    const store = await openStore();
    write(image('A fox'));
    const task = await begin(store, 'A fox');
    await save(store, task);
    await store.apply(task.id, { type: 'settled', at: finishedAt });
    openWindow(store);
    // Whatever else becomes of it.
    await store.apply(task.id, { type: 'starred', index: 0, starred: true });
    return [store, task];
  };

  it('takes its place in a workspace that was not open meanwhile once a person says so', async () => {
    const [store, task] = await openElsewhere();
    const message = await whenAsked();
    assert.equal(document.getText(), image('A fox'));
    message?.press('Insert');
    await whenDone(store, task);
    assert.equal(document.getText(), made('A fox'));
  });

  it('takes no place in such a workspace where a person does not want that, who is not asked again', async () => {
    const [store, task] = await openElsewhere();
    (await whenAsked())?.press('');
    await whenDone(store, task);
    openWindow(store);
    const next = await begin(store, 'A fox');
    await save(store, next, 'next.png');
    await whenDone(store, next);
    assert.equal(document.getText(), made('A fox', 'next.png'));
    assert.equal(arranged.messages.length, 1);
  });

  it('takes no place once its file is gone', async () => {
    const store = await openStore();
    const memory = new Memory();
    write(image('A fox'));
    const first = openWindow(store, memory);
    const task = await begin(store, 'A fox');
    first.dispose();
    await save(store, task);
    rmSync(join(arranged.root, 'images/made.png'));
    openWindow(store, memory);
    await whenDone(store, task);
    assert.equal(document.getText(), image('A fox'));
    assert.deepEqual(arranged.messages, []);
  });

  it('is put there by one of two windows, and the other one says nothing', async () => {
    const [one, other] = [await openStore(), await openStore()];
    write(image('A fox'));
    const memories = [new Memory(), new Memory()];
    openWindow(one, memories[0]);
    openWindow(other, memories[1]);
    const task = await begin(one, 'A fox');
    const whenAwaited = async (count: number): Promise<unknown> =>
      eventually(
        'both windows',
        async () => memories.map(({ size }) => size),
        (sizes) => sizes.every((size) => size === count),
      );
    await whenAwaited(1);
    await save(one, task);
    await whenAwaited(0);
    assert.equal(document.getText(), made('A fox'));
    assert.deepEqual(arranged.messages, []);
  });

  it('says that its document cannot be changed, and is put there once it can', async () => {
    const store = await openStore();
    write(image('A fox'));
    document.isDirty = true;
    openWindow(store);
    arranged.isReadonly = true;
    const task = await begin(store, 'A fox');
    await save(store, task);
    await whenDone(store, task);
    assert.match(arranged.messages[0]?.text ?? '', /index\.html can't be changed\.$/);
    arranged.isReadonly = false;
    arranged.messages[0]?.press('Try Again');
    await eventually(
      'the page',
      async () => document.getText(),
      (text) => text === made('A fox'),
    );
  });
});

async function save(store: TaskStore, { id, request }: Task, name = 'made.png'): Promise<void> {
  const file = join(arranged.root, 'images', name);
  writeFileSync(file, 'an image');
  const uri = `${request.target.folder}/${name}`;
  await store.apply(id, { type: 'resultChanged', result: { index: 0, state: 'saved', uri } });
}

async function whenDone(store: TaskStore, { id }: Task): Promise<void> {
  const placing = async (): Promise<unknown> => store.get(id)?.results[0]?.placing;
  await eventually('the task', placing, (seen) => seen === 'done');
}

async function whenAsked(): Promise<Message | undefined> {
  const [message] = await eventually(
    'a question',
    async () => arranged.messages,
    ({ length }) => length > 0,
  );
  assert.equal(message?.text, "An image for a document in this workspace hasn't been inserted yet.");
  return message;
}

// The window of these tests is as much of VS Code's as is needed here.

function areServices(value: unknown): value is ReplaceServices {
  return typeof value === 'object';
}

function areSettings(value: unknown): value is Settings {
  return value === settings;
}

function isDocument(value: unknown): value is TextDocument {
  return value instanceof Document;
}
