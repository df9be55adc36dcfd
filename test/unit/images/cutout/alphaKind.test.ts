import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { paint as paintPrompt } from '../../../../src/demo/painter/painter.ts';
import { seededRandom } from '../../../../src/demo/http/random.ts';
import { Codecs, type Pixels } from '../../../../src/images/finish/codecs.ts';
import { alphaKind, hasRealAlpha } from '../../../../src/images/cutout/matte.ts';
import { Layer } from '../../../support/images/cutouts/layer.ts';
import { subjects } from '../../../support/images/cutouts/subjects.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { paint } from '../../../support/images/pictures.ts';

type Grays = readonly [number, number];

/** Pairs of grays by which programs and models show transparency, the darker one first. */
const pairs: readonly [Grays, ...Grays[]] = [
  [204, 255],
  [239, 255],
  [191, 255],
  [153, 204],
  [102, 153],
  [51, 77],
  [24, 36],
];

/** Draws a subject on a checkerboard as models paint it: squares of slightly different size, and not quite flat. */
function onCheckerboard(
  seed: number,
  [width, height]: readonly [number, number],
): { title: string; picture: Pixels; square: number; grays: Grays } {
  const random = seededRandom(seed);
  const grays = random.pick(pairs);
  const square = random.between(6, Math.min(width, height) / 12);
  const [startX, startY] = [random.between(0, 40), random.between(0, 40)];
  const wobble = random.pick([0, 0, square * 0.08]);
  const layer = new Layer(width, height);
  const [kind, draw] = random.pick([['ball', subjects.ball], ...Object.entries(subjects)]);
  draw(layer, random, 120);
  const picture = layer.on((x, y) => {
    const column = Math.floor((x + startX + wobble * Math.sin(y / 23)) / square);
    const row = Math.floor((y + startY + wobble * Math.sin(x / 31)) / square);
    const gray = grays[(column + row) & 1] ?? 0;
    return [gray, gray, gray + random.between(-2, 2)];
  });
  return { title: `${kind} on ${grays.join()} of ${square}, seed ${seed}`, picture, square, grays };
}

/** Returns an image of which so many pixels have an alpha, from one of them on. */
const some = (count: number, alpha: number, from = 0): Pixels =>
  paint(125, 80, (x, y) => {
    const pixel = y * 125 + x - from;
    return [9, 99, 200, pixel >= 0 && pixel < count ? alpha : 255];
  });

/** Returns an image with one clear pixel, whose upper part has an alpha. */
const mixed = (faint: number): Pixels =>
  paint(125, 80, (x, y) => [9, 99, 200, x === 7 && y === 9 ? 0 : y < 10 ? faint : 255]);

describe('the kind of alpha', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  it('is real where some pixels are clear, and not where a few are hardly less than opaque', () => {
    const layer = new Layer(200, 200);
    subjects.disc(layer, seededRandom(1), 120);
    assert.ok(hasRealAlpha(layer.cutOut()));
    assert.deepEqual(alphaKind(layer.cutOut()), { kind: 'alpha' });
    for (const alpha of [255, 254, 251]) {
      const opaque = paint(50, 50, () => [9, 99, 200, alpha]);
      assert.ok(!hasRealAlpha(opaque));
      assert.deepEqual(alphaKind(opaque), { kind: 'opaque' });
    }
    const stray = paint(100, 100, (x, y) => [9, 99, 200, x === 4 && y < 4 ? 0 : 255]);
    assert.deepEqual(alphaKind(stray), { kind: 'opaque' });
  });

  it('is real from a few clear pixels on, wherever they are, and not where all of it is a little faint', () => {
    for (const from of [0, 3333, 10_000 - 40]) {
      assert.ok(hasRealAlpha(some(40, 0, from)));
      assert.ok(hasRealAlpha(some(40, 100, from)));
      assert.ok(!hasRealAlpha(some(10, 0, from)));
      assert.ok(!hasRealAlpha(some(40, 200, from)));
    }
    assert.ok(!hasRealAlpha(some(10_000, 200)));
    assert.ok(hasRealAlpha(some(10_000, 0)));
    // What is nearly opaque counts for nothing, and what is faint only beside something clear.
    assert.ok(hasRealAlpha(mixed(200)));
    assert.ok(!hasRealAlpha(mixed(253)));
  });

  it('is real for rounded corners', () => {
    const rounded = paint(200, 200, (x, y) => {
      const [dx, dy] = [Math.max(20 - x, x - 180, 0), Math.max(20 - y, y - 180, 0)];
      return [80, 80, 200, Math.hypot(dx, dy) > 20 ? 0 : 255];
    });
    assert.ok(hasRealAlpha(rounded));
  });

  it('recognises painted checkerboards, with their squares and grays', async () => {
    const turns = fuzzRuns(12, 150);
    const missed: string[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const size = (
        [
          [320, 320],
          [500, 300],
          [260, 420],
        ] as const
      )[turn % 3] ?? [320, 320];
      const { title, picture, square, grays } = onCheckerboard(4000 + turn, size);
      const quality = [0, 92, 75][turn % 3 === 0 ? 0 : turn % 2 === 0 ? 1 : 2] ?? 0;
      const seen =
        quality === 0
          ? picture
          : await codecs.decode(await codecs.encode(picture, { format: 'jpeg', quality }));
      const found = alphaKind(seen);
      if (found.kind === 'checkerboard') {
        assert.ok(Math.abs(found.square - square) < Math.max(1.5, 0.2 * square), `${title}: ${found.square}`);
        for (const [index, gray] of found.grays.entries()) {
          assert.ok(Math.abs(gray - (grays[index] ?? 0)) < 8, `${title}: ${found.grays.join()}`);
        }
      } else {
        missed.push(`${title}, JPEG ${quality}`);
      }
    }
    // Strong compression may leave nothing of squares of six pixels.
    assert.ok(missed.length <= turns / 100, missed.join('; '));
  });

  it('recognises them in large images', () => {
    const board = paint(2000, 1600, (x, y) => {
      const gray = (Math.floor(x / 50) + Math.floor(y / 50)) % 2 === 0 ? 255 : 204;
      return Math.hypot(x - 1000, y - 800) < 600 ? [180, 40, 60, 255] : [gray, gray, gray, 255];
    });
    assert.deepEqual(alphaKind(board), { kind: 'checkerboard', square: 50, grays: [204, 255] });
  });

  const noise = seededRandom(7);
  for (const [name, levelAt] of Object.entries<(x: number, y: number) => number>({
    'a flat ground': () => 255,
    'a gradient': (x, y) => 120 + (x + y) / 5,
    stripes: (x) => (Math.floor(x / 12) % 2 === 0 ? 255 : 204),
    'stripes across': (_, y) => (Math.floor(y / 12) % 2 === 0 ? 255 : 204),
    'diagonal stripes': (x, y) => (Math.floor((x + y) / 12) % 2 === 0 ? 255 : 204),
    'a chessboard': (x, y) => ((Math.floor(x / 40) + Math.floor(y / 40)) % 2) * 255,
    'a grid of lines': (x, y) => (x % 16 < 2 || y % 16 < 2 ? 204 : 255),
    dots: (x, y) => (Math.hypot((x % 16) - 8, (y % 16) - 8) < 4 ? 204 : 255),
    bricks: (x, y) => ((x + (Math.floor(y / 12) % 2) * 12) % 24 < 2 || y % 12 < 2 ? 150 : 190),
    noise: () => noise.between(195, 235),
    'a frame': (x, y) => (Math.min(x, y, 319 - x, 319 - y) < 12 ? 204 : 255),
  })) {
    it(`takes ${name} for no checkerboard`, () => {
      const pixels = paint(320, 320, (x, y) => {
        const level = levelAt(x, y);
        return Math.hypot(x - 160, y - 160) < 90 ? [30, 90, 160, 255] : [level, level, level, 255];
      });
      assert.deepEqual(alphaKind(pixels), { kind: 'opaque' });
    });
  }

  it('takes no painted scene for a checkerboard', () => {
    for (const prompt of [
      'sea',
      'desert',
      'city at night',
      'grey abstract shapes',
      'white marble',
      'forest in fog',
    ]) {
      const scene = paintPrompt({ prompt, variant: 1, width: 320, height: 240 });
      assert.deepEqual(alphaKind(scene), { kind: 'opaque' }, prompt);
    }
  });

  it('looks at the smallest images', () => {
    for (const [width, height] of [
      [1, 1],
      [3, 1],
      [2, 5],
    ] as const) {
      assert.deepEqual(alphaKind(paint(width, height, (x) => [x & 1 ? 255 : 200, 255, 255, 255])), {
        kind: 'opaque',
      });
    }
  });
});
