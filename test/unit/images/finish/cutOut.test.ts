import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeImage } from '../../../../src/images/codecs/codecSet.ts';
import { cutOut, type CutOut } from '../../../../src/images/finish/cutOut.ts';
import { CodecError, type Pixels } from '../../../../src/images/codecs/pixels.ts';
import type { CutoutWay } from '../../../../src/images/formats/finish.ts';
import { Layer } from '../../../support/images/cutouts/layer.ts';
import { disc, polygon } from '../../../support/images/cutouts/shapes.ts';
import { paint } from '../../../support/images/pictures.ts';
import { Random } from '../../../support/random.ts';
import { seededRandom } from '../../../../src/demo/http/random.ts';
import { innerBackground } from '../../../../src/images/finish/innerBackground.ts';
import { heldOutSubjects } from '../../../support/images/cutouts/heldOutSubjects.ts';
import { subjects } from '../../../support/images/cutouts/subjects.ts';

type Ground = (x: number, y: number) => readonly [number, number, number];

const flat =
  (red: number, green: number, blue: number): Ground =>
  () => [red, green, blue];
const white = flat(255, 255, 255);
const black = flat(0, 0, 0);

const random = new Random(14);
const busy: Ground = () => [random.below(256), random.below(256), random.below(256)];

const board =
  (square: number, levels: readonly [number, number]): Ground =>
  (x, y) => {
    const level = levels[(Math.floor(x / square) + Math.floor(y / square)) & 1] ?? 0;
    return [level, level, level];
  };

/** Draws a subject of which the picture shows so much. */
function drawn(width = 150, height = 110, scale = 1): Layer {
  const layer = new Layer(width * scale, height * scale);
  disc(layer, [width * scale * 0.5, height * scale * 0.45], height * scale * 0.28, [210, 60, 30]);
  const points = [
    [0.3, 0.85],
    [0.5, 0.4],
    [0.68, 0.8],
  ] as const;
  polygon(
    layer,
    points.map(([x, y]) => [x * width * scale, y * height * scale] as const),
    [30, 90, 170],
  );
  return layer;
}

/** Asserts that a picture shows a drawing without its ground. */
function assertCutOut({ rgba }: Pixels, layer: Layer): void {
  for (const [pixel, alpha] of layer.alpha.entries()) {
    const found = rgba[pixel * 4 + 3] ?? 0;
    assert.ok(Math.abs(found - 255 * alpha) < 40, `${found}, not ${255 * alpha}`);
    assert.ok((alpha !== 0 && alpha !== 1) || found === 255 * alpha, `${found}, not ${255 * alpha}`);
  }
}

/** Asserts that nothing came of it, with the same pixels as before, and returns what is told. */
async function refused(pixels: Pixels, by: CutoutWay, onWhite?: Uint8Array): Promise<[string, string]> {
  const before = pixels.rgba.slice();
  const { pixels: left, report, isChanged } = await cutOut(pixels, by, onWhite);
  assert.deepEqual([report.verdict, isChanged, report.reasons.length], ['bad', false, 1]);
  assert.equal(left, pixels);
  assert.deepEqual(left.rgba, before);
  const [reason] = report.reasons;
  return [reason?.flaw ?? '', reason?.text ?? ''];
}

const png = async (pixels: Pixels): Promise<Uint8Array> => encodeImage(pixels, { format: 'png' });

const summary = ({ report, isChanged }: CutOut): unknown => [report.verdict, report.reasons, isChanged];

describe('a subject that is cut out', () => {
  it('is what a key color surrounds, or what is there already where the model gave transparency', async () => {
    const layer = drawn();
    const keyed = layer.on(flat(10, 240, 20));
    const outcome = await cutOut(keyed, 'key', undefined);
    assert.deepEqual(summary(outcome), ['good', [], true]);
    assert.equal(outcome.pixels, keyed);
    assertCutOut(keyed, layer);
    for (const by of ['key', 'alpha'] as const) {
      const clear = layer.cutOut();
      const before = clear.rgba.slice();
      assert.deepEqual(summary(await cutOut(clear, by, undefined)), ['good', [], false]);
      assert.deepEqual(clear.rgba, before);
    }
  });

  it('is none where a ground or transparency is missing, and the picture stays', async () => {
    const layer = drawn();
    for (const [ground, by, flaw, text] of [
      [white, 'alpha', 'opaque', /no transparency/u],
      [flat(10, 240, 20), 'alpha', 'opaque', /no transparency/u],
      [board(9, [204, 255]), 'alpha', 'checkerboard', /painted checkerboard/u],
      [busy, 'key', 'no_ground', /not one flat color/u],
    ] as const) {
      const [found, told] = await refused(layer.on(ground), by);
      assert.equal(found, flaw);
      assert.match(told, text);
    }
  });

  it('is what two pictures show on white and on black, the second one in any size of the same shape', async () => {
    for (const [scale, more] of [
      [1, 0],
      [2, 0],
      [0.5, 0],
      [2, 1],
    ] as const) {
      const layer = drawn();
      const other = drawn(150, 110, scale).on(black);
      const onBlack = more === 0 ? other : paint(301, 220, (x, y) => at(other, x, y));
      const outcome = await cutOut(onBlack, 'grounds', await png(layer.on(white)));
      assert.deepEqual([outcome.report.verdict, outcome.isChanged], ['good', true], `${scale}`);
      assert.deepEqual([outcome.pixels.width, outcome.pixels.height], [150, 110]);
      let sum = 0;
      for (const [pixel, alpha] of layer.alpha.entries()) {
        sum += Math.abs((outcome.pixels.rgba[pixel * 4 + 3] ?? 0) / 255 - alpha);
      }
      assert.ok(sum / layer.alpha.length < (scale === 1 ? 0.001 : 0.01), `${sum / layer.alpha.length}`);
    }
  });

  it('is none where two pictures do not belong together, which is told, and the second one stays', async () => {
    const layer = drawn();
    const onWhite = await png(layer.on(white));
    const other = new Layer(150, 110);
    disc(other, [40, 60], 30, [90, 200, 90]);
    for (const [onBlack, flaw, text] of [
      [drawn(150, 116).on(black), 'size', /differ in size/u],
      [drawn(160, 110).on(black), 'size', /differ in size/u],
      [drawn(110, 150).on(black), 'size', /differ in size/u],
      [layer.on(busy), 'no_ground', /not one flat color/u],
      [layer.on(white), 'same_ground', /did not become black/u],
      [other.on(black), 'subject', /not the same on both/u],
    ] as const) {
      const [found, told] = await refused(onBlack, 'grounds', onWhite);
      assert.equal(found, flaw);
      assert.match(told, text);
    }
    await assert.rejects(
      cutOut(layer.on(black), 'grounds', undefined),
      (error) => error instanceof CodecError && /on white is missing/u.test(error.message),
    );
  });
});

/** Returns a pixel of a picture, or the nearest one beside it. */
function at({ width, rgba }: Pixels, x: number, y: number): [number, number, number, number] {
  const [red = 0, green = 0, blue = 0] = rgba.subarray((y * width + Math.min(x, width - 1)) * 4);
  return [red, green, blue, 255];
}

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

const paintedBoard =
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
          inMargin(paintedBoard(dark, light, square), () => 1),
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
        assert.equal(await verdictOf(inMargin(paintedBoard(204, 255, 14), alphaAt), by), 'bad');
        assert.equal(await verdictOf(inMargin(paintedBoard(102, 153, 9), alphaAt), by), 'bad');
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
      innerBackground(paint(width, height, (x, y) => [0, 200, 40, isSeen(x, y) ? 255 : 0]))?.kind;
    assert.equal(seen(box(60, 45)), 'strong');
    assert.equal(seen(box(70, 25)), 'strong');
    assert.equal(seen(box(25, 60)), undefined);
    assert.equal(seen(box(60, 20)), undefined);
    // Something that has a flat color itself, and reaches each side somewhere.
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
