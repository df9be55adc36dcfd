import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearest } from '../../../../src/studio/results/grid/nearest.ts';
import {
  actionOfKey,
  actionsOf,
  actionsOfAll,
  keyOf,
  taskActionText,
} from '../../../../src/studio/results/actions/resultActions.ts';
import {
  cellsOf,
  counterpartOf,
  counterpartsOf,
  findResult,
  neighbourOf,
  resultsOf,
  successorOf,
} from '../../../../src/studio/results/model/resultList.ts';
import type { StudioImage, StudioTask } from '../../../../src/studio/protocol/state.ts';
import { icons } from '../icons.ts';
import { aStudioImage, aStudioTask } from '../studioTasks.ts';

const edit = aStudioTask({
  id: 'edit',
  kind: 'edit',
  hasOriginal: true,
  originalUrl: 'original.png',
  images: [0, 1, 2].map((index) => aStudioImage({ index, url: `edit-${index}.png` })),
});
const fox = aStudioTask({ id: 'fox' });
const { url: _, ...withoutFile } = aStudioImage({ index: 1 });

const idsOf = (task: StudioTask, image: StudioImage) => actionsOf(task, image, []).map(({ id }) => id);

const placesOf = (task: StudioTask) => cellsOf(task).map((image) => image?.index);

const tile = (column: number, row: number) => ({
  left: column * 100,
  right: column * 100 + 90,
  top: row * 100,
  bottom: row * 100 + 90,
});

void describe('results of a piece of work', () => {
  const results = resultsOf([edit, aStudioTask({ id: 'empty', images: [withoutFile] }), fox]);

  void it('are the pictures that are files, one after the other', () => {
    assert.deepEqual(
      results.map(({ url }) => url),
      ['edit-0.png', 'edit-1.png', 'edit-2.png', 'picture.png'],
    );
  });

  void it('follow each other across tasks, and end at both ends', () => {
    const [first, , third, last] = results;
    assert.ok(first && third && last);
    assert.equal(neighbourOf(results, third, 1), last);
    assert.equal(neighbourOf(results, last, -1), third);
    assert.equal(neighbourOf(results, first, -1), undefined);
    assert.equal(neighbourOf(results, last, 1), undefined);
    assert.equal(neighbourOf(results, first, 1)?.url, 'edit-1.png');
    assert.equal(neighbourOf(results.slice(1), first, 1), undefined);
  });

  void it('give way to the next that is left, or else to the one before', () => {
    const after = (...gone: number[]) => results.filter((_, at) => !gone.includes(at));
    assert.equal(successorOf(results, { task: 'edit', index: 1 }, after(1, 2))?.url, 'picture.png');
    assert.equal(successorOf(results, { task: 'fox', index: 0 }, after(2, 3))?.url, 'edit-1.png');
    assert.equal(successorOf(results, { task: 'fox', index: 0 }, []), undefined);
    assert.equal(successorOf(results, { task: 'other', index: 0 }, results), undefined);
    assert.equal(successorOf(results, { task: 'edit', index: 0 }, after(0))?.url, 'edit-1.png');
  });

  void it('are compared with the original first, and never with themselves', () => {
    const one = findResult(results, { task: 'edit', index: 1 });
    assert.ok(one);
    const counterparts = counterpartsOf(results, one);
    assert.deepEqual(
      counterparts.map(({ url }) => url),
      ['original.png', 'edit-0.png', 'edit-2.png', 'picture.png'],
    );
    assert.equal(counterpartOf(counterparts, null)?.url, 'original.png');
    assert.equal(counterpartOf(counterparts, { task: 'fox', index: 0 }), counterparts[3]);
    // One that was discarded meanwhile.
    assert.equal(counterpartOf(counterparts, { task: 'gone', index: 0 }), counterparts[0]);
    const [painted] = resultsOf([fox]);
    assert.ok(painted);
    assert.equal(counterpartsOf(results, painted).length, 3);
  });
});

void describe('the places of a task that runs', () => {
  const images = [0, 2].map((index) => aStudioImage({ index }));
  const running = aStudioTask({ standing: 'running', count: 4, images });

  void it('are one for each image, whether it is here or still to come', () => {
    assert.deepEqual(placesOf(running), [0, undefined, 2, undefined]);
    // Some services make more than they were asked for.
    assert.deepEqual(placesOf({ ...running, count: 1 }), [0, undefined, 2]);
  });

  void it('are none for an image that was discarded', () => {
    const { url: _, ...gone } = aStudioImage({ index: 1, isDiscarded: true });
    assert.deepEqual(placesOf({ ...running, images: [...images, gone] }), [0, 2, undefined]);
  });
});

void describe('what can be done with a result', () => {
  void it('has a label and an icon that there is', () => {
    const all = aStudioImage({
      isOtherSize: true,
      outputUrl: 'output.png',
      cutout: { verdict: 'good', reasons: [] },
      width: 30,
      height: 20,
    });
    const actions = [
      'stop',
      'cancel',
      'tryNow',
      'resume',
      'runAgain',
      'runSynchronously',
      'saveAgain',
      'fetchAgain',
      'finishAgain',
      'remove',
    ] as const;
    const task = { ...edit, actions: [...actions], originalSize: { width: 20, height: 30 } };
    for (const { label, icon } of [
      ...[true, false].flatMap((starred) => actionsOfAll([{ image: { ...all, starred } }])),
      ...actionsOf(task, all, []),
      ...actionsOf(task, { ...all, starred: true, replacesOriginal: true }, []),
      ...actions.map(taskActionText),
    ]) {
      assert.ok(label !== '' && icons.has(icon), `${label}: ${icon}`);
    }
    const offered = [all, { ...all, replacesOriginal: true as const }].flatMap((image) => idsOf(task, image));
    assert.equal(new Set(offered).size, 21);
  });

  void it('is to keep it when there are others, and to replace what was edited', () => {
    const [image] = edit.images;
    assert.ok(image);
    const actions = idsOf(edit, image);
    assert.ok(actions.includes('keepOnly') && actions.includes('replaceOriginal'));
    assert.ok(!actions.includes('restoreOriginal'));
    const ofReplacing = idsOf(edit, { ...image, replacesOriginal: true });
    assert.ok(ofReplacing.includes('restoreOriginal') && !ofReplacing.includes('replaceOriginal'));
    const ofFox = idsOf(fox, aStudioImage());
    assert.ok(!ofFox.includes('keepOnly') && !ofFox.includes('replaceOriginal'));
    const withLost = aStudioTask({ images: [aStudioImage(), withoutFile] });
    assert.ok(!idsOf(withLost, aStudioImage()).includes('keepOnly'));
    const pair = aStudioTask({ images: [aStudioImage(), aStudioImage({ index: 1 })] });
    assert.ok(idsOf(pair, aStudioImage()).includes('keepOnly'));
    assert.ok(
      !ofFox.includes('fitToSize') && !ofFox.includes('saveOriginalOutput') && !ofFox.includes('runAgain'),
    );
  });

  void it('is to fit it to the original, unless it has that size or was asked to have it', () => {
    const originalSize = { width: 200, height: 150 };
    const image = aStudioImage({ width: 1024, height: 1024 });
    const isOffered = (task: Partial<StudioTask>, of = image): boolean =>
      idsOf(aStudioTask({ kind: 'edit', ...task }), of).includes('fitToOriginal');
    assert.ok(isOffered({ originalSize }));
    assert.ok(isOffered({ originalSize, size: '1024x1024' }));
    assert.ok(!isOffered({ originalSize, size: '200x150' }));
    assert.ok(!isOffered({ originalSize }, aStudioImage(originalSize)));
    assert.ok(isOffered({ originalSize }, aStudioImage({ width: 200, height: 100 })));
    assert.ok(isOffered({ originalSize }, aStudioImage({ width: 100, height: 150 })));
    for (const unknown of [{}, { width: 1024 }, { height: 1024 }]) {
      assert.ok(!isOffered({ originalSize }, { ...aStudioImage(), ...unknown }));
    }
    assert.ok(!isOffered({}));
  });
});

void describe('a key on an image', () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

  void it('does the same with Caps Lock', () => {
    for (const [key, action] of [
      ['x', 'discard'],
      ['X', 'discard'],
      ['Delete', 'discard'],
      ['p', 'star'],
      ['P', 'star'],
      ['Enter', undefined],
    ] as const) {
      assert.equal(actionOfKey({ ...none, key }), action, key);
    }
  });

  void it('is the one that menus show', () => {
    for (const action of ['star', 'discard'] as const) {
      assert.equal(actionOfKey({ ...none, key: keyOf(action) ?? '' }), action);
    }
    assert.equal(keyOf('saveAs'), undefined);
  });
});

void describe('arrow keys among tiles', () => {
  // Three, then two, then three.
  const tiles = [
    tile(0, 0),
    tile(1, 0),
    tile(2, 0),
    tile(0, 1),
    tile(1, 1),
    tile(0, 2),
    tile(1, 2),
    tile(2, 2),
  ];

  void it('go along the line and from line to line', () => {
    assert.equal(nearest(tiles, 2, 'ArrowRight'), 3);
    assert.equal(nearest(tiles, 1, 'ArrowDown'), 4);
    assert.equal(nearest(tiles, 2, 'ArrowDown'), 4);
    assert.equal(nearest(tiles, 6, 'ArrowUp'), 4);
    assert.equal(nearest(tiles, 4, 'End'), 7);
    assert.equal(nearest(tiles, 4, 'Home'), 0);
    assert.equal(nearest(tiles, 6, 'ArrowRight'), 7);
    assert.equal(nearest(tiles, 3, 'ArrowLeft'), 2);
    assert.equal(nearest(tiles, 1, 'ArrowLeft'), 0);
    assert.equal(nearest(tiles, 1, 'Enter'), undefined);
  });
});

void describe('what can be done with a result', () => {
  void it('needs the file of an image, except for more like it and its prompt', () => {
    const { url: _, ...lost } = aStudioImage({ isOtherSize: true, width: 30, height: 20 });
    const task = { ...edit, originalSize: { width: 20, height: 30 } };
    assert.deepEqual(idsOf(task, lost), ['variations', 'copyPrompt']);
  });
});
