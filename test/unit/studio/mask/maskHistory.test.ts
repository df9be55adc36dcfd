import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
