import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeImage } from '../../../../../src/images/codecs/codecSet.ts';
import { render } from '../../../../../src/images/codecs/finishing/render.ts';
import { CodecError, type Pixels } from '../../../../../src/images/codecs/pixels.ts';
import type { Finish } from '../../../../../src/images/formats/finish.ts';
import { pngChunk } from '../../../../support/images/pngFile.ts';
import { withPngChunks } from '../../../../support/images/specialFiles.ts';
import { Random } from '../../../../support/random.ts';
import { assertPixels, type Colour, colourAt, paint } from '../../../../support/images/pictures.ts';

type Rendered = Awaited<ReturnType<typeof render>>;

async function rendered(pixels: Pixels, how: Finish, format: 'png' | 'jpeg' = 'png'): Promise<Rendered> {
  return render(await encodeImage(pixels, { format: 'png' }), how, format, undefined);
}

const opaque = paint(24, 17, (x, y) => [x * 9, y * 13, 40, 255]);
const clear = paint(24, 17, () => [9, 9, 9, 0]);
/** A box that is half-transparent, and begins at 5, 3. */
const glass = paint(24, 17, (x, y): Colour => [200, 90, 40, x >= 5 && x < 15 && y >= 3 && y < 9 ? 128 : 0]);
const trim = { unit: 'px', margin: 0 } as const;

const pad = (fill: 'transparent' | 'edge' | '#102030'): Finish => ({
  size: { width: 30, height: 17 },
  fit: { by: 'pad', fill },
});

/** Whether a pixel is in that box, with a margin of two pixels around it. */
const isInside = (x: number, y: number): boolean => x >= 2 && x < 12 && y >= 2 && y < 8;

const size = (width: number, height: number): Finish => ({
  size: { width, height },
  fit: { by: 'stretch' },
});

const refused = async (pixels: Pixels, how: Finish): Promise<string | undefined> => {
  try {
    await rendered(pixels, how);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof CodecError);
    return error.message;
  }
};

/** Encodes something solid on a grey ground. */
const solidOn = (grey: number): Promise<Uint8Array> => {
  const picture = paint(60, 40, (x, y) =>
    Math.hypot(x - 30, y - 20) < 14 ? [220, 90, 40, 255] : [grey, grey, grey, 255],
  );
  return encodeImage(picture, { format: 'png' });
};

describe('the pixels of a finished picture', () => {
  it('come with what had to be done to them', async () => {
    for (const [pixels, how, format, facts, isChanged] of [
      [opaque, { trim }, 'png', { untrimmed: 'opaque' }, false],
      [clear, { trim }, 'png', { untrimmed: 'empty' }, false],
      [glass, { trim }, 'png', {}, true],
      [opaque, { size: { width: 24, height: 17 } }, 'png', {}, false],
      [opaque, { size: { width: 48, height: 34 } }, 'png', { scaled: 'up' }, true],
      [opaque, { size: { width: 12, height: 8 } }, 'png', { scaled: 'down' }, true],
      [opaque, { size: { width: 24, height: 10 }, fit: { by: 'stretch' } }, 'png', { scaled: 'down' }, true],
      [opaque, { size: { width: 10, height: 17 }, fit: { by: 'stretch' } }, 'png', { scaled: 'down' }, true],
      [opaque, { size: { width: 24, height: 30 }, fit: { by: 'stretch' } }, 'png', { scaled: 'up' }, true],
      [opaque, pad('transparent'), 'png', {}, true],
      [opaque, pad('transparent'), 'jpeg', { flattened: '#ffffff' }, true],
      [opaque, pad('edge'), 'jpeg', {}, true],
      [opaque, pad('#102030'), 'jpeg', {}, true],
      [opaque, {}, 'jpeg', {}, false],
      [glass, {}, 'jpeg', { flattened: '#ffffff' }, true],
      [glass, {}, 'png', {}, false],
      [glass, pad('#102030'), 'jpeg', {}, true],
      [opaque, size(25, 17), 'png', { scaled: 'up' }, true],
      [opaque, size(24, 18), 'png', { scaled: 'up' }, true],
      [opaque, size(23, 17), 'png', { scaled: 'down' }, true],
      [opaque, size(24, 16), 'png', { scaled: 'down' }, true],
      [opaque, { size: { width: 24, height: 17 }, fit: { by: 'pad', fill: '#102030' } }, 'png', {}, false],
    ] as const satisfies [Pixels, Finish, string, object, boolean][]) {
      const found = await rendered(pixels, how, format);
      if (how.size) {
        const { width, height } = found.pixels;
        assert.deepEqual({ width, height }, how.size);
      }
      assert.deepEqual([found.facts, found.isChanged], [facts, isChanged], JSON.stringify({ how, format }));
    }
  });

  it('are those of the subject, with what was asked for around and behind it', async () => {
    const { pixels } = await rendered(glass, {
      trim: { unit: 'px', margin: 2 },
      fit: { by: 'pad', fill: '#102030' },
    });
    assertPixels(
      pixels,
      paint(14, 10, (x, y) => (isInside(x, y) ? [108, 61, 44, 255] : [16, 32, 48, 255])),
      1,
    );
    const around = await rendered(
      glass,
      { trim: { unit: 'px', margin: 2 }, fit: { by: 'pad', fill: 'transparent' } },
      'jpeg',
    );
    assert.deepEqual(colourAt(around.pixels, 0, 0), [255, 255, 255, 255]);
    const cropped = await rendered(opaque, { size: { width: 10, height: 17 } });
    assertPixels(
      cropped.pixels,
      paint(10, 17, (x, y) => [(x + 7) * 9, y * 13, 40, 255]),
    );
  });

  it('go on as they end, or as what is behind them, where nothing else was asked for', async () => {
    const framed = paint(24, 17, (x, y): Colour => {
      const isHole = x > 8 && x < 14 && y > 4 && y < 10;
      return [30, 60, 120, isHole ? 0 : 255];
    });
    for (const format of ['png', 'jpeg'] as const) {
      const { pixels } = await rendered(framed, pad('edge'), format);
      for (const x of [0, 1, 28, 29]) {
        assert.deepEqual(colourAt(pixels, x, 8), [30, 60, 120, 255]);
      }
      assert.deepEqual(colourAt(pixels, 14, 7)[3], format === 'png' ? 0 : 255);
      const trimmed = await rendered(glass, { trim: { unit: 'px', margin: 2 } }, format);
      assert.deepEqual(
        colourAt(trimmed.pixels, 0, 0),
        format === 'png' ? [0, 0, 0, 0] : [255, 255, 255, 255],
      );
    }
  });

  it('are cut out where that is asked for, or stay where nothing good comes of it', async () => {
    const random = new Random(5);
    const busy = paint(60, 44, () => [random.below(256), random.below(256), random.below(256), 255]);
    const keyed = paint(60, 44, (x, y) =>
      Math.hypot(x - 30, y - 22) < 14 ? [220, 90, 40, 255] : [10, 240, 20, 255],
    );
    const flat = paint(60, 44, () => [10, 240, 20, 255]);
    const cutout = { by: 'key' } as const;
    for (const format of ['png', 'jpeg'] as const) {
      const { facts, pixels, isChanged } = await rendered(keyed, { cutout }, format);
      assert.deepEqual(facts, {
        cutout: { verdict: 'good', reasons: [] },
        ...(format === 'jpeg' && { flattened: '#ffffff' }),
      });
      assert.ok(isChanged);
      assert.deepEqual(colourAt(pixels, 2, 2), format === 'png' ? [0, 0, 0, 0] : [255, 255, 255, 255]);
      assert.deepEqual(colourAt(pixels, 30, 22), [220, 90, 40, 255]);
    }
    for (const picture of [busy, flat]) {
      const found = await rendered(picture, { cutout });
      assert.deepEqual([found.facts.cutout?.verdict, found.isChanged], ['bad', false]);
      assertPixels(found.pixels, picture);
      const onColour = await rendered(picture, { cutout, fit: { by: 'pad', fill: '#102030' } });
      assert.equal(onColour.facts.flattened, undefined);
    }
    const onColour = await rendered(keyed, { cutout, fit: { by: 'pad', fill: '#102030' } });
    assert.equal(onColour.facts.flattened, '#102030');
    assert.deepEqual(colourAt(onColour.pixels, 2, 2), [16, 32, 48, 255]);
  });

  it('are those of the picture on white, which tells what its colors mean, where there are two', async () => {
    const [onWhite, onBlack] = [await solidOn(255), await solidOn(0)];
    const gamma = Buffer.alloc(4);
    gamma.writeUInt32BE(100_000);
    const other = withPngChunks(onWhite, pngChunk('gAMA', gamma));
    for (const [white, verdict] of [
      [onWhite, 'good'],
      [other, 'doubtful'],
    ] as const) {
      const { facts, pixels, source, isChanged } = await render(
        onBlack,
        { cutout: { by: 'grounds' } },
        'png',
        white,
      );
      assert.deepEqual([facts.cutout?.verdict, source === white, isChanged], [verdict, true, true]);
      assert.deepEqual(
        facts.cutout?.reasons.map(({ flaw }) => flaw),
        verdict === 'good' ? [] : ['mismatch'],
      );
      assert.deepEqual(colourAt(pixels, 30, 20), [220, 90, 40, 255]);
      assert.equal(colourAt(pixels, 3, 3)[3], 0);
    }
    // Where nothing is cut out by two pictures, the first one is what is shown.
    for (const [bytes, by, white] of [
      [onBlack, 'grounds', onBlack],
      [await solidOn(120), 'key', onWhite],
    ] as const) {
      const found = await render(bytes, { cutout: { by } }, 'png', white);
      assert.equal(found.source, bytes);
    }
  });

  it('are not made of more than can be held at once', async () => {
    const [row, column] = [paint(20_010, 1, () => [1, 2, 3, 255]), paint(1, 20_010, () => [1, 2, 3, 255])];
    assert.match((await refused(row, size(2, 1))) ?? '', /scaled down more than 10000 times/u);
    assert.match((await refused(column, size(1, 2))) ?? '', /scaled down more than 10000 times/u);
    assert.equal(await refused(row, size(3, 1)), undefined);
    assert.equal(await refused(column, size(1, 3)), undefined);
    assert.match((await refused(opaque, size(10_001, 10_000))) ?? '', /^10001 × 10000 pixels are more than/u);
  });
});
