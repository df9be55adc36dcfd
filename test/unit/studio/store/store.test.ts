import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { StudioModel } from '../../../../src/studio/protocol/state.ts';
import {
  countOf,
  inputsOf,
  isMasked,
  keptOutsideOf,
  modelOf,
  tasksOf,
} from '../../../../src/studio/store/studioStore.ts';
import { input, opened } from '../openedStore.ts';
import { aStudioTask } from '../studioTasks.ts';
import type { StudioRequest } from '../../../../src/studio/protocol/messages.ts';
import { Host, HostError } from '../../../../src/studio/store/host.ts';

const fill = { kind: 'fill' } as const;

/** Opens a store with a second model, and the default one if that is named. */
function withModels(changes: Partial<StudioModel>, ...args: Parameters<typeof opened>) {
  const page = opened(...args);
  const { models, defaults, styles, isConnected, hasLanguageModel, target } = page.store.state;
  const [first] = models;
  assert.ok(first);
  const second = { ...first, id: 'second', ...changes };
  const rest = { defaults, styles, isConnected, hasLanguageModel, target };
  page.tell({ kind: 'settings', models: [first, second], defaultModel: 'second', ...rest });
  return { ...page, second };
}

describe('the style of a draft', () => {
  it('sets what it decides, and leaves nothing of that behind but what was changed since', async () => {
    const { store, tell } = opened({});
    const { models, defaults, isConnected, hasLanguageModel, target, draft } = store.state;
    const icons = { name: 'icons', parts: { size: '64x64', fit: 'crop', transparent: true } } as const;
    const heroes = { name: 'heroes', parts: { quality: 'high' } };
    const rest = { models, defaults, isConnected, hasLanguageModel, target, defaultModel: 'second' };
    tell({ kind: 'settings', styles: [icons, heroes], ...rest });
    store.chooseStyle('icons');
    assert.deepEqual(store.state.draft, { ...draft, style: 'icons', ...icons.parts });
    store.change({ size: '128x128' });
    store.chooseStyle('heroes');
    const changed = { style: 'heroes', size: '128x128', quality: 'high' };
    assert.deepEqual(store.state.draft, { ...draft, ...changed });
    await store.undo();
    assert.deepEqual(store.state.draft, { ...draft, ...icons.parts, style: 'icons', size: '128x128' });
    store.chooseStyle('');
    assert.deepEqual(store.state.draft, { ...draft, size: '128x128' });
  });
});

describe('a page whose host is gone', () => {
  it('says so, until it answers, and not while a question is merely open', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let isGone = true;
    const never = new Promise<never>(() => {});
    const { store, tell } = opened({}, ({ method }) => (method === 'opened' && !isGone ? null : never));
    const told = (): string | undefined => store.state.problem?.message;
    store.change({ prompt: 'a fox' });
    mock.timers.tick(8000);
    assert.equal(told(), undefined);
    mock.timers.tick(4000);
    assert.match(told() ?? '', /^Limner no longer answers this tab/u);
    tell({ kind: 'sending', isSending: false });
    assert.equal(told(), undefined);
    isGone = false;
    mock.timers.tick(100_000);
    assert.equal(told(), undefined);
  });
});

describe('the draft of a page', () => {
  it('is sent as it changes, only what has changed, and where it is saved is shown', async () => {
    const sent: unknown[] = [];
    const { store } = opened({}, (request) => {
      sent.push(request.parameters);
      return { path: `images/${sent.length}` };
    });
    store.change({ prompt: 'a fox' });
    store.updateView({ stage: 'mask' });
    await setImmediate();
    assert.deepEqual(sent[0], { changes: { prompt: 'a fox' } });
    assert.deepEqual(sent[1], { changes: { view: { ...store.state.draft.view, stage: 'mask' } } });
    assert.deepEqual(store.state.target, { path: 'images/2' });
    await store.saved();
    const { tasks: _, ...changes } = store.state.draft;
    assert.deepEqual(sent[2], { changes });
  });

  it('says why it could not be kept, with the button that helps, until that is dismissed', async () => {
    const asked: unknown[] = [];
    let failed = 0;
    const { store } = opened({}, ({ id, method, parameters }) => {
      if (method === 'saveDraft') {
        failed = id;
        throw new Error('The disk is full.');
      }
      asked.push([method, parameters]);
    });
    store.change({ prompt: 'a fox' });
    await setImmediate();
    const { problem } = store.state;
    assert.ok(problem);
    assert.equal(problem.message, 'The disk is full.');
    assert.deepEqual(
      problem.errorActions.map(({ title }) => title),
      ['Open Settings'],
    );
    await problem.errorActions[0]?.run();
    assert.deepEqual(asked, [['runErrorAction', { failure: failed, errorAction: 0 }]]);
    assert.ok(!store.state.problem);
    await assert.rejects(store.saved(), /The disk is full/);
    await store.attempt(async () => store.saved());
    assert.match(JSON.stringify(store.state.problem), /The disk is full/);
    store.dismissProblem();
    assert.equal(store.state.problem, undefined);
    await store.attempt(async () => Promise.reject(new Error('It is gone.')));
    assert.deepEqual(store.state.problem, { message: 'It is gone.', errorActions: [] });
    store.act('removed a.png', { inputs: [] });
    assert.ok(!store.state.problem);
    await store.attempt(async () => Promise.reject(new Error('It is gone.')));
    store.paint(fill);
    assert.ok(!store.state.problem);
  });

  it('has the model that it names, or the default one', () => {
    const { store, tell, second } = withModels({ maxCount: 2 }, { model: '' });
    assert.equal(modelOf(store.state)?.id, 'second');
    store.change({ model: 'painter' });
    assert.equal(modelOf(store.state)?.id, 'painter');
    store.change({ model: 'gone' });
    assert.equal(modelOf(store.state)?.id, 'second');
    assert.deepEqual(
      [1, 2, 9].map((count) => countOf({ count }, second)),
      [1, 2, 2],
    );
    const { defaults, styles, baseUrl, isConnected, hasLanguageModel, target } = store.state;
    const rest = { defaults, styles, baseUrl, isConnected, hasLanguageModel, target, defaultModel: '' };
    tell({ kind: 'settings', models: [], ...rest });
    assert.equal(modelOf(store.state), undefined);
  });

  it('adds each image once, after the others', async () => {
    const { store } = opened({ inputs: ['a'] });
    store.addInputs([input('a')]);
    assert.equal(store.state.announcement, undefined);
    store.addInputs([input('b'), input('a'), input('c')]);
    assert.deepEqual(store.state.draft.inputs, ['a', 'b', 'c']);
    assert.equal(store.state.announcement, 'Added b.png, c.png');
    assert.equal(inputsOf(store.state).length, 3);
    await store.undo();
    assert.deepEqual(store.state.draft.inputs, ['a']);
  });

  it('has an image in the place of another, once, and nothing of it is lost', async () => {
    const { store } = opened({ inputs: ['a', 'b'] });
    store.replaceInput('a', { ...input('a'), name: 'renamed.png' });
    assert.equal(store.acts.last, undefined);
    assert.equal(store.state.inputs.get('a')?.name, 'renamed.png');
    store.replaceInput('a', input('b', 20));
    assert.deepEqual(store.state.draft.inputs, ['b']);
    await store.undo();
    assert.deepEqual(store.state.draft.inputs, ['a', 'b']);
    store.replaceInput('b', input('c'));
    assert.deepEqual(store.state.draft.inputs, ['a', 'c']);
  });

  it('keeps what is outside of a mask only for models that edit by one', () => {
    const cases: [changes: Partial<StudioModel>, expected: string | undefined][] = [
      [{}, '10x10'],
      [{ sizes: ['64x64', '128x64'] }, '64x64'],
      [{ family: 'native' }, undefined],
      [{ mask: 'none' }, undefined],
    ];
    for (const [changes, expected] of cases) {
      const { store } = withModels(changes, { inputs: ['a'] });
      assert.ok(!isMasked(store.state));
      store.keepOutside(true);
      assert.equal(store.state.draft.size, '');
      store.paint(fill);
      assert.ok(isMasked(store.state));
      assert.equal(keptOutsideOf(store.state)?.size, expected);
      assert.equal(store.state.draft.size, expected ?? '');
      store.change({ size: '7x7' });
      store.keepOutside(false);
      assert.deepEqual([keptOutsideOf(store.state), store.state.draft.size], [undefined, '7x7']);
      store.keepOutside(true);
      assert.equal(store.state.draft.size, expected ?? '7x7');
      store.change({ inputs: [] });
      assert.ok(!isMasked(store.state));
    }
  });
});

describe('what the host tells a page', () => {
  it('adds, changes and removes tasks, and a started one is first, once', () => {
    const { store, tell } = opened({ tasks: ['one', 'two'] });
    tell({ kind: 'taskStarted', task: 'two' });
    tell({ kind: 'taskStarted', task: 'three' });
    assert.deepEqual(store.state.draft.tasks, ['three', 'two', 'one']);
    assert.deepEqual(store.state.draft.view.stage, 'results');
    tell({ kind: 'tasks', tasks: ['one', 'three'].map((id) => aStudioTask({ id })), removed: [] });
    const [three] = tasksOf(store.state);
    assert.equal(three?.id, 'three');
    tell({ kind: 'tasks', tasks: [aStudioTask({ id: 'one', prompt: 'A boat' })], removed: ['three'] });
    assert.deepEqual(
      tasksOf(store.state).map(({ prompt }) => prompt),
      ['A boat'],
    );
  });

  it('are images that it can show, before they are in the draft, and as a part of a new one', () => {
    const { store, tell } = opened({ inputs: ['c'] });
    assert.deepEqual(inputsOf(store.state), []);
    tell({ kind: 'inputs', inputs: [input('c')] });
    tell({ kind: 'inputs', inputs: [{ ...input('c'), onDisk: 'changed' }] });
    assert.equal(inputsOf(store.state)[0]?.onDisk, 'changed');
    tell({ kind: 'newDraft', inputs: [input('d')], changes: { inputs: ['d'] }, isUnsent: false });
    assert.deepEqual(
      inputsOf(store.state).map(({ id }) => id),
      ['d'],
    );
    store.replace({ ...store.state.draft, inputs: ['e'] }, [input('e')], aStudioTask());
    assert.equal(inputsOf(store.state)[0]?.id, 'e');
  });
});

it('says that it is there until the host has heard of it', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout'] });
  const window = new EventTarget();
  const said: StudioRequest[] = [];
  Object.assign(globalThis, {
    window,
    acquireVsCodeApi: () => ({ postMessage: (request: StudioRequest) => said.push(request) }),
  });
  const opening = new Host(3).open();
  for (const [patience, times] of [
    [2000, 2],
    [3999, 2],
    [1, 3],
  ] as const) {
    test.mock.timers.tick(patience);
    // Lets what waited go on.
    await setImmediate();
    assert.equal(said.length, times);
  }
  assert.deepEqual(
    said.map(({ page, method }) => [page, method]),
    [
      [3, 'opened'],
      [3, 'opened'],
      [3, 'opened'],
    ],
  );
  assert.equal(new Set(said.map(({ load }) => load)).size, 1);
  const [last] = said.slice(-1);
  window.dispatchEvent(
    new MessageEvent('message', { data: { kind: 'reply', id: last?.id, value: undefined } }),
  );
  await opening;
});

it('takes no reply to an earlier page for one to this, and says which request failed', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout'] });
  const window = new EventTarget();
  const ids: number[] = [];
  Object.assign(globalThis, {
    window,
    acquireVsCodeApi: () => ({ postMessage: ({ id }: StudioRequest) => ids.push(id) }),
  });
  const { timeOrigin } = performance;
  const earlier = new Host(1);
  for (let request = 0; request < 900; request++) {
    void earlier.ask('opened', {});
  }
  test.mock.getter(performance, 'timeOrigin', () => timeOrigin + 1);
  const page = new Host(1);
  const asking = page.ask('opened', {});
  const id = ids.at(-1) ?? 0;
  assert.ok(!ids.slice(0, -1).includes(id));
  const data = { kind: 'failure', id, message: 'It is gone.', errorActions: ['Retry'] };
  window.dispatchEvent(new MessageEvent('message', { data }));
  await assert.rejects(asking, (error) => {
    assert.ok(error instanceof HostError);
    const { name, message, errorActions } = error;
    assert.deepEqual([name, error.id, message, errorActions], ['HostError', id, 'It is gone.', ['Retry']]);
    return true;
  });
});
