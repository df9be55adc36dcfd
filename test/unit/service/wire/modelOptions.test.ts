import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseModels, parsePrices } from '../../../../src/service/terms/modelOptions.ts';

describe('the models in the settings', () => {
  it('are those without a mistake, and each mistake is named', () => {
    const { models, problems } = parseModels([
      { id: 'one', transparent: { by: 'magic' } },
      { id: 'two', transparent: { by: 'alpha' } },
      { family: 'image' },
      'three',
    ]);
    assert.deepEqual(
      models.map(({ id }) => id),
      ['two'],
    );
    assert.equal(problems.length, 3);
    for (const [index, start] of [
      'Entry 1 of "limner.models" is left out: transparent.by: ',
      'Entry 3 of "limner.models" is left out: id: ',
      'Entry 4 of "limner.models" is left out: value: ',
    ].entries()) {
      assert.ok(problems[index]?.startsWith(start), problems[index]);
    }
  });

  it('are as they were written, with what they leave out', () => {
    const whole = {
      id: 'painter',
      service: 'https://api.example.com/v1',
      label: 'Painter',
      family: 'native',
      callStyle: 'sync',
      sizes: ['1536x1024', 'auto'],
      maxCount: 1,
      inputs: { max: 1, field: 'image[]' },
      mask: 'white',
      extra: { style: { vivid: true } },
      price: { amount: 0, currency: 'USD', variants: { high: 0.25 } },
      transparent: { by: 'grounds', extra: { background: 'transparent' } },
    };
    assert.deepEqual(parseModels([whole]), { models: [whole], problems: [] });
    for (const [part, meant] of [
      [{ inputs: { max: 3 } }, { inputs: { max: 3, field: 'image' } }],
      [{ price: 0 }, { price: 0 }],
      [{ mask: 'alpha' }, { mask: 'alpha' }],
      [{ mask: 'none' }, { mask: 'none' }],
      [{ transparent: { by: 'alpha' } }, { transparent: { by: 'alpha' } }],
      [{ transparent: { by: 'key' } }, { transparent: { by: 'key' } }],
    ] as const) {
      assert.deepEqual(parseModels([{ id: 'one', ...part }]), {
        models: [{ id: 'one', family: 'image', ...meant }],
        problems: [],
      });
    }
  });

  for (const [place, part] of [
    ['id', { id: '' }],
    ['maxCount', { maxCount: 0 }],
    ['maxCount', { maxCount: 1.5 }],
    ['inputs.max', { inputs: { max: 0 } }],
    ['inputs.max', { inputs: { max: 2.5 } }],
    ['inputs.field', { inputs: { max: 2, field: 'picture' } }],
    ['mask', { mask: 'black' }],
    ['family', { family: 'other' }],
    ['callStyle', { callStyle: 'fast' }],
    ['sizes.1', { sizes: ['auto', 5] }],
    ['price', { price: -0.01 }],
    ['price', { price: 'cheap' }],
    ['extra', { extra: 'x' }],
  ] as const) {
    it(`are without one that is wrong in ${place}: ${JSON.stringify(part)}`, () => {
      const { models, problems } = parseModels([{ id: 'one', ...part }, { id: 'two' }], 'the list');
      assert.deepEqual(
        models.map(({ id }) => id),
        ['two'],
      );
      assert.equal(problems.length, 1);
      assert.ok(problems[0]?.startsWith(`Entry 1 of "the list" is left out: ${place}`), problems[0]);
    });
  }

  it('have prices by their IDs', () => {
    const prices = { one: 0.5, two: { amount: 0, variants: { high: 1 } } };
    assert.deepEqual(parsePrices(prices), prices);
    for (const wrong of ['x', { one: -1 }, { one: { amount: 1, variants: { high: -1 } } }]) {
      assert.throws(() => parsePrices(wrong), JSON.stringify(wrong));
    }
  });

  it('are none where they are no list', () => {
    assert.deepEqual(parseModels({}), { models: [], problems: ['"limner.models" isn\'t a list.'] });
  });
});
