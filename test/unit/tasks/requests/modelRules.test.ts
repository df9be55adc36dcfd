import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ModelEntry } from '../../../../src/service/modelOptions.ts';
import { type ModelOrder, callStyleOf, modelPart, wayOf } from '../../../../src/tasks/requests/modelRules.ts';

const plain: ModelEntry = { id: 'painter', family: 'image' };

function partOf(model: ModelEntry, order: Partial<ModelOrder> = {}): ReturnType<typeof modelPart> {
  const usual = { kind: 'generate', callStyle: 'auto', size: '', quality: '' } as const;
  return modelPart({ ...usual, way: undefined, finish: undefined, ...order, model });
}

describe("the part of a request that a model's entry decides", () => {
  it('has a listed size only where the images are fitted', () => {
    const model: ModelEntry = { ...plain, sizes: ['1024x1024', '1536x1024'] };
    const finish = { size: { width: 1200, height: 630 } };
    assert.equal(partOf(model, { size: '1200x630', finish }).size, '1536x1024');
    assert.equal(partOf(model, { size: '1200x630' }).size, '1200x630');
  });

  it('has neither size nor quality in the second family', () => {
    const part = partOf({ ...plain, family: 'native' }, { size: '64x64', quality: 'high' });
    assert.deepEqual(part, { model: 'painter', family: 'native', callStyle: 'async' });
  });

  it('has the fields for a transparent background only where one is made in that way', () => {
    const transparent = { by: 'alpha', extra: { background: 'transparent' } } as const;
    const model: ModelEntry = { ...plain, extra: { seed: 1 }, transparent };
    assert.deepEqual(partOf(model, { way: 'alpha' }).extra, { seed: 1, background: 'transparent' });
    assert.deepEqual(partOf(model, { way: 'key' }).extra, { seed: 1 });
    assert.deepEqual(partOf(model).extra, { seed: 1 });
    assert.equal('extra' in partOf(plain, { way: 'key' }), false);
  });

  it('names the field of the inputs in edits alone', () => {
    const model: ModelEntry = { ...plain, inputs: { max: 4, field: 'image[]' } };
    assert.equal(partOf(model, { kind: 'edit' }).imageField, 'image[]');
    assert.equal(partOf(plain, { kind: 'edit' }).imageField, 'image');
    assert.equal('imageField' in partOf(model), false);
  });

  it('is called natively only for prompts of the second family', () => {
    const native: ModelEntry = { ...plain, family: 'native', callStyle: 'nativeStream' };
    assert.equal(callStyleOf(native, 'generate', 'auto'), 'nativeStream');
    assert.equal(callStyleOf(native, 'edit', 'auto'), 'async');
    assert.equal(callStyleOf(native, 'generate', 'sync'), 'sync');
    assert.equal(callStyleOf(plain, 'generate', 'native'), 'async');
  });

  it('makes transparent backgrounds out of one color unless it or the person says otherwise', () => {
    const model: ModelEntry = { ...plain, transparent: { by: 'grounds' } };
    const background = 'transparent';
    assert.equal(wayOf({ model }), undefined);
    assert.equal(wayOf({ background, model: plain }), 'key');
    assert.equal(wayOf({ background, model }), 'grounds');
    assert.equal(wayOf({ background, twoGrounds: false, model }), 'key');
    assert.equal(wayOf({ twoGrounds: true, model: plain }), 'grounds');
  });
});
