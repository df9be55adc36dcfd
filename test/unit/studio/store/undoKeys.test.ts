import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useUndoKeys } from '../../../../src/studio/undoKeys.ts';
import { opened } from '../openedStore.ts';
import { runHook } from '../runHook.ts';

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
    await new Promise(setImmediate);
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
