import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placementOf, staysInPlace } from '../../../../../src/images/codecs/finishing/placement.ts';
import { CodecError } from '../../../../../src/images/codecs/pixels.ts';
import type { Part } from '../../../../../src/images/codecs/resize.ts';
import type { Dimensions } from '../../../../../src/images/formats/dimensions.ts';
import { Random } from '../../../../support/random.ts';

interface Draw {
  own: Dimensions;
  subject: Part | undefined;
  size: Dimensions;
  random: Random;
}

/** Draws pictures, subjects in them, and sizes. */
function draws(count: number): Draw[] {
  return Array.from({ length: count }, (_, seed) => {
    const random = new Random(seed);
    const length = (): number => 20 + random.below(300);
    const own = { width: length(), height: length() };
    const [width, height] = [1 + random.below(own.width), 1 + random.below(own.height)];
    const part = {
      left: random.below(own.width - width + 1),
      top: random.below(own.height - height + 1),
      width,
      height,
    };
    return {
      own,
      subject: seed % 2 === 0 ? part : undefined,
      size: { width: length(), height: length() },
      random,
    };
  });
}

const trimmed = { trim: { unit: 'px', margin: 0 } } as const;
const near = (one: number, other: number, slack = 1e-6): boolean => Math.abs(one - other) <= slack;

/** Whether a length is centred in another as well as whole pixels allow it, with the odd one behind it. */
const isCentred = (from: number, length: number, all: number): boolean =>
  from === Math.floor((all - length) / 2);

describe('the place of a picture in the finished one', () => {
  it('is all of it where it crops: the largest part of these proportions, around the focus as near as it goes', () => {
    for (const { own, subject, size, random } of draws(200)) {
      const focus = { x: random.below(101) / 100, y: random.below(101) / 100 };
      const { taken, place, canvas } = placementOf(
        own,
        { ...trimmed, size, fit: { by: 'crop', focus } },
        subject,
      );
      assert.deepEqual([place, canvas], [{ left: 0, top: 0, ...size }, size]);
      const whole = subject ?? { left: 0, top: 0, ...own };
      assert.ok(near(taken.width * size.height, taken.height * size.width, 1e-6 * own.width * size.height));
      assert.ok(near(taken.width, whole.width) || near(taken.height, whole.height));
      for (const [from, length, first, all, centre] of [
        [taken.left, taken.width, whole.left, whole.width, focus.x * own.width],
        [taken.top, taken.height, whole.top, whole.height, focus.y * own.height],
      ] as const) {
        assert.ok(from >= first - 1e-6 && from + length <= first + all + 1e-6);
        const isAtCentre = near(from + length / 2, centre, 1);
        const isTooFar =
          centre < from + length / 2 ? near(from, first, 1) : near(from + length, first + all, 1);
        assert.ok(isAtCentre || isTooFar, JSON.stringify({ own, subject, size, focus, taken }));
      }
    }
  });

  it('is around the middle where no focus was chosen', () => {
    const own = { width: 90, height: 60 };
    for (const how of [
      { size: { width: 30, height: 60 } },
      { size: { width: 30, height: 60 }, fit: { by: 'crop' } },
    ] as const) {
      assert.deepEqual(placementOf(own, how, undefined).taken, { left: 30, top: 0, width: 30, height: 60 });
    }
    assert.deepEqual(placementOf(own, { size: { width: 90, height: 20 } }, undefined).taken, {
      left: 0,
      top: 20,
      width: 90,
      height: 20,
    });
  });

  it('is whole pixels where nothing is scaled, and exact where it is', () => {
    const focus = { x: 0.437, y: 0.519 };
    const own = { width: 91, height: 60 };
    const { taken } = placementOf(
      own,
      { size: { width: 30, height: 60 }, fit: { by: 'crop', focus } },
      undefined,
    );
    assert.deepEqual(taken, { left: 24, top: 0, width: 30, height: 60 });
    const half = placementOf(own, { size: { width: 15, height: 30 }, fit: { by: 'crop', focus } }, undefined);
    assert.ok(near(half.taken.left, 0.437 * 91 - 15));
  });

  it('has the proportions of the picture where it pads, in the middle, as large as it goes', () => {
    for (const { own, subject, size, random } of draws(200)) {
      const margin = random.below(9);
      const fit = { by: 'pad', fill: 'transparent' } as const;
      const how = { trim: { unit: 'px', margin }, size, fit } as const;
      const { taken, place, canvas } = placementOf(own, how, subject);
      const whole = subject ?? { left: 0, top: 0, ...own };
      assert.deepEqual([taken, canvas], [whole, size]);
      // Without a subject, there is nothing to put a margin around.
      const border = subject ? margin : 0;
      const room = { width: size.width - 2 * border, height: size.height - 2 * border };
      assert.ok(place.width <= room.width && place.height <= room.height);
      assert.ok(place.width === room.width || place.height === room.height);
      const scale = Math.min(room.width / whole.width, room.height / whole.height);
      assert.ok(near(place.width, Math.max(1, whole.width * scale), 0.5 + 1e-6));
      assert.ok(near(place.height, Math.max(1, whole.height * scale), 0.5 + 1e-6));
      assert.ok(
        isCentred(place.left, place.width, canvas.width) && isCentred(place.top, place.height, canvas.height),
      );
    }
  });

  it('is all but the margin where it stretches', () => {
    for (const { own, subject, size, random } of draws(60)) {
      const margin = random.below(9);
      const how = { trim: { unit: 'px', margin }, size, fit: { by: 'stretch' } } as const;
      const { taken, place, canvas } = placementOf(own, how, subject);
      const border = subject ? margin : 0;
      assert.deepEqual([taken, canvas], [subject ?? { left: 0, top: 0, ...own }, size]);
      assert.deepEqual(place, {
        left: border,
        top: border,
        width: size.width - 2 * border,
        height: size.height - 2 * border,
      });
    }
  });

  it('grows by the margin where no size was asked for', () => {
    for (const { own, subject } of draws(40)) {
      for (const by of ['crop', 'stretch', 'pad'] as const) {
        const fit = by === 'pad' ? ({ by, fill: 'edge' } as const) : { by };
        const { place, canvas } = placementOf(own, { trim: { unit: 'px', margin: 7 }, fit }, subject);
        const whole = subject ?? { left: 0, top: 0, ...own };
        const border = subject ? 7 : 0;
        assert.deepEqual(canvas, { width: whole.width + 2 * border, height: whole.height + 2 * border });
        assert.deepEqual(place, { left: border, top: border, width: whole.width, height: whole.height });
      }
    }
  });

  it('leaves margins in percent of the finished shorter side', () => {
    for (const { own, subject, size } of draws(200)) {
      if (!subject) {
        continue;
      }
      for (const percent of [0, 5, 12.5, 40]) {
        const trim = { unit: '%', margin: percent } as const;
        const grown = placementOf(own, { trim }, subject);
        const border = grown.place.left;
        assert.equal(grown.place.top, border);
        const shorter = Math.min(grown.canvas.width, grown.canvas.height);
        // Half a pixel more or less changes the finished side, too.
        assert.ok(near(border, (shorter * percent) / 100, 1), `${border} of ${shorter}`);
        const asked = placementOf(own, { trim, size, fit: { by: 'stretch' } }, subject);
        const room = (Math.min(size.width, size.height) * percent) / 100;
        assert.deepEqual([asked.place.left, asked.place.top], [Math.floor(room), Math.floor(room)]);
      }
    }
  });

  it('is padded to multiples without scaling, or scaled to them', () => {
    const own = { width: 50, height: 33 };
    for (const [multiples, canvas] of [
      [16, { width: 64, height: 48 }],
      ['powerOfTwo', { width: 64, height: 64 }],
    ] as const) {
      const padded = placementOf(own, { multiples, fit: { by: 'pad', fill: 'edge' } }, undefined);
      const [left, top] = [7, Math.floor((canvas.height - 33) / 2)];
      assert.deepEqual(padded, {
        taken: { left: 0, top: 0, ...own },
        place: { left, top, ...own },
        canvas,
      });
      const stretched = placementOf(own, { multiples, fit: { by: 'stretch' } }, undefined);
      assert.deepEqual(stretched.place, { left: 0, top: 0, ...canvas });
      const sized = { multiples, size: { width: 20, height: 20 }, fit: { by: 'pad', fill: 'edge' } } as const;
      const { place } = placementOf(own, sized, undefined);
      assert.equal(place.width, 32);
    }
  });

  it('is at least a pixel, and refused where margins leave none', () => {
    const line = placementOf(
      { width: 1000, height: 2 },
      { size: { width: 20, height: 20 }, fit: { by: 'pad', fill: 'edge' } },
      undefined,
    );
    assert.deepEqual(line.place, { left: 0, top: 9, width: 20, height: 1 });
    const column = placementOf(
      { width: 2, height: 1000 },
      { size: { width: 20, height: 20 }, fit: { by: 'pad', fill: 'edge' } },
      undefined,
    );
    assert.deepEqual(column.place, { left: 9, top: 0, width: 1, height: 20 });
    const subject = { left: 3, top: 4, width: 9, height: 8 };
    for (const size of [
      { width: 40, height: 21 },
      { width: 21, height: 40 },
    ]) {
      const own = { width: 30, height: 30 };
      assert.equal(placementOf(own, { trim: { unit: 'px', margin: 10 }, size }, subject).place.left, 10);
      assert.throws(
        () => placementOf(own, { trim: { unit: 'px', margin: 11 }, size }, subject),
        (error) =>
          error instanceof CodecError &&
          error.message.includes(`11 pixels leave no room in ${size.width} × ${size.height} pixels`),
      );
    }
  });

  it('is where it was only if nothing moves and nothing is scaled', () => {
    const own = { width: 30, height: 20 };
    const whole = { left: 0, top: 0, ...own };
    const same = { taken: whole, place: whole, canvas: own };
    assert.ok(staysInPlace(same, own));
    assert.ok(staysInPlace(placementOf(own, {}, undefined), own));
    const part = { left: 3, top: 2, width: 9, height: 8 };
    assert.ok(staysInPlace({ taken: part, place: part, canvas: own }, own));
    for (const placement of [
      { ...same, canvas: { width: 31, height: 20 } },
      { ...same, canvas: { width: 30, height: 21 } },
      { ...same, taken: { ...whole, width: 29 } },
      { ...same, taken: { ...whole, height: 19 } },
      { taken: part, place: { ...part, left: 4 }, canvas: own },
      { taken: part, place: { ...part, top: 4 }, canvas: own },
    ]) {
      assert.ok(!staysInPlace(placement, own), JSON.stringify(placement));
    }
  });
});
