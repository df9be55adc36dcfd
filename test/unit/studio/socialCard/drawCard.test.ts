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

function isAllWhite({ pixels }: CardCanvas): boolean {
  return new Uint32Array(pixels.buffer).every((pixel) => pixel === 0xffffffff);
}

/** Returns how the colors at these heights are, on a column without words. */
function column({ canvas }: { canvas: CardCanvas }, ...heights: number[]): number[] {
  return heights.map((y) => canvas.colorAt(1199, y)[0]);
}

describe('a drawn card', () => {
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

  it('is white where its background is transparent', () => {
    const card = draw({ title: '', siteName: '' }, new CardImage(1200, 630, () => undefined));
    assert.ok(isAllWhite(card.canvas));
  });

  it('has words that can be read on all that their letters touch, and cares for no other pixels', () => {
    const bare = draw({ title: 'Rye', siteName: '', place: { x: 0.5, y: 0.5 } }).canvas.written[0];
    assert.ok(bare);
    const [left, top, right, bottom] = [
      Math.floor(bare.left),
      Math.floor(bare.top),
      Math.ceil(bare.right) - 1,
      Math.ceil(bare.bottom) - 1,
    ];
    const [middle, center] = [Math.round((left + right) / 2), Math.round((top + bottom) / 2)];
    const around = (distance: number): [x: number, y: number][] => [
      [left - distance, center],
      [right + distance, center],
      [middle, top - distance],
      [middle, bottom + distance],
    ];
    // White pixels in the dark.
    const isShadedAt = (...places: [x: number, y: number][]): boolean => {
      const stars = new Set(places.map(([x, y]) => y * 1200 + x));
      const night = new CardImage(1200, 630, (x, y) =>
        stars.has(Math.floor(y * 630) * 1200 + Math.floor(x * 1200)) ? white : [0, 0, 0],
      );
      const { canvas } = draw({ title: 'Rye', siteName: '', place: { x: 0.5, y: 0.5 } }, night);
      return places.some(([x, y]) => canvas.colorAt(x, y)[0] < 255);
    };
    for (const place of around(2)) {
      assert.ok(isShadedAt(place), place.join());
    }
    assert.ok(!isShadedAt(...around(3)));
  });

  it('is shaded a little more until its words can be read as its pixels are', () => {
    const canvas = new CardCanvas();
    canvas.steps = 60;
    const { contrast: found = 0 } = draw({ siteName: '' }, snow, '', canvas);
    assert.ok(found >= leastContrast && found < leastContrast + 0.4, String(found));
    const secret = new CardCanvas();
    secret.isSecret = true;
    const card = draw({ siteName: '', strength: 0.985 }, snow, '', secret);
    assert.ok((card.contrast ?? 21) < leastContrast);
    assert.deepEqual(secret.colorAt(600, 600), [0, 0, 0]);
  });

  it('is nothing but the background without words, however strong the shade is', () => {
    const card = draw({ title: ' ', siteName: '', strength: 1 }, snow);
    assert.deepEqual([card.contrast, card.canvas.written], [undefined, []]);
    assert.ok(isAllWhite(card.canvas));
  });

  it('has no shade where the words can be read anyway', () => {
    const card = draw({ color: '#000000', shade: '#ffffff' }, snow);
    assert.equal(card.contrast, 21);
    assert.ok(isAllWhite(card.canvas));
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

  it('is shaded less and less away from its words, and alike above and below them', () => {
    for (const [title, siteName, y] of [
      ['Rye', '', 0],
      ['Bread that is baked without any wheat from abroad', 'Bakery', 0.5],
      ['Rye', '', 0.5],
      ['Rye', '', 1],
    ] as const) {
      const card = draw({ title, siteName, strength: 1, place: { x: 0, y } }, snow);
      const rows = column(card, ...Array.from({ length: cardSize.height }, (_, row) => row));
      const dark = [rows.indexOf(0), rows.lastIndexOf(0)] as const;
      const [above, below] = [rows.slice(0, dark[0]).toReversed(), rows.slice(dark[1] + 1)];
      for (const side of [above, below]) {
        assert.ok(side.every((value, at) => value >= (side[at - 1] ?? 0)));
      }
      const both = Math.min(above.length, below.length);
      for (let at = 0; at < both; at++) {
        assert.ok(Math.abs((above[at] ?? 0) - (below[at] ?? 0)) <= 3, `${at} rows away`);
      }
      const written = card.canvas.written.flatMap(({ top, bottom }) => [top, bottom]);
      assert.ok(
        dark[0] <= Math.max(0, Math.min(...written) - 20) &&
          dark[1] >= Math.min(629, Math.max(...written) + 20),
      );
    }
  });

  it('says when its shade had to be another one, or its title was cut', () => {
    const card = draw({ color: '#777777', shade: '#888888' }, snow);
    assert.ok(card.isOtherShade);
    assert.ok((card.contrast ?? 0) >= leastContrast);
    assert.ok(draw({ title: 'word '.repeat(300) }).isCut);
  });

  it('is written in its font and color, the title in bold; in the font of the editor where that is known', () => {
    const { canvas } = draw({ font: 'serif', color: '#ffeedd' });
    const [title, site] = [canvas.written[0], canvas.written.at(-1)];
    assert.match(title?.font ?? '', /^700 \d+px Georgia/);
    assert.match(site?.font ?? '', /^500 32px Georgia/);
    assert.deepEqual([site?.text, site?.color, title?.color], ['Bakery', '#ffeedd', '#ffeedd']);
    const fontOf = (font: Card['font'], editor: string): string | undefined =>
      draw({ font }, snow, editor).canvas.written.at(-1)?.font;
    assert.equal(fontOf('editor', 'Fira Code'), '500 32px Fira Code');
    assert.equal(fontOf('editor', ''), '500 32px monospace');
    assert.doesNotMatch(fontOf('sans', 'Fira Code') ?? '', /Fira/);
  });

  it('has Hebrew from right to left, at the side where it begins', () => {
    const { canvas } = draw({ title: 'לחם', place: { x: 1, y: 1 }, siteName: '' });
    assert.equal(canvas.direction, 'rtl');
    assert.ok((canvas.written[0]?.right ?? 0) > 1100);
  });
});
