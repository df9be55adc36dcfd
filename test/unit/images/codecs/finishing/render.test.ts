import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeImage } from '../../../../../src/images/codecs/codecSet.ts';
import { render } from '../../../../../src/images/codecs/finishing/render.ts';
import { CodecError, type Pixels } from '../../../../../src/images/codecs/pixels.ts';
import type { Finish } from '../../../../../src/images/formats/finish.ts';
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
    ] as const satisfies [Pixels, Finish, string, object, boolean][]) {
      const found = await rendered(pixels, how, format);
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

  it('are not made of more than can be held at once', async () => {
    const [row, column] = [paint(20_010, 1, () => [1, 2, 3, 255]), paint(1, 20_010, () => [1, 2, 3, 255])];
    assert.match((await refused(row, size(2, 1))) ?? '', /scaled down more than 10000 times/u);
    assert.match((await refused(column, size(1, 2))) ?? '', /scaled down more than 10000 times/u);
    assert.equal(await refused(row, size(3, 1)), undefined);
    assert.equal(await refused(column, size(1, 3)), undefined);
    assert.match((await refused(opaque, size(10_001, 10_000))) ?? '', /^10001 × 10000 pixels are more than/u);
  });
});
