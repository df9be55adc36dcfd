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
} from '../../../media/studio/mask/history.ts';
import type { MaskHistory } from '../../../src/studio/mask.ts';

const none: MaskHistory = { operations: [], done: 0 };
const fill = { kind: 'fill' } as const;
const invert = { kind: 'invert' } as const;
const clear = { kind: 'clear' } as const;

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

  it('forgets what was undone as soon as something else is done', () => {
    const changed = push(undone(push(push(none, fill), invert)), clear);
    assert.deepEqual(changed.operations, [fill, clear]);
    assert.equal(canRedo(changed), false);
  });

  it('undoes from a place that a damaged draft puts behind the end', () => {
    assert.deepEqual(doneOf(undone({ operations: [fill, invert], done: 9 })), [fill]);
  });

  it('keeps the mask for an image of the same size', () => {
    const painted = push(fitted(none, { width: 30, height: 20 }), fill);
    assert.equal(fitted(painted, { width: 30, height: 20 }), painted);
  });

  it('clears the mask for an image of another size, which can be undone', () => {
    const painted = push(fitted(none, { width: 30, height: 20 }), fill);
    const cleared = fitted(painted, { width: 20, height: 30 });
    assert.deepEqual(doneOf(cleared), [fill, clear]);
    assert.equal(canHaveMask(cleared), false);
    const back = undone(cleared);
    assert.deepEqual(doneOf(back), [fill]);
    assert.equal(fitted(back, { width: 20, height: 30 }), back);
  });

  it('clears nothing where nothing is painted, and nothing of a draft that does not say the size', () => {
    const size = { width: 20, height: 30 };
    assert.deepEqual(fitted({ ...none, size: { width: 1, height: 1 } }, size).operations, []);
    assert.deepEqual(doneOf(fitted(push(none, fill), size)), [fill]);
  });
});
