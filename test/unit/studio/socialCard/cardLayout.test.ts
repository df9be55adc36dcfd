import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { cardSize, layOut } from '../../../../src/studio/socialCard/cardLayout.ts';

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
