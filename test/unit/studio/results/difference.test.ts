import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import {
  addDifference,
  differenceText,
  markDifference,
  noDifference,
} from '../../../../src/studio/results/compare/difference.ts';

/** Pixels of one gray each, opaque. */
const grays = (...levels: number[]) =>
  Uint8ClampedArray.from(levels.flatMap((level) => [level, level, level, 255]));

/** What is said of 100,000 pixels. */
const all = (changed: number, slight = 0, language = 'en') =>
  differenceText({ all: { pixels: 100_000, changed, slight }, outside: undefined }, language);

/** What is said of 200 pixels, half of them outside the mask. */
const outside = (changed: number, slight = 0, pixels = 100) =>
  differenceText(
    { all: { pixels: 200, changed: 100, slight: 0 }, outside: { pixels, changed, slight } },
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
    );
    assert.deepEqual(difference, { all: { pixels: 5, changed: 2, slight: 2 }, outside: undefined });
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
    assert.deepEqual(difference, { all: { pixels: 24, changed: 6, slight: 0 }, outside: undefined });
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
      });
    }
  });

  void it('are laid over each other in the middle, as large as they fit in the second', async () => {
    for (const [before, after, changed] of [
      [plain(3, 2, white), plain(6, 4, white), 0],
      // Two columns or rows on each side are beside the first.
      [plain(1, 2, white), plain(8, 8, white), 32],
      [plain(20, 10, white), plain(8, 8, white), 32],
    ] as const) {
      const { difference, canvas } = await compared([before, after]);
      assert.equal(difference.all.changed, changed);
      const marks = Array.from({ length: 64 }, (_, at) => (canvas.data[4 * at + 3] ?? 0) > 0);
      const expected = Array.from({ length: 64 }, (_, at) => {
        const place = before.naturalWidth === 1 ? at % 8 : Math.floor(at / 8);
        return place < 2 || place >= 6;
      });
      if (changed > 0) {
        assert.deepEqual(marks, expected);
      }
    }
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
