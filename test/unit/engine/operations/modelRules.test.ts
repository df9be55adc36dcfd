import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aTask } from '../../../support/engine/taskBuilders.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import type { ModelEntry } from '../../../../src/service/terms/modelOptions.ts';
import {
  type ModelOrder,
  callStyleOf,
  editCallOf,
  excessOf,
  inUsualSize,
  mayHave,
  maxInputsOf,
  modelPart,
  modelsAt,
  wayOf,
} from '../../../../src/engine/operations/modelRules.ts';

const plain: ModelEntry = { id: 'painter', family: 'image' };

function partOf(model: ModelEntry, order: Partial<ModelOrder> = {}): ReturnType<typeof modelPart> {
  const usual = { kind: 'generate', callStyle: 'auto', size: '', quality: '' } as const;
  return modelPart({ ...usual, way: undefined, finish: undefined, ...order, model });
}

describe('a model at a service', () => {
  const [here, there] = ['https://images.example/v1', 'https://other.example'];
  const models = [
    { id: 'mine', service: 'images.example' },
    { id: 'theirs', service: there },
    { id: 'both', service: there },
    { id: 'both', service: here },
    { id: 'anywhere' },
  ];

  it('may be any, unless only another service is known to have it', () => {
    const had = ['mine', 'both', 'anywhere', 'typed', 'theirs'].filter((id) => mayHave(here, id, models));
    assert.deepEqual(had, ['mine', 'both', 'anywhere', 'typed']);
  });

  it('has the entry that names the service, or else the one that names none', () => {
    const listed = [...models, { id: 'mine' }, { id: 'theirs' }];
    const entries = modelsAt(listed, here).map(({ id, service }) => [id, service]);
    assert.deepEqual(entries, [
      ['mine', 'images.example'],
      ['both', here],
      ['anywhere', undefined],
      ['theirs', undefined],
    ]);
  });

  it('may be one that it was sent, but none that only another service was sent', () => {
    assert.ok(mayHave(here, 'theirs', models, here));
    assert.ok(mayHave(here, 'both', models, there));
    assert.ok(!mayHave(here, 'typed', models, there));
  });
});

describe("the part of a request that a model's entry decides", () => {
  it('has a listed size only where the images are fitted', () => {
    const model: ModelEntry = { ...plain, sizes: ['1024x1024', '1536x1024'] };
    const finish = { size: { width: 1200, height: 630 } };
    assert.equal(partOf(model, { size: '1200x630', finish }).size, '1536x1024');
    assert.equal(partOf(model, { size: '1200x630' }).size, '1200x630');
  });

  it('has a usual size where a small one is wanted, unless a mask binds it to its image', () => {
    const order = (size: string, more: Partial<ModelOrder> = {}): string | undefined => {
      const [width = 0, height = 0] = size.split('x').map(Number);
      return partOf(plain, { size, finish: { size: { width, height } }, ...more }).size;
    };
    assert.deepEqual(
      ['64x64', '20x1000', '3000x20', '512x512', '1200x630'].map((size) => order(size)),
      ['1024x1024', '1024x1536', '1536x1024', '512x512', '1200x630'],
    );
    assert.equal(order('64x64', { isMasked: true }), '64x64');
    assert.equal(partOf(plain, { size: '64x64' }).size, '64x64');
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

  it('is called as the person says, or else as the entry does, or else asynchronously', () => {
    for (const [asked, listed, called] of [
      ['auto', undefined, 'async'],
      ['auto', 'auto', 'async'],
      ['auto', 'sync', 'sync'],
      ['async', 'sync', 'async'],
      ['sync', undefined, 'sync'],
    ] as const) {
      const model: ModelEntry = { ...plain, ...(listed && { callStyle: listed }) };
      for (const kind of ['generate', 'edit'] as const) {
        assert.equal(callStyleOf(model, kind, asked), called);
        assert.equal(partOf(model, { kind, callStyle: asked }).callStyle, called);
      }
    }
  });

  it('has size and quality where they are asked for, and the fields of the entry', () => {
    assert.deepEqual(partOf({ ...plain, extra: { seed: 1 } }, { size: '64x48', quality: 'high' }), {
      model: 'painter',
      family: 'image',
      callStyle: 'async',
      size: '64x48',
      quality: 'high',
      extra: { seed: 1 },
    });
    assert.deepEqual(partOf(plain), { model: 'painter', family: 'image', callStyle: 'async' });
    const transparent = { by: 'key', extra: { seed: 2 } } as const;
    assert.deepEqual(partOf({ ...plain, transparent }, { way: 'key' }).extra, { seed: 2 });
    assert.equal('extra' in partOf({ ...plain, transparent }), false);
  });

  it('is called for an edit to black like any edit', () => {
    const model: ModelEntry = { ...plain, family: 'native', callStyle: 'native' };
    assert.deepEqual(editCallOf(model, 'auto'), { callStyle: 'async', imageField: 'image' });
    const listed: ModelEntry = { ...plain, inputs: { max: 3, field: 'image[]' } };
    assert.deepEqual(editCallOf(listed, 'sync'), { callStyle: 'sync', imageField: 'image[]' });
  });
});

describe('what a model cannot do of an order', () => {
  const order = { n: 1, inputs: 0, hasMask: false };
  const limited: ModelEntry = { ...plain, maxCount: 3, mask: 'none', inputs: { max: 2, field: 'image' } };

  it('is nothing up to its limits, and up to any where it has none', () => {
    assert.equal(excessOf(limited, { n: 3, inputs: 2, hasMask: false }), undefined);
    assert.equal(excessOf(plain, { n: 1000, inputs: 1, hasMask: true }), undefined);
    for (const mask of ['alpha', 'white'] as const) {
      assert.equal(excessOf({ ...limited, mask }, { ...order, hasMask: true }), undefined);
    }
    assert.equal(maxInputsOf(limited), 2);
  });

  it('is what goes beyond them', () => {
    assert.deepEqual(excessOf(limited, { ...order, n: 4 }), { of: 'count', most: 3 });
    assert.deepEqual(excessOf(limited, { ...order, inputs: 3 }), { of: 'inputs', most: 2 });
    assert.deepEqual(excessOf(plain, { ...order, inputs: 2 }), { of: 'inputs', most: 1 });
    assert.deepEqual(excessOf(limited, { ...order, hasMask: true }), { of: 'mask' });
  });
});

function refusedWith(message: string, request: Partial<Task['request']>): Task {
  const error = { code: 'invalid_request', message: '', service: { message } } as const;
  const failed = aTask({ status: 'failed', error });
  return { ...failed, request: { ...failed.request, size: '700x700', ...request } };
}

describe('a request whose size was refused', () => {
  it('is for a usual size, scaled to the wanted one as it was to be, and only if the size was the reason', () => {
    const size = { width: 700, height: 700 };
    const refused = inUsualSize(refusedWith('Invalid size.', {}));
    assert.deepEqual([refused?.size, refused?.finish], ['1024x1024', { fit: { by: 'crop' }, size }]);
    const finish = { fit: { by: 'pad', fill: 'edge' }, size: { width: 90, height: 40 } } as const;
    assert.deepEqual(inUsualSize(refusedWith('size?', { finish }))?.finish, finish);
    assert.equal(inUsualSize(refusedWith('The prompt is too long.', {})), undefined);
    assert.equal(inUsualSize(refusedWith('The file size is too large.', {})), undefined);
    assert.equal(inUsualSize(refusedWith('Invalid size.', { size: '1024x1024' })), undefined);
  });
});

describe('the models of a service', () => {
  it('are those that name it, however they write it, and those that name none', () => {
    const named = (service: string): ModelEntry => ({ ...plain, id: service, service });
    const [one, other] = [named('https://images.example.com/v1/'), named('https://other.example.com')];
    assert.deepEqual(modelsAt([one, plain, other], 'https://images.example.com'), [one, plain]);
  });
});
