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
    store.select(references.slice(1, 2));
    assert.deepEqual([store.state.announcement, store.state.selection], ['1 selected', [references[1]]]);
    store.select([]);
    assert.equal(store.state.announcement, 'None selected');
    store.select(references);
    store.change({ prompt: 'a boat' });
    assert.equal(store.state.selection.length, 4);
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

  it('counts them from two on', async () => {
    for (const [count, said] of [
      [1, 'Deleted picture.png'],
      [2, 'Deleted 2 images'],
      [3, 'Deleted 3 images'],
    ] as const) {
      const { store, host } = opened({});
      await perform({ store, host }, 'discard', results.slice(0, count));
      assert.equal(store.state.announcement, said);
    }
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

describe('an action on one result', () => {
  const [one] = results;
  const reference = { task: 'first', index: 0 };

  it('asks the host for what the result or its task needs', async () => {
    for (const [action, parameters] of [
      ['variations', { task: 'first', count: 4 }],
      ['runAgain', { task: 'first', action: 'runAgain' }],
      ['copyPrompt', { task: 'first' }],
      ['tryOtherWay', reference],
      ['saveAs', reference],
      ['fitToOriginal', reference],
      ['fitToSize', reference],
      ['saveOriginalOutput', reference],
      ['open', reference],
      ['reveal', reference],
      ['compareWithOriginal', reference],
      ['insert', reference],
      ['copyPath', reference],
      ['copyAs', reference],
    ] as const) {
      const { store, host, asked } = opened({});
      assert.ok(one);
      await perform({ store, host }, action, [one]);
      assert.deepEqual(asked, [{ method: action === 'runAgain' ? 'taskAction' : action, parameters }]);
      assert.equal(store.acts.last, undefined);
      assert.equal(store.state.problem, undefined);
    }
  });

  it('is called by the name of the image, and stars it or takes its star', async () => {
    for (const [starred, done, undone] of [
      [false, 'Starred picture.png', 'Undone: starred picture.png'],
      [true, 'Removed the star of picture.png', 'Undone: removed the star of picture.png'],
    ] as const) {
      const { store, host, asked } = opened({});
      const [result] = resultsOf([aStudioTask({ images: [aStudioImage({ starred })] })]);
      assert.ok(result);
      await perform({ store, host }, 'star', [result]);
      assert.equal(store.state.announcement, done);
      await store.undo();
      assert.equal(store.state.announcement, undone);
      await store.redo();
      assert.deepEqual(
        asked.map(({ parameters }) => parameters),
        [!starred, starred, !starred].map((now) => ({ task: 'task', index: 0, starred: now })),
      );
    }
  });

  it('keeps only it as an act with a button, unless there was nothing else', async () => {
    for (const gone of [[reference], []]) {
      const { store, host } = opened({}, ({ method }) => (method === 'keepOnly' ? gone : { path: '' }));
      assert.ok(one);
      await perform({ store, host }, 'keepOnly', [one]);
      assert.equal(store.acts.last?.isShown, gone.length > 0 || undefined);
      assert.equal(store.acts.last?.label, gone.length > 0 ? 'kept only picture.png' : undefined);
    }
  });

  it('copies it as a PNG of its own size, which may come later than the click', async () => {
    const copied: Record<string, Promise<Blob>>[] = [];
    const drawn: unknown[] = [];
    class PageImage {
      src = '';
      crossOrigin = '';
      readonly naturalWidth = 30;
      readonly naturalHeight = 20;
      isDecoded = false;
      decode = async (): Promise<void> => {
        await Promise.resolve();
        this.isDecoded = true;
      };
    }
    Object.defineProperty(globalThis.navigator, 'clipboard', {
      configurable: true,
      value: { write: async (items: Record<string, Promise<Blob>>[]) => void copied.push(...items) },
    });
    Object.assign(globalThis, {
      Image: PageImage,
      ClipboardItem: CopiedItem,
      OffscreenCanvas: class {
        readonly size: readonly number[];
        constructor(...size: number[]) {
          this.size = size;
        }
        getContext() {
          return {
            drawImage: ({ src, crossOrigin, isDecoded }: PageImage, ...place: number[]) =>
              drawn.push(src, crossOrigin, isDecoded, ...place, this.size),
          };
        }
        convertToBlob = async (options: object) => Promise.resolve(new Blob(['png'], options));
      },
    });
    const { store, host, asked } = opened({});
    assert.ok(one);
    await perform({ store, host }, 'copyImage', [one]);
    assert.equal((await copied[0]?.['image/png'])?.type, 'image/png');
    assert.deepEqual(drawn, ['picture.png', 'anonymous', true, 0, 0, [30, 20]]);
    assert.deepEqual([asked, store.state.problem], [[], undefined]);
  });
});

/** What is copied, as it was given. */
function CopiedItem(data: object): object {
  return data;
}
