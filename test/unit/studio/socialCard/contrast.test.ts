import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  type Color,
  contrast,
  leastContrast,
  legibleShade,
  luminance,
  parseColor,
  strengthFor,
  worstContrast,
} from '../../../../src/studio/socialCard/contrast.ts';

const value = fc.integer({ min: 0, max: 255 });
const color: fc.Arbitrary<Color> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(value, value, value) },
  { weight: 1, arbitrary: fc.constantFrom<Color>([0, 0, 0], [255, 255, 255]) },
);
const pixelsOf = (colors: readonly Color[]): Uint8ClampedArray =>
  Uint8ClampedArray.from(colors.flatMap((one) => [...one, 255]));
/** Lays a color over another, as a canvas does. */
const under = (shade: Color, strength: number, [red, green, blue]: Color): Color => {
  const mixed = (below: number, above: number): number => Math.round(below + (above - below) * strength);
  return [mixed(red, shade[0]), mixed(green, shade[1]), mixed(blue, shade[2])];
};

describe('contrast', () => {
  it('is that of WCAG 2', () => {
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

  it('of dark colors is that of a linear part of the scale', () => {
    // By the tables of WCAG 2: a channel of 10 gives 0.00304 of its light.
    for (const [text, light] of [
      ['#0a0a0a', 0.00304],
      ['#0a0000', 0.00304 * 0.2126],
      ['#101010', 0.00518],
    ] as const) {
      assert.ok(Math.abs(luminance(parseColor(text)) - light) < 0.00003, text);
    }
  });

  it('takes a color in any case, and black for what is none', () => {
    assert.deepEqual(parseColor('#FF88aa'), [255, 136, 170]);
    for (const wrong of ['', 'red', '#fff', '##ff88aa', '#ff88aa80', 'x#ff88aa']) {
      assert.deepEqual(parseColor(wrong), [0, 0, 0], wrong);
    }
  });

  it('has the wanted shade where that is enough, or else the one of black and white that is', () => {
    const navy = parseColor('#203060');
    assert.deepEqual(legibleShade(parseColor('#ffffff'), navy), navy);
    assert.deepEqual(legibleShade(parseColor('#ffffff'), parseColor('#cccccc')), [0, 0, 0]);
    assert.deepEqual(legibleShade(parseColor('#101010'), navy), [255, 255, 255]);
  });

  it('on pixels is the least on any of them', () => {
    fc.assert(
      fc.property(color, fc.array(color, { minLength: 1 }), fc.array(color), (text, some, others) => {
        const least = Math.min(...[...some, ...others].map((one) => contrast(text, one)));
        const found = worstContrast([pixelsOf(some), pixelsOf(others)], text);
        assert.ok(Math.abs(found - least) < 1e-9);
      }),
    );
  });

  it('is held on every pixel, whatever the colors are', () => {
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(color, color, part, fc.array(color, { minLength: 1 }), (text, wanted, least, pixels) => {
        const shade = legibleShade(text, wanted);
        assert.ok(contrast(text, shade) >= leastContrast);
        const strength = strengthFor([pixelsOf(pixels)], text, shade, least);
        assert.ok(strength >= least && strength <= 1);
        for (const pixel of pixels) {
          assert.ok(contrast(text, under(shade, strength, pixel)) >= leastContrast);
        }
      }),
    );
  });

  it('needs no shade where it is there already, and little more than enough elsewhere', () => {
    const white = parseColor('#ffffff');
    const black = parseColor('#000000');
    assert.equal(strengthFor([pixelsOf([black, [60, 60, 60]])], white, black, 0), 0);
    const strength = strengthFor([pixelsOf([white])], white, black, 0);
    // The lightest gray below white text is 118: 0.5353 of the white are covered then.
    assert.ok(strength > 0.535 && strength < 0.539, String(strength));
    assert.equal(strengthFor([pixelsOf([black])], white, black, 0.3), 0.3);
    // All of a shade that is only just enough, and no more.
    const gray = parseColor('#767676');
    const most = strengthFor([pixelsOf([white])], white, gray, 0.98);
    assert.ok(most >= 0.98 && most <= 1, String(most));
    // Below this text, nothing but black is dark enough.
    assert.equal(strengthFor([pixelsOf([white])], [100, 119, 130], black, 0.9505), 1);
  });
});
