import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { emptyDraft } from '../../../../src/studio/protocol/draft.ts';
import { perform } from '../../../../src/studio/image/perform.ts';
import { isMasked } from '../../../../src/studio/store/studioStore.ts';
import { undoByKey, useUndoKeys } from '../../../../src/studio/undoKeys.ts';
import { done, input, opened } from '../openedStore.ts';
import { aStudioImage, aStudioTask } from '../studioTasks.ts';
import { runHook } from '../runHook.ts';

const fill = { kind: 'fill' } as const;
const invert = { kind: 'invert' } as const;

describe('undo in the studio', () => {
  it('brings a removed image back with its mask, and then undoes what was painted', async () => {
    const { store } = opened({ inputs: ['a'], mask: { operations: [], done: 0 } });
    store.fitMask();
    store.paint(fill);
    store.act('removed a.png', { inputs: [] });
    store.addInputs([input('b', 20)]);
    store.fitMask();
    assert.equal(store.state.draft.mask.done, 0);
    await store.undo();
    await store.undo();
    assert.equal(store.state.announcement, 'Undone: removed a.png');
    assert.deepEqual(store.state.draft.inputs, ['a']);
    assert.deepEqual([store.state.draft.mask.operations, store.state.draft.mask.done], [[fill], 1]);
    await store.undo();
    assert.equal(store.state.draft.mask.done, 0);
    await store.undo();
    assert.deepEqual(store.state.draft.inputs, ['a']);
  });

  it("brings back a repair that wasn't saved when another file took its place while no page was there", async () => {
    const before = { uri: 'file:///cat.png', operations: [fill], done: 1 };
    const repair = { uri: 'file:///dog.png', operations: [], done: 0 };
    const { store } = opened({ repair }, done, { parts: { repair: before }, isUnsent: true });
    assert.equal(store.acts.last?.label, 'closed the repair without saving');
    assert.equal(store.acts.last.isShown, true);
    await store.undo();
    assert.deepEqual(store.state.draft.repair, before);
  });

  it('of the first stroke returns to the size before, at which the original could not be kept', async () => {
    const { store } = opened({ inputs: ['a'], size: '1024x1024' });
    store.paint(fill);
    assert.equal(store.state.draft.size, '10x10');
    await store.undo();
    assert.equal(store.state.draft.size, '1024x1024');
    await store.redo();
    assert.equal(store.state.draft.size, '10x10');
    store.change({ size: '1536x1024' });
    store.paint(invert);
    assert.equal(store.state.draft.size, '1536x1024');
    await store.undo();
    await store.undo();
    assert.equal(store.state.draft.size, '1536x1024');
  });

  it('undoes one paint after the other, and says which', async () => {
    const { store } = opened({ inputs: ['a'], size: '10x10' });
    const kinds = [fill, invert, { kind: 'clear' }] as const;
    kinds.forEach((operation) => store.paint(operation));
    const said: unknown[] = [];
    for (const act of ['undo', 'undo', 'undo', 'undo', 'redo'] as const) {
      await store[act]();
      said.push(store.state.draft.mask.done, store.state.announcement?.trim());
    }
    assert.deepEqual(
      said,
      [
        [2, 'Undone: cleared mask'],
        [1, 'Undone: inverted mask'],
        [0, 'Undone: marked everything'],
        [0, 'Undone: marked everything'],
        [1, 'Redone: marked everything'],
      ].flat(),
    );
  });

  it('of an act that ended another one meanwhile keeps that', async () => {
    const { store } = opened({});
    const begun = Promise.withResolvers<void>();
    store.done({ label: 'discarded a.png', undo: async () => begun.promise, redo: () => {} });
    const undoing = store.undo();
    await setImmediate();
    store.done({ label: 'discarded b.png', undo: () => {}, redo: () => {} });
    begun.resolve();
    await undoing;
    assert.deepEqual([store.acts.last?.label, store.acts.next], ['discarded b.png', undefined]);
  });

  it('clears a mask that fits another size, which is an act too', async () => {
    const { store } = opened({ inputs: ['a', 'b'] });
    store.fitMask();
    store.paint(fill);
    store.act('moved b.png', { inputs: ['b', 'a'] });
    store.fitMask();
    assert.equal(store.state.draft.mask.operations.at(-1)?.kind, 'clear');
    await store.undo();
    assert.equal(store.state.announcement, 'Undone: cleared mask');
    await store.undo();
    assert.deepEqual(store.state.draft.inputs, ['a', 'b']);
    assert.equal(store.state.draft.mask.done, 1);
  });

  it('returns to the draft before one was restored, and keeps the tasks that were started since', async () => {
    const { store, tell } = opened({ prompt: 'a fox', inputs: ['a'], tasks: ['first'] });
    store.replace({ ...emptyDraft, prompt: 'a boat', tasks: ['old'] }, [], aStudioTask({ id: 'old' }));
    tell({ kind: 'taskStarted', task: 'new' });
    await store.undo();
    const { prompt, inputs, tasks } = store.state.draft;
    assert.deepEqual([prompt, inputs, tasks], ['a fox', ['a'], ['new', 'first']]);
    await store.redo();
    assert.deepEqual([store.state.draft.prompt, store.state.draft.tasks], ['a boat', ['new', 'old']]);
  });

  it('of a new draft is offered where it took results out of sight, and says where they are', async () => {
    const { store, tell } = opened({ tasks: ['first'] });
    tell({ kind: 'newDraft', inputs: [], changes: { prompt: 'a boat' }, isUnsent: false });
    assert.equal(store.acts.last?.isShown, undefined);
    tell({ kind: 'newDraft', inputs: [], changes: { prompt: 'a fox', tasks: [] }, isUnsent: false });
    assert.equal(store.state.announcement, 'Started over; the earlier results are in the history');
    assert.equal(store.acts.last?.isShown, true);
    await store.undo();
    assert.deepEqual([store.state.draft.prompt, store.state.draft.tasks], ['a boat', ['first']]);
    for (const [tasks, isShown] of [
      [['first', 'other'], undefined],
      [['other'], true],
    ] as const) {
      tell({ kind: 'newDraft', inputs: [], changes: { tasks: [...tasks] }, isUnsent: false });
      assert.equal(store.acts.last?.isShown, isShown);
    }
  });

  it('returns to the draft before a command replaced it while there was no page', async () => {
    const parts = { prompt: 'a fox', inputs: ['a'], mask: { operations: [fill], done: 1 }, tasks: ['first'] };
    const { store } = opened({ prompt: 'a boat', inputs: ['b'], tasks: ['old'] }, done, {
      parts,
      isUnsent: true,
    });
    assert.ok(store.acts.last?.isShown);
    await store.undo();
    assert.equal(store.state.announcement, 'Undone: started over with b.png');
    const { prompt, inputs, tasks, mask } = store.state.draft;
    assert.deepEqual({ prompt, inputs, tasks, mask }, parts);
    await store.redo();
    assert.deepEqual([store.state.draft.prompt, store.state.draft.inputs], ['a boat', ['b']]);
    await store.undo();
    await store.undo();
    assert.equal(store.state.draft.mask.done, 0);
  });

  it('keeps an act that could not be undone or redone, to be tried again', async () => {
    const { store } = opened({});
    let isDiscarded = true;
    let isBroken = true;
    const set = async (discarded: boolean): Promise<void> => {
      await Promise.resolve();
      if (isBroken) {
        throw new Error('The disk is full.');
      }
      isDiscarded = discarded;
    };
    store.done({ label: 'discarded b.png', undo: async () => set(false), redo: async () => set(true) });
    const outcomes: unknown[] = [];
    for (const [act, broken] of [
      ['undo', true],
      ['undo', false],
      ['redo', true],
      ['redo', false],
      ['undo', false],
    ] as const) {
      isBroken = broken;
      await store[act]();
      outcomes.push([isDiscarded, store.state.problem?.message]);
    }
    const failed = 'The disk is full.';
    assert.deepEqual(outcomes, [
      [true, failed],
      [false, undefined],
      [false, failed],
      [true, undefined],
      [false, undefined],
    ]);
  });

  it('gives up an act that twice could not be undone, and goes on to those before it', async () => {
    const { store } = opened({ inputs: ['a'] });
    store.act('removed a.png', { inputs: [] });
    store.done({
      label: 'discarded b.png',
      undo: async () => Promise.reject(new Error('It is no longer kept.')),
      redo: () => {},
    });
    await store.undo();
    await store.undo();
    assert.equal(store.state.problem?.message, 'It is no longer kept.');
    await store.undo();
    assert.deepEqual(store.state.draft.inputs, ['a']);
  });

  it('undoes two acts when it is asked twice at once, one after the other', async () => {
    const { store } = opened({});
    const undone: string[] = [];
    for (const name of ['a', 'b']) {
      const undo = async (): Promise<void> => {
        undone.push(`${name} begins`);
        await Promise.resolve();
        undone.push(name);
      };
      store.done({ label: `discarded ${name}.png`, undo, redo: () => {} });
    }
    await Promise.all([store.undo(), store.undo()]);
    assert.deepEqual(undone, ['b begins', 'b', 'a begins', 'a']);
    assert.equal(store.acts.next?.label, 'discarded a.png');
  });

  it('waits for what the host is still doing, and leaves what was done earlier', async () => {
    const discarded = Promise.withResolvers<unknown>();
    const { store, host, asked } = opened({ inputs: ['a'] }, (request) =>
      request.method === 'discard' ? discarded.promise : done(request),
    );
    store.paint(fill);
    const result = { task: aStudioTask(), image: aStudioImage(), url: 'picture.png' };
    const doing = perform({ store, host }, 'discard', [result]);
    const undoing = store.undo();
    discarded.resolve([{ task: 'task', index: 0 }]);
    await Promise.all([doing, undoing]);
    assert.deepEqual(
      asked.map(({ method }) => method),
      ['discard', 'recover'],
    );
    assert.equal(store.state.draft.mask.done, 1);
  });

  it('brings back the mask and the size of an input that was reloaded with another size', async () => {
    const { store } = opened({ inputs: ['a'] });
    store.fitMask();
    store.paint(fill);
    const before = store.state.draft;
    assert.equal(before.size, '10x10');
    store.replaceInput('a', { ...input('new', 20), path: 'a', name: 'a.png' });
    const said = 'Reloaded a.png; the mask was for 10 × 10 and was removed; the size is now 20 × 10';
    assert.equal(store.state.announcement, said);
    assert.equal(store.acts.last?.isShown, true);
    assert.deepEqual([store.state.draft.inputs, store.state.draft.size], [['new'], '20x10']);
    assert.ok(!isMasked(store.state));
    store.fitMask();
    await store.undo();
    assert.deepEqual(store.state.draft, before);
    assert.ok(isMasked(store.state));
  });

  it('puts back what a replaced original held, before what was painted earlier', async () => {
    // Twice the user declines to undo, and once to do it again.
    const undone = [true, null, null, true];
    let change = 0;
    const { store, host, asked } = opened({ inputs: ['a'] }, ({ method }) => {
      if (method === 'undoOriginal') {
        return undone.shift();
      }
      return method === 'replaceOriginal' ? { name: 'photo.png', change: change++ } : {};
    });
    store.paint(fill);
    const result = { task: aStudioTask(), image: aStudioImage(), url: 'picture.png' };
    await perform({ store, host }, 'replaceOriginal', [result]);
    assert.deepEqual([store.acts.last?.label, store.acts.last?.isShown], ['replaced photo.png', true]);
    await store.undo();
    assert.equal(store.state.announcement, 'Undone: replaced photo.png');
    await store.redo();
    await store.undo();
    await store.undo();
    assert.deepEqual([store.state.problem, store.acts.last?.label], [undefined, 'replaced photo.png']);
    await store.undo();
    const replace = { method: 'replaceOriginal', parameters: { task: 'task', index: 0 } };
    const [first, again] = [0, 1].map((one) => ({ method: 'undoOriginal', parameters: { change: one } }));
    assert.deepEqual(asked, [replace, first, replace, again, again, again]);
    assert.equal(store.state.draft.mask.done, 1);
  });

  it('of what was painted shows the mask', async () => {
    const { store } = opened({ inputs: ['a'] });
    store.paint(fill);
    store.updateView({ stage: 'results' });
    await store.undo();
    assert.equal(store.state.draft.view.stage, 'mask');
    store.updateView({ stage: 'results' });
    await store.redo();
    assert.equal(store.state.draft.view.stage, 'mask');
  });

  it('by a key that is held stops before an act that matters', async () => {
    const { store } = opened({ inputs: ['a'] });
    const asked: string[] = [];
    store.done({
      label: 'discarded b.png',
      isShown: true,
      undo: () => void asked.push('b'),
      redo: () => void asked.pop(),
    });
    store.act('removed a.png', { inputs: [] });
    const key = { key: 'z', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false };
    assert.ok(undoByKey(store, { ...key, repeat: false }));
    await setImmediate();
    assert.ok(undoByKey(store, { ...key, repeat: true }));
    await setImmediate();
    assert.deepEqual([store.state.draft.inputs, asked], [['a'], []]);
    assert.ok(undoByKey(store, { ...key, repeat: false }));
    await setImmediate();
    assert.deepEqual(asked, ['b']);
    assert.ok(!undoByKey(store, { ...key, key: 'x', repeat: false }));
  });
});

class Field extends EventTarget {
  readonly type: string;
  constructor(type: string) {
    super();
    this.type = type;
  }
}
class TextArea extends EventTarget {}

/** A page with one act to undo. */
function openPage(userAgent = 'Mozilla/5.0 (X11; Linux x86_64)') {
  const page = new EventTarget();
  Object.defineProperty(globalThis.navigator, 'userAgent', { configurable: true, value: userAgent });
  const { store } = opened({});
  store.act('removed a.png', { inputs: [] });
  const hook = runHook(() => useUndoKeys(store), {
    document: page,
    HTMLInputElement: Field,
    HTMLTextAreaElement: TextArea,
  });
  /** Presses a key. @returns whether it undid the act, kept the browser from it, and kept it from VS Code */
  const press = async (
    target: EventTarget | null,
    key: string,
    held: object = { ctrlKey: true },
  ): Promise<[undone: boolean, isPrevented: boolean, isStopped: boolean]> => {
    const event = Object.assign(new Event('keydown', { cancelable: true, bubbles: true }), {
      key,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      repeat: false,
      ...held,
    });
    Object.defineProperty(event, 'target', { value: target });
    page.dispatchEvent(event);
    await setImmediate();
    const undone = store.acts.last === undefined;
    if (undone) {
      await store.redo();
    }
    return [undone, event.defaultPrevented, event.cancelBubble];
  };
  return { hook, press };
}

describe('the undo keys of the studio', () => {
  it('undo everywhere but in text fields, which have an undo of their own', async () => {
    const { press } = openPage();
    for (const [target, isUsed] of [
      [null, true],
      [new EventTarget(), true],
      [new Field('radio'), true],
      [new Field('checkbox'), true],
      [new Field('range'), true],
      [new Field('text'), false],
      [new Field('number'), false],
      [new TextArea(), false],
    ] as const) {
      assert.deepEqual(await press(target, 'z'), [isUsed, isUsed, isUsed]);
    }
  });

  it('are those of a Mac on a Mac', async () => {
    const { press } = openPage('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)');
    assert.deepEqual(await press(null, 'z'), [false, false, false]);
    assert.deepEqual(await press(null, 'z', { metaKey: true }), [true, true, true]);
  });

  it('are those of the system, in any case, and leave all others', async () => {
    const { press, hook } = openPage();
    assert.deepEqual(await press(null, 'Z'), [true, true, true]);
    for (const [key, held] of [
      ['z', { metaKey: true }],
      ['z', { ctrlKey: true, altKey: true }],
      ['z', {}],
      ['x', { ctrlKey: true }],
    ] as const) {
      assert.deepEqual(await press(null, key, held), [false, false, false], key);
    }
    for (const [key, held] of [
      ['y', { ctrlKey: true }],
      ['Z', { ctrlKey: true, shiftKey: true }],
    ] as const) {
      assert.deepEqual(await press(null, key, held), [false, true, true], 'There is nothing to redo.');
    }
    hook.end();
    assert.deepEqual(await press(null, 'z'), [false, false, false]);
  });
});
