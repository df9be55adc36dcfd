import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { cardSize, layOut } from '../../../../src/studio/socialCard/cardLayout.ts';
import { cutTo, isRightToLeft, wrap } from '../../../../src/studio/socialCard/wrap.ts';

/** A letter is a unit wide, as in a font of fixed width. */
const letters = (text: string): number => text.length;
/** Some letters join to narrower ones. */
const joined = (text: string): number => text.replaceAll('ffi', 'f').length;
/** A letter is half as wide as the font is large. */
const half =
  (_: unknown, size: number) =>
  (text: string): number =>
    text.length * size * 0.5;
const measure =
  (_: unknown, size: number) =>
  (text: string): number =>
    text.length * size * 0.55;

describe('a title', () => {
  const wrapped: readonly [text: string, width: number, lines: string[]][] = [
    ['one two three', 100, ['one two three']],
    ['one two three four', 12, ['one two', 'three four']],
    ['one two three', 7, ['one two', 'three']],
    ['state-of-the-art', 10, ['state-of-', 'the-art']],
    ['it costs $5.00, really', 12, ['it costs', '$5.00,', 'really']],
    ['她说“你好，世界”。', 5, ['她说', '“你好，', '世界”。']],
    ['パンの作り方', 4, ['パンの', '作り方']],
    ['Donaudampfschifffahrt', 10, ['Donaudampf', 'schifffahr', 't']],
    ['W ab', 0.5, ['W', 'a', 'b']],
    [' ', 10, []],
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
          assert.equal(lines.join('').replaceAll(/\s/gu, ''), text.replaceAll(/\s/gu, ''));
          for (const line of lines) {
            assert.ok(line.length <= width || Array.from(new Intl.Segmenter().segment(line)).length === 1);
          }
        },
      ),
    );
  });

  it('has lines that are as even as so many lines can be', () => {
    const title = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 2, maxLength: 14 });
    fc.assert(
      fc.property(title, fc.integer({ min: 9, max: 20 }), (words, width) => {
        const lines = wrap(words.join(' '), width, letters);
        assert.equal(lines.join(' '), words.join(' '), 'no word is broken');
        const widest = Math.max(...lines.map(letters));
        // Narrower by one letter, there are more lines, or a word has no room.
        const narrower = wrap(words.join(' '), widest - 1, letters);
        assert.ok(
          lines.length === 1 ||
            narrower.length > lines.length ||
            words.some(({ length }) => length >= widest),
        );
      }),
    );
  });

  it('breaks no word that has room, although a part of it alone has none', () => {
    assert.deepEqual(wrap('an office', 4, joined), ['an', 'office']);
    assert.deepEqual(wrap('offi', 2, joined), ['offi']);
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

  it('is read from right to left by its first letter', () => {
    assert.ok(isRightToLeft('«שלום» world'));
    assert.ok(isRightToLeft('2024: مرحبا'));
    assert.ok(!isRightToLeft('World שלום'));
    assert.ok(!isRightToLeft('2024'));
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

  it('is as large as its longest word has room, to the pixel', () => {
    for (const [length, size] of [
      [25, 72],
      [26, 68],
    ] as const) {
      const title = `A ${'x'.repeat(length)} b`;
      const { lines } = layOut({ title, siteName: '', place: { x: 0, y: 1 } }, half);
      assert.deepEqual([lines[0]?.size, lines.map(({ text }) => text).join(' ')], [size, title]);
    }
  });

  it('needs no title, and no site name', () => {
    const place = { x: 0, y: 1 } as const;
    assert.deepEqual(layOut({ title: ' ', siteName: '', place }, measure).lines, []);
    assert.equal(layOut({ title: '', siteName: 'Bakery', place }, measure).lines.length, 1);
  });

  it('uses the whole width for words in its middle, and leaves a part to the picture beside others', () => {
    assert.ok(widthAt(0.5) > 1000);
    assert.ok(widthAt(0) <= 900 && widthAt(1) <= 900);
  });

  it('has a long site name on one line, with its end left out', () => {
    assert.equal(siteOf('  The \n Bakery '), 'The Bakery');
    const fits = 'x'.repeat(60);
    assert.equal(siteOf(fits), fits);
    assert.equal(siteOf(`${'x'.repeat(58)} and more`), `${'x'.repeat(58)}…`);
  });
});

/** Returns how wide the widest line of a long title is at a place. */
function widthAt(x: 0 | 0.5 | 1): number {
  const { lines } = layOut({ title: 'word '.repeat(200), siteName: '', place: { x, y: 1 } }, measure);
  return Math.max(...lines.map(({ text, kind, size }) => measure(kind, size)(text)));
}

function siteOf(siteName: string): string | undefined {
  return layOut({ title: '', siteName, place: { x: 0, y: 1 } }, measure).lines[0]?.text;
}
