import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { draft, emptyDraft } from '../../../../src/studio/protocol/draft.ts';
import { maskHistory, maskOperation } from '../../../../src/studio/protocol/maskOperations.ts';
import { requestParameters } from '../../../../src/studio/protocol/messages.ts';

describe('the draft of a studio that nobody has used', () => {
  it('can be stored, and changes nothing of what is made', () => {
    assert.deepEqual(v.parse(draft, emptyDraft), emptyDraft);
    const { fit, transparent, trim, multiples, count, mask, keepOutside } = emptyDraft;
    assert.deepEqual([fit, transparent, trim, multiples, count], ['off', false, '', '', 1]);
    assert.deepEqual([mask.done, keepOutside], [0, true]);
  });
});

describe('a draft', () => {
  it('is taken only within its bounds', () => {
    const { view } = emptyDraft;
    const style = { font: 'sans', color: '#ffffff', shade: '#000000', strength: 0.5 };
    const card = { task: 'a', index: 0, title: '', siteName: '', ...style };
    const cardAt = (x: number) => ({ view: { ...view, cards: [{ ...card, place: { x, y: x } }] } });
    for (const [changes, isTaken] of [
      [{ count: 1 }, true],
      [{ count: 100 }, true],
      [{ count: 0 }, false],
      [{ count: 101 }, false],
      [{ count: 1.5 }, false],
      [{ view: { ...view, brush: 0 } }, true],
      [{ view: { ...view, brush: -0.1 } }, false],
      [{ mask: { operations: [], done: -1 } }, false],
      [cardAt(0), true],
      [cardAt(0.5), true],
      [cardAt(1), true],
      [cardAt(0.25), false],
      [cardAt(1.5), false],
    ] as const) {
      assert.equal(v.is(draft, { ...emptyDraft, ...changes }), isTaken, JSON.stringify(changes));
    }
  });

  it('has a mask of operations that can be drawn', () => {
    const stroke = { kind: 'stroke', mode: 'add', size: 1, hardness: 0, points: [1, 2, 1] };
    for (const [operation, isTaken] of [
      [stroke, true],
      [{ ...stroke, size: 10_000, hardness: 1, mode: 'subtract' }, true],
      [{ ...stroke, size: 0.5 }, false],
      [{ ...stroke, size: 10_001 }, false],
      [{ ...stroke, hardness: -0.1 }, false],
      [{ ...stroke, hardness: 1.1 }, false],
      [{ ...stroke, points: [1, Infinity, 1] }, false],
      [{ kind: 'rectangle', mode: 'add', from: [0, 0], to: [1, 1] }, true],
      [{ kind: 'lasso', mode: 'add', points: [[0, 0]] }, true],
      [{ kind: 'invert' }, true],
      [{ kind: 'clear' }, true],
      [{ kind: 'fill' }, true],
      [{ kind: 'load', file: 'a.png' }, true],
      [{ kind: 'load' }, false],
      [{ kind: 'blur' }, false],
    ] as const) {
      assert.equal(v.is(maskOperation, operation), isTaken, JSON.stringify(operation));
    }
    assert.ok(v.is(maskHistory, { operations: [], done: 0 }));
  });
});

describe('a request of the studio', () => {
  it('may be about the first of all, and never about what is not counted', () => {
    const filter = emptyDraft.view.history;
    for (const [number, isTaken] of [
      [0, true],
      [7, true],
      [-1, false],
      [0.5, false],
    ] as const) {
      for (const [method, parameters] of [
        ['open', { task: 'a', index: number }],
        ['fixTask', { task: 'a', errorAction: number }],
        ['undoOriginal', { change: number }],
        ['history', { filter, offset: number, limit: 1 }],
        ['runErrorAction', { failure: 1, errorAction: number }],
      ] as const) {
        assert.equal(v.is(requestParameters[method], parameters), isTaken, `${method} ${number}`);
      }
    }
  });
});
