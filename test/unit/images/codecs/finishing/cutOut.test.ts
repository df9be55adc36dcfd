import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeImage } from '../../../../../src/images/codecs/codecSet.ts';
import { cutOut, type CutOut } from '../../../../../src/images/codecs/finishing/cutOut.ts';
import { CodecError, type Pixels } from '../../../../../src/images/codecs/pixels.ts';
import type { CutoutWay } from '../../../../../src/images/formats/cutout.ts';
import { Layer } from '../../../../support/images/cutouts/layer.ts';
import { disc, polygon } from '../../../../support/images/cutouts/shapes.ts';
import { paint } from '../../../../support/images/pictures.ts';
import { Random } from '../../../../support/random.ts';

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
  it('is what a key colour surrounds, or what is there already where the model gave transparency', async () => {
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
