import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '../../../../../src/demo/random.ts';
import { cutOut } from '../../../../../src/images/codecs/finishing/cutOut.ts';
import { innerGround } from '../../../../../src/images/codecs/finishing/innerGround.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { heldOutSubjects } from '../../../../support/images/cutouts/heldOutSubjects.ts';
import { Layer } from '../../../../support/images/cutouts/layer.ts';
import { subjects } from '../../../../support/images/cutouts/subjects.ts';
import { paint } from '../../../../support/images/pictures.ts';

type Level = (x: number, y: number) => number;

const side = 300;

/** Draws a ball on a background that a clear margin surrounds. */
function inMargin(background: Level | readonly [number, number, number], alphaAt: Level): Pixels {
  return paint(side, side, (x, y) => {
    const alpha = Math.max(0, Math.min(255, Math.round(alphaAt(x, y) * 255)));
    const level = typeof background === 'function' ? background(x, y) : 0;
    const [red, green, blue] = typeof background === 'function' ? [level, level, level] : background;
    return Math.hypot(x - side / 2, y - side / 2) < 70 ? [200, 120, 60, 255] : [red, green, blue, alpha];
  });
}

const board =
  (dark: number, light: number, square: number): Level =>
  (x, y) =>
    (Math.floor(x / square) + Math.floor(y / square)) % 2 === 0 ? dark : light;

/** Margins by what they leave, some of them soft. */
const margins = {
  'a thin margin': (x: number, y: number) => Number(Math.min(x, y, side - 1 - x, side - 1 - y) >= 8),
  'a soft margin': (x: number, y: number) => (Math.min(x, y, side - 1 - x, side - 1 - y) - 4) / 10,
  'round corners': (x: number, y: number) =>
    40 - Math.hypot(Math.max(0, 48 - x, x - side + 49), Math.max(0, 48 - y, y - side + 49)),
};
const circle: Level = (x, y) => 140 - Math.hypot(x - side / 2, y - side / 2);

const verdictOf = async (pixels: Pixels, by: 'alpha' | 'key'): Promise<string> =>
  (await cutOut(pixels, by, undefined)).report.verdict;

describe('a painted checkerboard all around a subject', () => {
  for (const square of [16, 40]) {
    it(`is removed wholly or not at all where a flat color was asked for, in squares of ${square}`, async () => {
      for (const [dark, light] of [
        [102, 153],
        [204, 255],
      ] as const) {
        const { pixels, report } = await cutOut(
          inMargin(board(dark, light, square), () => 1),
          'key',
          undefined,
        );
        const ground = paintedAround(pixels);
        const left = ground.filter((alpha) => alpha > 12).length / ground.length;
        assert.ok(report.verdict === 'bad' || left < 0.03, `${dark}, ${light}: ${left} is left`);
        assert.notEqual(report.verdict, 'good', `${dark}, ${light}`);
      }
    });
  }
});

/** Returns the alpha of every pixel that is well outside of the subject. */
function paintedAround({ rgba }: Pixels): number[] {
  const alphas: number[] = [];
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (Math.hypot(x - side / 2, y - side / 2) > 76) {
        alphas.push(rgba[(y * side + x) * 4 + 3] ?? 0);
      }
    }
  }
  return alphas;
}

describe('a background inside a clear margin', () => {
  for (const [name, alphaAt] of [...Object.entries(margins), ['a circle', circle] as const]) {
    it(`is no transparency where it is a painted checkerboard: ${name}`, async () => {
      for (const by of ['alpha', 'key'] as const) {
        assert.equal(await verdictOf(inMargin(board(204, 255, 14), alphaAt), by), 'bad');
        assert.equal(await verdictOf(inMargin(board(102, 153, 9), alphaAt), by), 'bad');
      }
    });
  }

  for (const [name, alphaAt] of Object.entries(margins)) {
    it(`is removed where a key color was asked for, which is doubtful, since it may be the subject's own: ${name}`, async () => {
      const { pixels, report, isChanged } = await cutOut(inMargin([10, 240, 20], alphaAt), 'key', undefined);
      assert.deepEqual([report.verdict, isChanged], ['doubtful', true]);
      const alphaOf = (x: number, y: number): number | undefined => pixels.rgba[(y * side + x) * 4 + 3];
      assert.deepEqual([alphaOf(2, 2), alphaOf(side / 2, 30), alphaOf(side / 2, side / 2)], [0, 0, 255]);
    });

    it(`is doubtful where it is pale and a key color was asked for: ${name}`, async () => {
      assert.notEqual(await verdictOf(inMargin([250, 250, 250], alphaAt), 'key'), 'good');
    });
  }

  it('is the tile of an icon where none was asked for', async () => {
    for (const name of ['a thin margin', 'round corners'] as const) {
      assert.equal(await verdictOf(inMargin([10, 60, 240], margins[name]), 'alpha'), 'good');
    }
  });

  it('is seen in no subject that is cut out', async () => {
    for (const [name, draw] of Object.entries({ ...subjects, ...heldOutSubjects })) {
      const layer = new Layer(200, 160);
      draw(layer, seededRandom(3), 120);
      const { report } = await cutOut(layer.cutOut(), 'key', undefined);
      const flaws = report.reasons.map(({ text }) => text).join(' ');
      assert.doesNotMatch(flaws, /checkerboard|clear margin/u, name);
    }
  });
});

/** Whether a pixel is in a box that begins at 10, 5. */
const box = (across: number, down: number) => (x: number, y: number) =>
  x >= 10 && x < 10 + across && y >= 5 && y < 5 + down;

describe('what a clear margin surrounds', () => {
  it('is no ground where it is a small part, or where not all four sides of it are filled', () => {
    const [width, height] = [90, 70];
    const seen = (isSeen: (x: number, y: number) => boolean): string | undefined =>
      innerGround(paint(width, height, (x, y) => [0, 200, 40, isSeen(x, y) ? 255 : 0]))?.kind;
    assert.equal(seen(box(60, 45)), 'strong');
    assert.equal(seen(box(70, 25)), 'strong');
    assert.equal(seen(box(25, 60)), undefined);
    assert.equal(seen(box(60, 20)), undefined);
    // Something that has a flat colour itself, and reaches each side somewhere.
    assert.equal(
      seen((x, y) => Math.abs(x - 45) < 6 || Math.abs(y - 35) < 6),
      undefined,
    );
    assert.equal(
      seen((x, y) => box(60, 45)(x, y) && (x + y) % 2 === 0),
      undefined,
    );
    // Sides that are missing but for a corner.
    for (const isGone of [
      (x: number, y: number) => x < 60 && y < 48,
      (x: number, y: number) => x > 12 && y > 7,
    ]) {
      assert.equal(
        seen((x, y) => box(60, 45)(x, y) && !isGone(x, y)),
        undefined,
      );
    }
    // A notch in one side, and round corners, are no matter.
    assert.equal(
      seen((x, y) => box(60, 45)(x, y) && !(x > 25 && x < 45 && y < 9)),
      'strong',
    );
    assert.equal(
      seen(() => false),
      undefined,
    );
    assert.equal(
      seen(() => true),
      'strong',
    );
  });
});
