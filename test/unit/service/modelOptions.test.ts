import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseModels } from '../../../src/service/modelOptions.ts';

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

  it('stay where they have properties that there are not, which are named', () => {
    const { models, problems } = parseModels([{ id: 'one', background: 'alpha' }]);
    assert.deepEqual(models, [{ id: 'one', family: 'image' }]);
    assert.deepEqual(problems, [
      'Entry 1 of "limner.models": "background" is ignored: there is no such property.',
    ]);
  });

  it('are none where they are no list', () => {
    assert.deepEqual(parseModels({}), { models: [], problems: ['"limner.models" isn\'t a list.'] });
  });
});
