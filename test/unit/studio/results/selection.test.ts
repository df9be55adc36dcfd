import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { perform } from '../../../../src/studio/results/actions/perform.ts';
import { actionsOfAll } from '../../../../src/studio/results/actions/resultActions.ts';
import { referenceTo, resultsOf } from '../../../../src/studio/results/model/resultList.ts';
import { rangeTo, subjectsOf, toggled } from '../../../../src/studio/results/model/selection.ts';
import { opened } from '../openedStore.ts';
import { aStudioImage, aStudioTask } from '../studioTasks.ts';

const results = resultsOf(
  ['first', 'second'].map((id) =>
    aStudioTask({ id, images: [0, 1].map((index) => aStudioImage({ index, starred: id === 'second' })) }),
  ),
);
const references = results.map(referenceTo);

describe('a selection of results', () => {
  it('takes one more, and gives it up again', () => {
    const [one, two] = references;
    assert.ok(one && two);
    const both = toggled(toggled([], one), two);
    assert.deepEqual(both, [two, one]);
    assert.deepEqual(toggled(both, { ...two }), [one]);
  });

  it('reaches from where it was begun to another, across tasks, in both directions', () => {
    const [one, two, three, four] = references;
    assert.ok(one && two && three && four);
    assert.deepEqual(rangeTo([two], four, results), [two, three, four]);
    assert.deepEqual(rangeTo([two, three, four], one, results), [two, one]);
    assert.deepEqual(rangeTo([], three, results), [three]);
  });

  it('is what an action on one of it acts on; an action on another acts on that alone', () => {
    const [one, two, three] = results;
    assert.ok(one && two && three);
    assert.deepEqual(subjectsOf(two, [one, two]), [one, two]);
    assert.deepEqual(subjectsOf(three, [one, two]), [three]);
  });

  it('offers what can be done with all of it, and says with how many', () => {
    const labelsOf = (...of: typeof results): string[] => actionsOfAll(of).map(({ label }) => label);
    assert.deepEqual(labelsOf(...results), ['Star 4 Images', 'Use 4 Images as Inputs', 'Delete 4 Images']);
    assert.equal(labelsOf(...results.slice(2))[0], 'Remove 2 Stars');
  });

  it('is emptied when other tasks come in the place of these', () => {
    const { store } = opened({ tasks: ['first', 'second'] });
    store.select(references);
    assert.equal(store.state.announcement, '4 selected');
    store.act('new draft', { tasks: [] });
    assert.deepEqual(store.state.selection, []);
  });
});

describe('an action on several results', () => {
  it('discards all of them as one act, which brings all of them back', async () => {
    const { store, host, asked } = opened({});
    await perform({ store, host }, 'discard', results);
    assert.equal(store.state.announcement, 'Deleted 4 images');
    await store.undo();
    await store.redo();
    assert.deepEqual(
      asked,
      ['discard', 'recover', 'discard'].map((method) => ({ method, parameters: { images: references } })),
    );
    assert.equal(store.state.announcement, 'Redone: deleted 4 images');
  });

  it('stars those that have no star, as one act, which leaves the stars of the others', async () => {
    const { store, host, asked } = opened({});
    await perform({ store, host }, 'star', results);
    assert.equal(store.state.announcement, 'Starred 4 images');
    await store.undo();
    assert.deepEqual(
      asked.map(({ parameters }) => parameters),
      [true, false].flatMap((starred) => [0, 1].map((index) => ({ task: 'first', index, starred }))),
    );
    assert.equal(store.acts.last, undefined);
  });
});
