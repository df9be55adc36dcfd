/** Red, green and blue, from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

/** Contrast that text must have to be read by people with low vision, by WCAG 2, level AA. */
export const leastContrast = 4.5;

/** How much of the light of each channel is seen. */
const weights = [0.2126, 0.7152, 0.0722] as const;
/** Light of each value of a channel, from 0 to 1. */
const lights = Float64Array.from({ length: 256 }, (_, value) => {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
});
const black: Color = [0, 0, 0];
const white: Color = [255, 255, 255];

/** Parses `#ff8800`; black for anything else. */
export function parseColor(text: string): Color {
  const [, red = '0', green = '0', blue = '0'] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/iu.exec(text) ?? [];
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

/** Returns the relative luminance of a color, from 0 to 1, as WCAG 2 has it. */
function luminance(color: Color): number {
  return color.reduce((sum, value, channel) => sum + (lights[value] ?? 0) * (weights[channel] ?? 0), 0);
}

/** Returns the contrast of two colors, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  return ratio(luminance(one), luminance(other));
}

/**
 * Returns the least contrast that a color has on any of the pixels.
 *
 * @param areas RGBA, opaque
 */
export function worstContrast(areas: readonly Uint8ClampedArray[], text: Color): number {
  return worstUnder(areas, text, black, 0);
}

/** Returns the color that a shade has: the wanted one if the text can be read on it, else black or white. */
export function legibleShade(text: Color, wanted: Color): Color {
  if (contrast(text, wanted) >= leastContrast) {
    return wanted;
  }
  return contrast(text, black) > contrast(text, white) ? black : white;
}

/** How finely the strength of a shade is looked for, first and then. */
const [step, halvings] = [0.05, 4];

/**
 * Returns how much of the pixels a shade must cover for the text to be read on each of them, from `least` to 1.
 *
 * @param areas RGBA, opaque
 * @param shade a color on which the text can be read
 */
export function strengthFor(
  areas: readonly Uint8ClampedArray[],
  text: Color,
  shade: Color,
  least: number,
): number {
  const isEnough = (strength: number): boolean => worstUnder(areas, text, shade, strength) >= leastContrast;
  let strength = least;
  while (strength < 1 && !isEnough(strength)) {
    strength += step;
  }
  strength = Math.min(1, strength);
  let tooLittle = Math.max(least, strength - step);
  for (let halving = 0; halving < halvings && tooLittle < strength; halving++) {
    const middle = (tooLittle + strength) / 2;
    if (isEnough(middle)) {
      strength = middle;
    } else {
      tooLittle = middle;
    }
  }
  return strength;
}

/** As `worstContrast`, with a color over the pixels that covers a part of them. */
function worstUnder(
  areas: readonly Uint8ClampedArray[],
  text: Color,
  shade: Color,
  strength: number,
): number {
  const [reds, greens, blues] = weights.map((weight, channel) =>
    Float64Array.from(
      { length: 256 },
      (_, value) => weight * (lights[Math.round(value + ((shade[channel] ?? 0) - value) * strength)] ?? 0),
    ),
  );
  const own = luminance(text);
  // The nearest on either side.
  let [darker, lighter] = [-1, 2];
  for (const pixels of areas) {
    for (let at = 0; at < pixels.length; at += 4) {
      const light =
        (reds?.[pixels[at] ?? 0] ?? 0) +
        (greens?.[pixels[at + 1] ?? 0] ?? 0) +
        (blues?.[pixels[at + 2] ?? 0] ?? 0);
      if (light <= own) {
        darker = Math.max(darker, light);
      } else {
        lighter = Math.min(lighter, light);
      }
    }
  }
  return Math.min(
    darker < 0 ? Infinity : ratio(own, darker),
    lighter > 1 ? Infinity : ratio(lighter, own),
    21,
  );
}

function ratio(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
