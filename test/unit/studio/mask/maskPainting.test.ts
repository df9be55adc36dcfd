import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { StrokeGesture } from '../../../../src/studio/mask/gesture.ts';
import {
  blankMask,
  copyRow,
  emptyTile,
  isBlank,
  type MaskPixels,
} from '../../../../src/studio/maskPixels/maskPixels.ts';
import { drawn, type DrawnOperation } from '../../../../src/studio/maskPixels/operation.ts';
import { difference, type LoadMask, Painting } from '../../../../src/studio/maskPixels/painting.ts';
import type { Stroke } from '../../../../src/studio/maskPixels/stroke.ts';
import type { MaskOperation } from '../../../../src/studio/protocol/maskOperations.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { overlayPixels, overlayStyle } from '../../../../src/studio/mask/overlay.ts';

const size = { width: 600, height: 400 };
const noFiles: LoadMask = (file) => Promise.reject(new Error(`${file} is gone`));
const brush = { mode: 'add', size: 50, hardness: 0.6 } as const;

describe('painting a mask', () => {
  it('looks the same when it is drawn again from its operations as when it was painted', async () => {
    const painting = new Painting(size, noFiles);
    const operations: MaskOperation[] = [];
    for (let stroke = 0; stroke < 5; stroke++) {
      operations.push(paint(painting, stroke));
      operations.push({ kind: 'invert' });
      await painting.show(operations);
    }
    const again = new Painting(size, noFiles);
    await again.show(structuredClone(operations));
    assert.ok(isSame(again.mask, painting.mask));
    assert.ok(!isBlank(again.mask));
  });

  it('shows a stroke while it is being painted, and nothing of it when it is taken back', async () => {
    const painting = new Painting(size, noFiles);
    const before = painting.mask;
    const stroke: Stroke = { kind: 'stroke', ...brush, points: [100, 100, 1] };
    painting.begin(stroke);
    assert.deepEqual(painting.extend(), { left: 74, top: 74, right: 126, bottom: 126 });
    assert.equal(painting.extend(), undefined);
    stroke.points.push(200, 100, 1);
    assert.ok(painting.extend());
    assert.ok(!isBlank(painting.mask));
    painting.cancel();
    assert.equal(difference(before, painting.mask), undefined);
    assert.equal(isBlank(painting.mask), true);
  });

  it('undoes and redoes without drawing again', async () => {
    const painting = new Painting(size, noFiles);
    const stroke = paint(painting, 1);
    await painting.show([stroke]);
    const painted = painting.mask;
    await painting.show([]);
    assert.ok(isBlank(painting.mask));
    await painting.show([stroke]);
    assert.ok(painting.mask === painted);
  });

  it('keeps states that share what did not change within its bounds, and comes back to all others', async () => {
    const large = { width: 2048, height: 2048 };
    const painting = new Painting(large, noFiles);
    // Each touches every tile, so that the states share nothing.
    const operations = Array.from({ length: 40 }, (_, index): DrawnOperation => ({
      kind: 'lasso',
      mode: index % 2 === 0 ? 'add' : 'subtract',
      points: [
        [0, 2048 - 50 * index],
        [2048, 50 * index],
        [2048, 150 + 50 * index],
        [0, 2048],
      ],
    }));
    await painting.show(operations);
    const far = operations.slice(0, 7);
    await painting.show(far);
    let expected: MaskPixels = blankMask(large);
    for (const operation of far) {
      expected = drawn(expected, operation);
    }
    assert.ok(isSame(painting.mask, expected));
    assert.ok(painting.keptTiles <= 2048, String(painting.keptTiles));
  });

  it('takes its turn after what was asked before, and is busy for so long', async () => {
    const file = Promise.withResolvers<MaskPixels>();
    const painting = new Painting(size, () => file.promise);
    const load: MaskOperation = { kind: 'load', file: 'mask.png' };
    const first = painting.show([load]);
    const second = painting.show([load, { kind: 'invert' }]);
    assert.equal(painting.isBusy, true);
    file.resolve(drawn(blankMask(size), { kind: 'fill' }));
    await first;
    await second;
    assert.ok(isBlank(painting.mask));
    assert.equal(painting.isBusy, false);
  });

  it('draws only what counts: from the last operation on that replaces all before it', async () => {
    const full = drawn(blankMask(size), { kind: 'fill' });
    const read: string[] = [];
    const painting = new Painting(size, (file) => {
      read.push(file);
      return Promise.resolve(full);
    });
    const dead: MaskOperation = { kind: 'load', file: 'dead' };
    const painted = paint(new Painting(size, noFiles), 1);
    for (const last of [{ kind: 'clear' }, { kind: 'fill' }, { kind: 'load', file: 'good' }] as const) {
      const stroke = structuredClone(painted);
      await painting.show([dead, { kind: 'invert' }, last, stroke]);
      const expected = drawn(last.kind === 'clear' ? blankMask(size) : full, stroke);
      assert.ok(isSame(painting.mask, expected), last.kind);
    }
    assert.deepEqual(read, ['good']);
  });

  it('marks nothing for a mask file that is gone, says so, and shows what is painted after it', async () => {
    const painting = new Painting(size, noFiles);
    const load: MaskOperation = { kind: 'load', file: 'mask.png' };
    await painting.show([{ kind: 'fill' }]);
    assert.equal(painting.isLoadLost, false);
    await painting.show([{ kind: 'fill' }, load]);
    assert.ok(isBlank(painting.mask));
    assert.equal(painting.isLoadLost, true);
    const stroke = paint(painting, 1);
    await painting.show([{ kind: 'fill' }, load, stroke]);
    assert.ok(isSame(painting.mask, drawn(blankMask(size), stroke)));
    assert.equal(painting.isLoadLost, true);
    const again = new Painting(size, noFiles);
    await again.show(structuredClone([{ kind: 'fill' }, load, stroke]));
    assert.ok(isSame(again.mask, painting.mask));
  });

  it('shows a mask file that is there again, when it draws again what it had forgotten', async () => {
    const large = (): MaskPixels => ({
      ...blankMask(size),
      tiles: Array.from({ length: 1000 }, () => new Uint8Array(1)),
    });
    const files = new Map(['1', '2', '3', '4'].map((file) => [file, large()]));
    const painting = new Painting(size, async (file) => files.get(file) ?? noFiles(file, size));
    const loads = ['back', ...files.keys()].map((file): MaskOperation => ({ kind: 'load', file }));
    const first = loads.slice(0, 1);
    await painting.show(first);
    assert.deepEqual([isBlank(painting.mask), painting.isLoadLost], [true, true]);
    for (const load of loads.slice(1)) {
      await painting.show([load]);
    }
    files.set('back', drawn(blankMask(size), { kind: 'fill' }));
    await painting.show(first);
    assert.deepEqual([isBlank(painting.mask), painting.isLoadLost], [false, false]);
  });
});

/** Paints as a hand would: many places, drawn as they come. */
function paint(painting: Painting, seed: number): Stroke {
  const gesture = new StrokeGesture(brush, placeAt(seed, 0));
  painting.begin(gesture.operation);
  for (let step = 1; step < 200; step++) {
    gesture.moveTo(placeAt(seed, step));
    painting.extend();
  }
  gesture.end();
  painting.finish();
  return gesture.operation;
}

function placeAt(seed: number, step: number): { x: number; y: number; pressure: number } {
  const angle = seed + step / 30;
  return {
    x: 300 + 250 * Math.cos(angle),
    y: 200 + 170 * Math.sin(1.7 * angle),
    pressure: 0.4 + 0.6 * Math.abs(Math.sin(step / 20)),
  };
}

function isSame(one: MaskPixels, other: MaskPixels): boolean {
  return one.tiles.every((tile, index) => Buffer.compare(tile, other.tiles[index] ?? emptyTile) === 0);
}

const shownSize = { width: 900, height: 700 };
const style = overlayStyle([200, 20, 10], [0.6, 0.4]);
const mask = drawn(
  drawn(blankMask(shownSize), {
    kind: 'stroke',
    mode: 'add',
    size: 240,
    hardness: 0.4,
    points: [200, 200, 1, 640, 420, 1],
  }),
  { kind: 'rectangle', mode: 'add', from: [500, 40], to: [860, 200] },
);

describe('how a mask is seen', () => {
  it('is on each pixel of the screen what four places of the mask say that it covers', () => {
    const small = drawn(
      drawn(blankMask({ width: 300, height: 270 }), {
        kind: 'rectangle',
        mode: 'add',
        from: [0, 0],
        to: [280, 40],
      }),
      { kind: 'stroke', mode: 'add', size: 90, hardness: 0.2, points: [250, 100, 1, 60, 260, 1] },
    );
    // Three of its four tiles are full.
    const holed = drawn(drawn(blankMask({ width: 300, height: 270 }), { kind: 'fill' }), {
      kind: 'rectangle',
      mode: 'subtract',
      from: [20, 30],
      to: [90.5, 77],
    });
    const masks = [small, holed].map((shown) => ({ shown, rows: rowsOf(shown) }));
    const near = fc.double({ min: -60, max: 60, noNaN: true });
    const scale = fc.double({ min: 0.2, max: 6, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...masks), scale, near, near, ({ shown, rows }, scale, x, y) => {
        const area = { left: 3, top: 7, right: 83, bottom: 57 };
        const pixels = new Uint32Array(overlayPixels(shown, { scale, x, y }, area, style).buffer);
        assert.equal(pixels.length, 80 * 50);
        const sumAt = (across: number, down: number): number =>
          [0.25, 0.75].reduce((sum, part) => {
            const row = rows[Math.floor((down + part - y) / scale)];
            return [0.25, 0.75].reduce(
              (inRow, other) => inRow + (row?.[Math.floor((across + other - x) / scale)] ?? 0),
              sum,
            );
          }, 0);
        const isInside = (across: number, down: number): boolean => sumAt(across, down) >= 510;
        for (let down = area.top; down < area.bottom; down++) {
          for (let across = area.left; across < area.right; across++) {
            const pixel = pixels[(down - area.top) * 80 + across - area.left] ?? 0;
            const inside = isInside(across, down);
            const isEdge = inside !== isInside(across - 1, down) || inside !== isInside(across, down - 1);
            const isBlack = (Math.floor(across / 4) + Math.floor(down / 4)) % 2 === 0;
            const strength = Math.floor((across + down) / 6) % 2 === 0 ? 0.6 : 0.4;
            const alpha = Math.round(Math.round(sumAt(across, down) / 4) * strength);
            const expected = isEdge ? (isBlack ? 0 : 0xffffff) : 0x0a14c8;
            const found = [pixel >>> 24, pixel & 0xffffff];
            const what = `${across}, ${down} at ${scale}`;
            assert.equal(found[0], isEdge ? 255 : alpha, what);
            assert.ok(found[0] === 0 || found[1] === expected, what);
          }
        }
      }),
      { numRuns: fuzzRuns(6, 40) },
    );
  });
});

/** Returns the rows of a mask, a byte for each pixel. */
function rowsOf(of: typeof mask): Uint8Array[] {
  return Array.from({ length: of.height }, (_, y) => {
    const row = new Uint8Array(of.width);
    copyRow(of, y, row);
    return row;
  });
}
