import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { perform } from '../../../../src/studio/results/actions/perform.ts';
import { actionsOfAll } from '../../../../src/studio/results/actions/resultActions.ts';
import { referenceTo, resultsOf } from '../../../../src/studio/results/model/resultList.ts';
import { rangeTo } from '../../../../src/studio/results/model/selection.ts';
import { opened } from '../openedStore.ts';
import { aStudioImage, aStudioTask } from '../studioTasks.ts';

const results = resultsOf(
  ['first', 'second'].map((id) =>
    aStudioTask({ id, images: [0, 1].map((index) => aStudioImage({ index, starred: id === 'second' })) }),
  ),
);
const references = results.map(referenceTo);

describe('a selection of results', () => {
  it('reaches from where it was begun to another, across tasks, in both directions', () => {
    const [one, two, three, four] = references;
    assert.ok(one && two && three && four);
    assert.deepEqual(rangeTo([two], four, results), [two, three, four]);
    assert.deepEqual(rangeTo([two, three, four], one, results), [two, one]);
    assert.deepEqual(rangeTo([], three, results), [three]);
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
