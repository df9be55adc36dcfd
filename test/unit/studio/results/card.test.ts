import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import * as fc from 'fast-check';
import { type Card, draft } from '../../../../src/studio/protocol/draft.ts';
import { cardOn, changeCard } from '../../../../src/studio/results/cards.ts';
import { opened } from '../openedStore.ts';
import { aStudioImage, aStudioTask } from '../studioTasks.ts';
import { cutTo, wrap } from '../../../../src/studio/results/wrap.ts';
import { cardSize, layOut } from '../../../../src/studio/results/cardLayout.ts';
import { type Color, contrast, leastContrast, parseColor } from '../../../../src/studio/results/contrast.ts';
import { drawCard, type DrawnCard } from '../../../../src/studio/results/drawCard.ts';
import { canvasContext, CardCanvas, CardImage, imageElement } from './cardCanvas.ts';

const backgroundOf = (id: string, title: string, siteName = ''): Parameters<typeof cardOn>[0] => ({
  task: aStudioTask({ id, socialCard: { page: 'a.md', title, siteName } }),
  image: aStudioImage(),
});

describe('the card on a background', () => {
  it('has the words of its page at first, at the side where they begin', () => {
    const english = cardOn(backgroundOf('1', 'Rye bread', 'Bakery'), []);
    assert.deepEqual(
      [english.title, english.siteName, english.place],
      ['Rye bread', 'Bakery', { x: 0, y: 1 }],
    );
    assert.deepEqual(cardOn(backgroundOf('1', 'לחם'), []).place, { x: 1, y: 1 });
  });

  it('keeps what was changed, and the next one begins with its style and site name, not with its title', () => {
    const { store } = opened({});
    const cards = (): ReturnType<typeof opened>['store']['state']['draft']['view']['cards'] =>
      store.state.draft.view.cards;
    const bread = backgroundOf('1', 'Rye bread');
    changeCard(store, cardOn(bread, cards()), { title: 'Rye', siteName: 'Bakery', font: 'serif' });
    changeCard(store, cardOn(bread, cards()), { color: '#ffeedd', place: { x: 0.5, y: 0 } });
    assert.equal(cards().length, 1);
    const { title, font, color } = cardOn(bread, cards());
    assert.deepEqual([title, font, color], ['Rye', 'serif', '#ffeedd']);
    const next = cardOn(backgroundOf('2', 'Wheat'), cards());
    assert.deepEqual(
      [next.task, next.title, next.siteName, next.font, next.color],
      ['2', 'Wheat', 'Bakery', 'serif', '#ffeedd'],
    );
    assert.deepEqual(next.place, { x: 0.5, y: 0 });
    assert.equal(cardOn(backgroundOf('2', 'Wheat', 'Mill'), cards()).siteName, 'Mill');
    changeCard(store, cardOn(backgroundOf('3', 'Bread'), []), { title: 'לחם' });
    assert.equal(cards().at(-1)?.place.x, 1);
    assert.deepEqual(v.parse(draft, store.state.draft), store.state.draft);
  });

  it('is covered by its shade in part, wholly or not at all', () => {
    const { store } = opened({});
    for (const [strength, isPossible] of [
      [0, true],
      [0.5, true],
      [1, true],
      [1.01, false],
      [-0.01, false],
    ] as const) {
      changeCard(store, cardOn(backgroundOf('1', 'A'), []), { strength });
      assert.equal(v.is(draft, store.state.draft), isPossible, String(strength));
    }
  });

  it('is remembered for so many that the draft stays small', () => {
    const { store } = opened({});
    for (let number = 0; number < 60; number++) {
      const { cards } = store.state.draft.view;
      changeCard(store, cardOn(backgroundOf(String(number), 'A'), cards), { strength: 0.5 });
    }
    const { cards } = store.state.draft.view;
    assert.equal(cards.length, 50);
    assert.equal(cards.at(-1)?.task, '59');
  });
});

/** A letter is a unit wide, as in a font of fixed width. */
const letters = (text: string): number => text.length;
const measure =
  (_: unknown, size: number) =>
  (text: string): number =>
    text.length * size * 0.55;

describe('a title', () => {
  const wrapped: readonly [text: string, width: number, lines: string[]][] = [
    ['one two three four', 12, ['one two', 'three four']],
    ['state-of-the-art', 10, ['state-of-', 'the-art']],
    ['她说“你好，世界”。', 5, ['她说', '“你好，', '世界”。']],
    ['Donaudampfschifffahrt', 10, ['Donaudamp-', 'fschifffa-', 'hrt']],
  ];
  for (const [text, width, lines] of wrapped) {
    it(`is broken where its language breaks lines: ${text}`, () => {
      assert.deepEqual(wrap(text, width, letters), lines);
    });
  }

  it('keeps all of its characters, and no line is too wide', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.integer({ min: 8, max: 40 }),
        (text, width) => {
          const lines = wrap(text, width, letters);
          assert.equal(lines.join('').replaceAll(/[\s-]/gu, ''), text.replaceAll(/[\s-]/gu, ''));
          for (const line of lines) {
            assert.ok(line.length <= width || Array.from(new Intl.Segmenter().segment(line)).length === 1);
          }
        },
      ),
    );
  });

  it('is cut to as many whole letters as have room with dots after them, if any', () => {
    for (const [text, width, cut] of [
      ['Rye bread', 9, 'Rye brea…'],
      ['Rye bread', 5, 'Rye…'],
      ['Rye', 2, 'R…'],
      ['Rye', 0, '…'],
      // A letter of two parts is left out as a whole.
      ['re\u0301sume\u0301', 3, 'r…'],
      ['', 5, '…'],
    ] as const) {
      assert.equal(cutTo(text, width, letters), cut);
    }
  });
});

describe('a card', () => {
  const places = [0, 0.5, 1] as const;
  const words = fc.lorem({ maxCount: 60 });

  it('has its words inside of its edges, below each other, at each of nine places', () => {
    fc.assert(
      fc.property(
        words,
        fc.lorem({ maxCount: 5 }),
        fc.constantFrom(...places),
        fc.constantFrom(...places),
        (title, siteName, x, y) => {
          const { lines, top, bottom } = layOut({ title, siteName, place: { x, y } }, measure);
          assert.ok(top >= 72 && bottom <= cardSize.height - 72 + 1e-9);
          assert.ok(Math.abs(top - 72 - y * (cardSize.height - 144 - (bottom - top))) < 1e-9);
          const titles = lines.filter(({ kind }) => kind === 'title');
          const [first, second] = titles;
          if (first && second) {
            assert.ok(Math.abs(second.y - first.y - 1.2 * first.size) < 1e-9);
          }
          assert.ok(titles.length <= ((first?.size ?? 0) > 64 ? 3 : (first?.size ?? 0) > 48 ? 4 : 5));
          const site = lines.find(({ kind }) => kind === 'siteName');
          const under = titles.at(-1);
          if (site && under) {
            const [end, begin] = [under.y + 0.25 * under.size, site.y - 0.95 * site.size];
            assert.ok(begin > end && begin < end + 24, 'The site name is not right below the title.');
          }
          let last = top;
          for (const { text, size, kind, x: at, y: baseline, align } of lines) {
            const width = measure(kind, size)(text);
            const left = align === 'left' ? at : align === 'right' ? at - width : at - width / 2;
            assert.ok(left >= 72 && left + width <= cardSize.width - 72 + 1e-9);
            assert.equal(at, x === 0 ? 72 : x === 1 ? cardSize.width - 72 : cardSize.width / 2);
            assert.ok(baseline > last && baseline <= bottom);
            last = baseline;
          }
        },
      ),
    );
  });

  it('has a short title large, a long one small, and says when the end of one is left out', () => {
    const sizeOf = (title: string): number | undefined =>
      layOut({ title, siteName: 'Bakery', place: { x: 0, y: 1 } }, measure).lines[0]?.size;
    assert.equal(sizeOf('Rye'), 88);
    assert.ok((sizeOf('A rather long title that needs some more room than usual') ?? 0) < 88);
    // Three lines may be of any size, four of up to 64 pixels, five of up to 48; a sixth word stands beside another.
    for (const [words, size] of [
      [3, 88],
      [4, 64],
      [5, 48],
      [6, 44],
    ] as const) {
      assert.equal(sizeOf(Array.from({ length: words }, () => 'x'.repeat(18)).join(' ')), size, `${words}`);
    }
    const long = layOut({ title: 'word '.repeat(200), siteName: '', place: { x: 0.5, y: 0.5 } }, measure);
    assert.ok(long.isCut);
    assert.ok(long.lines.at(-1)?.text.endsWith('…'));
    assert.equal(long.lines.length, 5);
    const begun = long.lines.map(({ text }) => text).join(' ');
    assert.ok('word '.repeat(200).startsWith(begun.slice(0, -1)) && begun.length > 200, begun);
    assert.ok(!layOut({ title: 'Rye', siteName: '', place: { x: 0, y: 0 } }, measure).isCut);
  });
});

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
