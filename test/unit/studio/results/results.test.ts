import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { nearest } from '../../../../src/studio/results/nearest.ts';
import {
  actionOfKey,
  actionsOf,
  actionsOfAll,
  keyOf,
  taskActionText,
} from '../../../../src/studio/image/resultActions.ts';
import {
  cellsOf,
  counterpartOf,
  counterpartsOf,
  findResult,
  neighborOf,
  referenceTo,
  resultsOf,
  successorOf,
} from '../../../../src/studio/store/resultList.ts';
import type { StudioImage, StudioTask } from '../../../../src/studio/protocol/state.ts';
import { icons } from '../icons.ts';
import { aStudioImage, aStudioTask } from '../studioTasks.ts';
import { perform } from '../../../../src/studio/image/perform.ts';
import { rangeTo } from '../../../../src/studio/store/selection.ts';
import { opened } from '../openedStore.ts';
import {
  addDifference,
  differenceText,
  markDifference,
  noDifference,
} from '../../../../src/studio/image/difference.ts';

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
    assert.equal(neighborOf(results, third, 1), last);
    assert.equal(neighborOf(results, last, -1), third);
    assert.equal(neighborOf(results, first, -1), undefined);
    assert.equal(neighborOf(results, last, 1), undefined);
    assert.equal(neighborOf(results, first, 1)?.url, 'edit-1.png');
    assert.equal(neighborOf(results.slice(1), first, 1), undefined);
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
    assert.equal(new Set(offered).size, 27);
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
  void it('needs the file of an image, except for more like it, its prompt, and its style', () => {
    const { url: _, ...lost } = aStudioImage({ isOtherSize: true, width: 30, height: 20 });
    const task = { ...edit, originalSize: { width: 20, height: 30 } };
    assert.deepEqual(idsOf(task, lost), ['variations', 'copyPrompt', 'saveAsStyle']);
  });
});

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
    assert.deepEqual(labelsOf(...results), [
      'Star 4 Images',
      'Use 4 Images as Inputs',
      'Save 4 Copies…',
      'Delete 4 Images',
    ]);
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

/** Pixels of one gray each, opaque. */
const grays = (...levels: number[]) =>
  Uint8ClampedArray.from(levels.flatMap((level) => [level, level, level, 255]));

/** What is said of 100,000 pixels. */
const all = (changed: number, slight = 0, language = 'en') =>
  differenceText(
    { all: { pixels: 100_000, changed, slight }, outside: undefined, transparency: 0 },
    language,
  );

/** What is said of 200 pixels, half of them outside the mask. */
const outside = (changed: number, slight = 0, pixels = 100) =>
  differenceText(
    { all: { pixels: 200, changed: 100, slight: 0 }, outside: { pixels, changed, slight }, transparency: 0 },
    'en',
  );

void describe('the difference of two pictures', () => {
  void it('counts what changed, and apart from it what changed slightly', () => {
    const difference = noDifference(false);
    const marks = addDifference(
      difference,
      grays(0, 100, 100, 100, 100),
      grays(0, 101, 107, 108, 255),
      undefined,
      { width: 5, top: 7, least: 8, isCovered: () => true },
    );
    assert.deepEqual(difference, {
      all: { pixels: 5, changed: 2, slight: 2 },
      outside: undefined,
      transparency: 0,
      box: { left: 3, top: 7, right: 4, bottom: 7 },
    });
    assert.match(differenceText(difference, 'en'), / Pixels: 2, within 2 × 1 at 3, 7\.$/);
    const [none, least = 0, slight = 0, change = 0, great = 0] = [0, 1, 2, 3, 4].map((pixel) => {
      assert.deepEqual(
        [...marks.subarray(4 * pixel, 4 * pixel + 3)],
        pixel === 0 ? [0, 0, 0] : [255, 0, 255],
      );
      return marks[4 * pixel + 3];
    });
    assert.equal(none, 0);
    assert.ok(least > 0 && slight === least && change > 2 * slight && great > change);
  });

  void it('is told in words that never round a change away', () => {
    assert.equal(all(0), 'The images are identical.');
    assert.equal(all(1), 'Changed: less than 0.1% of the pixels.');
    assert.equal(all(99_999), 'Changed: 99.9% of the pixels.');
    assert.equal(all(12_345, 50_000), 'Changed: 12.3% of the pixels, and another 50% slightly.');
    assert.equal(
      outside(25, 7),
      'Changed: 50% of the pixels. Outside the mask: 25% changed, and another 7% slightly.',
    );
    // A mask that lets everything change has nothing outside.
    assert.equal(outside(0, 0, 0), 'Changed: 50% of the pixels.');
    assert.equal(all(12_345, 0, 'de'), 'Changed: 12,3% of the pixels.');
  });
});

/** An image of which every pixel has a color. */
class PageImage {
  readonly naturalWidth: number;
  readonly naturalHeight: number;
  readonly colorAt: (x: number, y: number) => readonly number[];

  constructor(width: number, height: number, colorAt: PageImage['colorAt']) {
    this.naturalWidth = width;
    this.naturalHeight = height;
    this.colorAt = colorAt;
  }
}

/** A canvas that scales images by taking the nearest pixel. */
class PageCanvas {
  width: number;
  height: number;
  data = new Uint8ClampedArray();

  constructor(width = 0, height = 0) {
    this.width = width;
    this.height = height;
    this.clearRect(0, 0, width, height);
  }

  getContext(): this {
    return this;
  }

  clearRect(left: number, top: number, width: number, height: number): void {
    assert.deepEqual([left, top, width, height], [0, 0, this.width, this.height]);
    this.data = new Uint8ClampedArray(4 * width * height);
  }

  drawImage(image: PageImage, left: number, top: number, width: number, height: number): void {
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        const across = Math.floor(((x + 0.5 - left) / width) * image.naturalWidth);
        const down = Math.floor(((y + 0.5 - top) / height) * image.naturalHeight);
        if (across >= 0 && across < image.naturalWidth && down >= 0 && down < image.naturalHeight) {
          this.data.set(image.colorAt(across, down), 4 * (y * this.width + x));
        }
      }
    }
  }

  getImageData(left: number, top: number, width: number, height: number): { data: Uint8ClampedArray } {
    assert.deepEqual([left, top, width, height <= this.height], [0, 0, this.width, true]);
    return { data: this.data.slice(0, 4 * width * height) };
  }

  putImageData({ data }: { data: Uint8ClampedArray }, left: number, top: number): void {
    assert.equal(left, 0);
    if (this.data.length === 0) {
      this.data = new Uint8ClampedArray(4 * this.width * this.height);
    }
    this.data.set(data, 4 * top * this.width);
  }
}

const imageElement = v.custom<HTMLImageElement>(() => true);
const canvasElement = v.custom<HTMLCanvasElement>(() => true);

/** Compares two images as the page does. */
async function compared(
  [before, after, mask]: readonly [PageImage, PageImage, PageImage?],
  signal = new AbortController().signal,
  canvas = new PageCanvas(),
  reader: unknown = PageCanvas,
  least?: number,
) {
  Object.assign(globalThis, {
    OffscreenCanvas: reader,
    ImageData: class {
      readonly data: Uint8ClampedArray;
      constructor(data: Uint8ClampedArray) {
        this.data = data;
      }
    },
  });
  const element = (image: PageImage): HTMLImageElement => v.parse(imageElement, image);
  const difference = await markDifference(
    { before: element(before), after: element(after), mask: mask && element(mask) },
    v.parse(canvasElement, canvas),
    signal,
    least,
  );
  return { difference, canvas };
}

void describe('two pictures that are compared', () => {
  const black = [0, 0, 0, 255];
  const white = [255, 255, 255, 255];
  const plain = (width: number, height: number, color = black) => new PageImage(width, height, () => color);

  void it('are marked where they differ, and outside of a mask of any size', async () => {
    const after = new PageImage(6, 4, (x, y) => (x < 2 && y < 3 ? white : black));
    const { difference, canvas } = await compared([plain(6, 4), after]);
    const box = { left: 0, top: 0, right: 1, bottom: 2 };
    assert.deepEqual(difference, {
      all: { pixels: 24, changed: 6, slight: 0 },
      outside: undefined,
      transparency: 0,
      box,
    });
    assert.deepEqual([canvas.width, canvas.height], [6, 4]);
    for (const [at, marked] of [0, 1, 2, 3, 4, 5].flatMap((x) =>
      [0, 1, 2, 3].map((y) => [y * 6 + x, x < 2 && y < 3] as const),
    )) {
      assert.equal((canvas.data[4 * at + 3] ?? 0) > 0, marked, `pixel ${at}`);
    }
    for (const mask of [
      // The left third is edited, by its alpha or its lightness.
      new PageImage(12, 8, (x) => [0, 0, 0, x < 2 ? 0 : 255]),
      new PageImage(12, 8, (x) => (x < 2 ? white : black)),
    ]) {
      assert.deepEqual((await compared([plain(6, 4), after, mask])).difference, {
        all: { pixels: 24, changed: 6, slight: 0 },
        outside: { pixels: 20, changed: 3, slight: 0 },
        transparency: 0,
        box,
      });
    }
  });

  void it('are laid over each other in the middle, as large as they fit in the second', async () => {
    for (const [before, after, changed] of [
      [plain(3, 2, white), plain(6, 4, white), 0],
      // Two columns or rows on each side are beside the first, and don't count.
      [plain(1, 2, black), plain(8, 8, white), 32],
      [plain(20, 10, black), plain(8, 8, white), 32],
    ] as const) {
      const { difference, canvas } = await compared([before, after]);
      assert.equal(difference.all.changed, changed);
      assert.equal(difference.all.pixels, changed || 24);
      const marks = Array.from({ length: 64 }, (_, at) => (canvas.data[4 * at + 3] ?? 0) > 0);
      const expected = Array.from({ length: 64 }, (_, at) => {
        const place = before.naturalWidth === 1 ? at % 8 : Math.floor(at / 8);
        return place >= 2 && place < 6;
      });
      if (changed > 0) {
        assert.deepEqual(marks, expected);
      }
    }
  });

  void it('are told apart by their transparency, from the threshold on', async () => {
    const faint = [0, 0, 0, 245];
    const pair = [plain(6, 4), plain(6, 4, faint)] as const;
    const { difference } = await compared(pair);
    assert.equal(difference.transparency, 24);
    assert.match(differenceText(difference, 'en'), / Pixels with another transparency: 24\.$/);
    const { difference: slight } = await compared(pair, undefined, undefined, undefined, 20);
    assert.deepEqual(slight, {
      all: { pixels: 24, changed: 0, slight: 24 },
      outside: undefined,
      transparency: 0,
    });
  });

  void it('cannot be compared where the browser has no canvas to spare', async () => {
    for (const [after, reads] of [
      [() => null, PageCanvas],
      [
        undefined,
        class {
          getContext = (): null => null;
        },
      ],
    ] as const) {
      const canvas = Object.assign(new PageCanvas(), after && { getContext: after });
      await assert.rejects(
        compared([plain(6, 4), plain(6, 4)], undefined, canvas, reads),
        /can't be compared/,
      );
    }
  });

  void it('are compared in parts when they are large, and the alpha of any part of a mask counts', async () => {
    const [width, height] = [1 << 16, 40];
    const after = new PageImage(width, height, (x, y) => (x < 5 && y % 13 === 3 ? white : black));
    const mask = new PageImage(width, height, (_, y) => [0, 0, 0, y < 39 ? 255 : 0]);
    const { difference, canvas } = await compared([plain(width, height), after, mask]);
    // Rows 3, 16 and 29, and not a row twice.
    assert.deepEqual(difference.all, { pixels: width * height, changed: 15, slight: 0 });
    assert.deepEqual(difference.outside, { pixels: width * 39, changed: 15, slight: 0 });
    for (const y of [3, 16, 29]) {
      assert.ok((canvas.data[4 * y * width + 3] ?? 0) > 0, `row ${y}`);
    }
  });
});
