import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import type { Card } from '../../../../src/studio/protocol/draft.ts';
import { cardSize } from '../../../../src/studio/socialCard/cardLayout.ts';
import {
  type Color,
  contrast,
  leastContrast,
  parseColor,
} from '../../../../src/studio/socialCard/contrast.ts';
import { drawCard, type DrawnCard } from '../../../../src/studio/socialCard/drawCard.ts';
import { CardCanvas, CardImage, canvasContext, imageElement } from './cardCanvas.ts';

const white: Color = [255, 255, 255];
const plain: Card = {
  task: 'task',
  index: 0,
  title: 'Rye bread, and how to bake it at home',
  siteName: 'Bakery',
  font: 'sans',
  color: '#ffffff',
  shade: '#000000',
  strength: 0,
  place: { x: 0, y: 1 },
};
/** Red grows to the right, green to the bottom. */
const slopes = new CardImage(800, 900, (x, y) => [255 * x, 255 * y, 90]);

const snow = new CardImage(1200, 630, () => white);

function draw(
  changes: Partial<Card>,
  image = slopes,
  editorFont = '',
  canvas = new CardCanvas(),
): DrawnCard & { canvas: CardCanvas } {
  const [context, background] = [v.parse(canvasContext, canvas), v.parse(imageElement, image)];
  return { ...drawCard(context, background, { ...plain, ...changes }, editorFont), canvas };
}

/** Returns how the colors at these heights are, on a column without words. */
function column({ canvas }: { canvas: CardCanvas }, ...heights: number[]): number[] {
  return heights.map((y) => canvas.colorAt(1199, y)[0]);
}

describe('a drawn card', () => {
  it('reckons with the contrast of WCAG 2', () => {
    for (const [one, other, expected] of [
      ['#ffffff', '#000000', 21],
      ['#767676', '#ffffff', 4.54],
      ['#0000ff', '#ffffff', 8.59],
      ['#ff8800', '#ffffff', 2.39],
    ] as const) {
      assert.ok(Math.abs(contrast(parseColor(one), parseColor(other)) - expected) < 0.01, one);
      assert.equal(
        contrast(parseColor(one), parseColor(other)),
        contrast(parseColor(other), parseColor(one)),
      );
    }
  });

  it('has words that can be read on every pixel behind them, and little more shade than that needs', () => {
    for (const [x, y, color, shade] of [
      [0, 0, '#ffffff', '#203060'],
      [1, 0.5, '#ffffff', '#203060'],
      [0.5, 1, '#101030', '#ffeedd'],
    ] as const) {
      const card = draw({ place: { x, y }, color, shade });
      const found = card.canvas.written.flatMap(({ left, right, top, bottom }) => {
        assert.ok(left >= 0 && right <= cardSize.width && top >= 0 && bottom <= cardSize.height);
        return [left, right - 1].flatMap((across) =>
          [top, bottom - 1].map((down) =>
            contrast(card.canvas.colorAt(Math.round(across), Math.round(down)), parseColor(color)),
          ),
        );
      });
      assert.ok(found.length >= 8);
      const least = Math.min(...found);
      assert.ok(card.contrast !== undefined && card.contrast >= leastContrast);
      assert.ok(least >= card.contrast && card.contrast < leastContrast + 0.4, `${least} ${card.contrast}`);
      assert.ok(!card.isOtherShade && !card.isCut);
    }
  });

  it('shows the middle of its background, all over', () => {
    const { canvas } = draw({ title: '', siteName: '' });
    const near = (x: number, y: number): Color => canvas.colorAt(x, y);
    // 800 × 900 is as wide as the card at 1200 × 1350, of which 360 are above it.
    assert.deepEqual(near(0, 0), [0, 68, 90]);
    assert.deepEqual(near(1199, 629), [255, 187, 90]);
    const wide = draw({ title: '', siteName: '' }, new CardImage(2400, 600, (x) => [255 * x, 0, 90]));
    // 2400 × 600 is as high as the card at 2520 × 630, of which 660 are left of it.
    assert.deepEqual(wide.canvas.colorAt(0, 0), [67, 0, 90]);
    assert.deepEqual(wide.canvas.colorAt(1199, 629), [188, 0, 90]);
    assert.equal(canvas.imageSmoothingQuality, 'high');
  });

  it('is shaded fully behind its words and to the edge that they are at, and leaves the rest to the picture', () => {
    const top = draw({ place: { x: 0, y: 0 }, strength: 1 }, snow);
    assert.deepEqual(column(top, 0, 100, 629), [0, 0, 255]);
    const bottom = draw({ place: { x: 0, y: 1 }, strength: 1 }, snow);
    assert.deepEqual(column(bottom, 0, 600, 629), [255, 0, 0]);
    const middle = draw({ place: { x: 0, y: 0.5 }, strength: 1, title: 'Rye' }, snow);
    const [begin = 0, above = 0, within, below = 0, end = 0] = column(middle, 0, 140, 315, 489, 629);
    assert.equal(within, 0);
    assert.ok(begin > above && above > 0 && Math.abs(above - below) < 8 && Math.abs(begin - end) < 8);
    const half = draw({ strength: 0.9 }, snow);
    assert.ok(Math.abs((column(half, 629)[0] ?? 0) - 25) <= 1);
    for (const card of [top, bottom, middle, half]) {
      const rows = column(card, ...Array.from({ length: 629 }, (_, y) => y));
      assert.ok(
        rows.every((value, y) => Math.abs(value - (rows[y - 1] ?? value)) <= 3),
        'It has an edge.',
      );
    }
  });

  it('says when its shade had to be another one, or its title was cut', () => {
    const card = draw({ color: '#777777', shade: '#888888' }, snow);
    assert.ok(card.isOtherShade);
    assert.ok((card.contrast ?? 0) >= leastContrast);
    assert.ok(draw({ title: 'word '.repeat(300) }).isCut);
  });

  it('has Hebrew from right to left, at the side where it begins', () => {
    const { canvas } = draw({ title: 'לחם', place: { x: 1, y: 1 }, siteName: '' });
    assert.equal(canvas.direction, 'rtl');
    assert.ok((canvas.written[0]?.right ?? 0) > 1100);
  });
});
