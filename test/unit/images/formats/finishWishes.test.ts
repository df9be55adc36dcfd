import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finishProblem } from '../../../../src/images/formats/finish.ts';
import { finishIfAsked, finishOf, nearestSize } from '../../../../src/images/formats/finishWishes.ts';

describe('a finishing step made of wishes', () => {
  it('is none where nobody asked for a format, a size or a margin', () => {
    for (const wishes of [
      {},
      { fit: 'off', size: '100x50' },
      { fit: 'crop', size: '' },
      { fit: 'pad', fill: '#ffffff' },
    ] as const) {
      assert.equal(finishIfAsked(wishes), undefined, JSON.stringify(wishes));
    }
  });

  it('holds what was asked for, and nothing else', () => {
    assert.deepEqual(finishIfAsked({ fit: 'crop', size: '1200x630', focus: { x: 0, y: 1 }, fill: 'edge' }), {
      size: { width: 1200, height: 630 },
      fit: { by: 'crop', focus: { x: 0, y: 1 } },
    });
    assert.deepEqual(finishIfAsked({ fit: 'pad', size: '9x9', fill: 'edge', multiples: 16 }), {
      size: { width: 9, height: 9 },
      multiples: 16,
      fit: { by: 'pad', fill: 'edge' },
    });
    assert.deepEqual(finishIfAsked({ fit: 'off', size: '9x9', encoding: { format: 'webp', quality: 80 } }), {
      encoding: { format: 'webp', quality: 80 },
    });
  });

  it('is known to be invalid where the size or the fill is', () => {
    for (const wishes of [
      { size: '12' },
      { size: '0x5' },
      { size: 'axb' },
      { size: '1200x630x5' },
      { fit: 'pad', fill: 'red' },
    ] as const) {
      assert.notEqual(finishProblem(finishOf(wishes)), undefined, JSON.stringify(wishes));
    }
  });
});

describe('the size to ask a model for', () => {
  const sizes = ['1024x1024', '1536x1024', '1024x1536', '512x512'];
  for (const [wanted, asked] of [
    ['1024x1024', '1024x1024'],
    ['1200x630', '1536x1024'],
    ['630x1200', '1024x1536'],
    ['64x64', '512x512'],
    ['600x600', '1024x1024'],
    ['4000x4000', '1024x1024'],
    ['1500x1000', '1536x1024'],
  ] as const) {
    it(`is ${asked} for ${wanted}`, () => {
      assert.equal(nearestSize(wanted, sizes), asked);
      assert.equal(nearestSize(wanted, sizes.toReversed()), asked);
    });
  }

  it('is the wanted one where nobody knows what the model has', () => {
    assert.equal(nearestSize('1200x630', []), '1200x630');
    assert.equal(nearestSize('1200x630', ['large', '0x0']), '1200x630');
  });
});
