import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comboOf } from '../../../../src/studio/components/keys.ts';
import { Tools, toolsOf } from '../../../../src/studio/mask/tools.ts';
import { opened } from '../openedStore.ts';
import {
  canHaveMask,
  canRedo,
  canUndo,
  doneOf,
  fitted,
  push,
  redone,
  undone,
} from '../../../../src/studio/store/maskHistory.ts';
import type { MaskHistory } from '../../../../src/studio/protocol/maskOperations.ts';

describe('the tools of a mask', () => {
  it('makes the brush larger and smaller in steps, within bounds', () => {
    const tools = new Tools(1200, 1 / 12);
    tools.resize(1);
    assert.equal(tools.state.size, 125);
    tools.set({ size: 2 });
    tools.resize(-1);
    assert.equal(tools.state.size, 1);
    tools.resize(-1);
    assert.equal(tools.state.size, 1);
    tools.resize(1);
    assert.equal(tools.state.size, 2);
    tools.set({ size: 1900 });
    tools.resize(1);
    assert.equal(tools.state.size, 2000);
    for (let press = 0; press < 12; press++) {
      tools.harden(-1);
    }
    assert.equal(tools.state.hardness, 0);
    tools.harden(1);
    assert.equal(tools.state.hardness, 0.1);
    for (let press = 0; press < 12; press++) {
      tools.harden(1);
    }
    assert.equal(tools.state.hardness, 1);
    tools.set({ size: 10 });
    tools.resize(1);
    assert.equal(tools.state.size, 13);
  });
});

describe('the brush', () => {
  it('keeps its size as a part of the image, also of a smaller one and back', () => {
    const tools = new Tools(4096, 1 / 12);
    assert.equal(tools.state.size, 341);
    tools.fit(3);
    assert.equal(tools.state.size, 1);
    tools.fit(200);
    assert.equal(tools.state.size, 17);
    tools.set({ size: 50 });
    tools.fit(400);
    assert.equal(tools.state.size, 100);
    assert.equal(tools.brush, 0.25);
  });

  it('is the same whenever a mask is shown, and as large on the next page', () => {
    const { store, tell } = opened({});
    const tools = toolsOf(store, 240);
    assert.deepEqual(tools.state, { tool: 'brush', mode: 'add', size: 20, hardness: 0.8, tint: 'red' });
    tools.set({ tool: 'lasso' });
    assert.equal(store.state.draft.view.brush, 1 / 12);
    tools.set({ size: 60 });
    assert.equal(store.state.draft.view.brush, 0.25);
    tell({ kind: 'sending', isSending: false });
    assert.equal(toolsOf(store, 480), tools);
    assert.equal(toolsOf(opened({ view: store.state.draft.view }).store, 480).state.size, 120);
  });
});

describe('keys', () => {
  it('have one name with Ctrl and with Cmd, and say Shift only where the sign does not', () => {
    assert.equal(comboOf(event('B')), 'b');
    assert.equal(comboOf(event('Z', ['Control'])), 'mod+z');
    assert.equal(comboOf(event('z', ['Meta', 'Shift'])), 'mod+shift+z');
    assert.equal(comboOf(event('{', ['Shift'])), '{');
    assert.equal(comboOf(event('Delete')), 'delete');
    assert.equal(comboOf(event('b', ['Alt'])), 'alt+b');
    assert.equal(comboOf(event('Delete', ['Shift'])), 'shift+delete');
    assert.equal(comboOf(event('?', ['Shift', 'Alt'])), 'alt+?');
    assert.equal(comboOf(event('Ä', ['Shift', 'AltGraph', 'Alt'])), 'shift+ä');
  });

  it('know a bracket that is typed with AltGr', () => {
    assert.equal(comboOf(event('[', ['Control', 'Alt', 'AltGraph'])), '[');
  });
});

function event(key: string, held: string[] = []): Parameters<typeof comboOf>[0] {
  return {
    key,
    ctrlKey: held.includes('Control'),
    metaKey: held.includes('Meta'),
    altKey: held.includes('Alt'),
    shiftKey: held.includes('Shift'),
    getModifierState: (name: string) => held.includes(name),
  };
}

const none: MaskHistory = { operations: [], done: 0 };
const fill = { kind: 'fill' } as const;
const invert = { kind: 'invert' } as const;
const clear = { kind: 'clear' } as const;
const fox = { id: 'fox', path: 'fox.png', width: 30, height: 20 };
const boat = { id: 'boat', path: 'boat.png', width: 30, height: 20 };

describe('the history of a mask', () => {
  it('undoes and redoes one operation after the other, and stops at both ends', () => {
    const both = push(push(none, fill), invert);
    assert.deepEqual(doneOf(both), [fill, invert]);
    const first = undone(both);
    assert.deepEqual(doneOf(first), [fill]);
    const empty = undone(undone(first));
    assert.deepEqual(doneOf(empty), []);
    assert.deepEqual([canUndo(empty), canRedo(empty)], [false, true]);
    const again = redone(redone(redone(empty)));
    assert.deepEqual(doneOf(again), [fill, invert]);
    assert.deepEqual([canUndo(again), canRedo(again)], [true, false]);
  });

  it('keeps the mask of an image while that is the first, or there is none', () => {
    const painted = push(fitted(none, [fox]), fill);
    assert.equal(fitted(painted, [fox, boat]), painted);
    assert.equal(fitted(painted, []), painted);
  });

  it('takes the mask of an earlier draft, which does not say whose it is, for one of this size', () => {
    const earlier = { ...push(none, fill), size: { width: 30, height: 20 } };
    const taken = fitted(earlier, [fox]);
    assert.deepEqual([doneOf(taken), taken.image], [[fill], { id: 'fox', path: 'fox.png' }]);
    assert.deepEqual(doneOf(fitted(push(none, fill), [fox])), [fill]);
    assert.deepEqual(doneOf(fitted(earlier, [{ ...fox, width: 31 }])), [fill, clear]);
  });

  it('drops the mask of an image that was removed, for another one of whatever size', () => {
    const painted = push(push(fitted(none, [fox]), { kind: 'load', file: 'mask' }), fill);
    for (const other of [boat, { ...boat, width: 31 }]) {
      const dropped = fitted(painted, [other]);
      assert.deepEqual([dropped.operations, dropped.done], [[], 0]);
      assert.equal(fitted(dropped, [other]), dropped);
    }
  });

  it('keeps the mask of a file that has other bytes by now, and is as large', () => {
    const painted = push(fitted(none, [fox]), fill);
    const changed = { ...fox, id: 'changed' };
    const kept = fitted(painted, [changed]);
    assert.deepEqual([doneOf(kept), kept.image], [[fill], { id: 'changed', path: 'fox.png' }]);
    assert.equal(fitted(kept, [changed]), kept);
  });

  it('clears the mask of a file that has another size by now, which can be undone', () => {
    const painted = push(fitted(none, [fox]), fill);
    const changed = { ...fox, id: 'changed', width: 20, height: 30 };
    const cleared = fitted(painted, [changed]);
    assert.deepEqual(doneOf(cleared), [fill, clear]);
    assert.equal(canHaveMask(cleared), false);
    const back = undone(cleared);
    assert.deepEqual(doneOf(back), [fill]);
    assert.equal(fitted(back, [changed]), back);
  });

  it('clears the mask of an image that is not the first any more, which can be undone', () => {
    const painted = push(fitted(none, [fox]), fill);
    const cleared = fitted(painted, [boat, fox]);
    assert.deepEqual(doneOf(cleared), [fill, clear]);
    const back = undone(cleared);
    assert.equal(fitted(back, [boat, fox]), back);
  });
});
